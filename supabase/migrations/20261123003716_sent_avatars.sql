SET local check_function_bodies = off;

CREATE TABLE "private"."sent_avatars" (
  "name"    text                     NOT NULL,
  "person"  uuid                     NOT NULL,
  "sent_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "sent_avatars_pkey" PRIMARY KEY (name)
);

CREATE OR REPLACE FUNCTION private.require_few_avatars()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant text := split_part(new.name, '/', 1);
      -- The one that is shown, the one that takes its place, and what a lost connection may have left.
      most constant integer := 4;
    begin
      perform pg_advisory_xact_lock(hashtextextended('avatars/' || person, 0));
      if (select count(*) from storage.objects
        where bucket_id = new.bucket_id and starts_with(name, person || '/') and not private.is_evidence(name)) > most then
        raise exception using errcode = '42501', message = format('There is room for %s pictures per person', most);
      end if;
      -- Who signed may have left since.
      if not exists (select from public.profiles where id = private.owner_of_avatar(new.name)) then
        raise exception using errcode = '42501', message = 'There is no such person';
      end if;
      if new.bucket_id = 'avatar-uploads' then
        delete from private.sent_avatars
          where sent_avatars.person = private.owner_of_avatar(new.name) and sent_at < now() - interval '7 days';
        insert into private.sent_avatars (name, person) values (new.name, private.owner_of_avatar(new.name))
          on conflict (name) do nothing;
        if not found then
          raise exception using errcode = '42501', message = 'A picture that was sent is not replaced';
        end if;
      end if;
      return null;
    end
  $function$;

ALTER TABLE "private"."sent_avatars"
  ADD CONSTRAINT "sent_avatars_person_fkey" FOREIGN KEY (person) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE INDEX sent_avatars_person_idx ON private.sent_avatars USING btree (person);
