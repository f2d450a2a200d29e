SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.limit_contact_rate()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      hour_ago constant timestamptz := now() - interval '1 hour';
      me constant bytea := private.digest_contact_sender();
    begin
      perform pg_advisory_xact_lock(hashtextextended('contact_messages', 0));
      if exists (
        select from public.contact_messages
        where lower(email) = lower(new.email) and created_at > hour_ago
          and (name, email, subject, message) = (new.name, new.email, new.subject, new.message)
      ) then
        return null;
      end if;
      update private.contact_paces set sent = array(select at from unnest(sent) as at where at > hour_ago);
      delete from private.contact_paces where sent = '{}';
      if (select cardinality(sent) from private.contact_paces where sender = me) >= 10
        or (select count(*) from public.contact_messages
          where lower(email) = lower(new.email) and created_at > hour_ago) >= 3
        or (select count(*) from public.contact_messages
          where created_at > now() - interval '10 minutes') >= 100
      then
        raise exception using errcode = 'PT429', message = 'Too many messages right now, please try again later';
      end if;
      if me is not null then
        insert into private.contact_paces as pace (sender, sent) values (me, array[now()])
          on conflict (sender) do update set sent = pace.sent || now();
      end if;
      return new;
    end
  $function$;
