SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.limit_avatars()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      sender constant uuid := private.lock_file_owner(new.name);
      -- The current picture, its replacement, and leftovers of dropped connections.
      most constant integer := 4;
    begin
      if (select count(*) from storage.objects
        where bucket_id = new.bucket_id and starts_with(name, sender::text || '/') and not private.is_evidence(name)) > most then
        raise exception using errcode = '42501', message = format('There is room for %s pictures per person', most);
      end if;
      if new.bucket_id = 'avatar-uploads' then
        -- A deletion lowers the count above, but each picture is rendered again, and its name is kept for a week.
        perform private.limit_rate(
          sender, 'avatar', 20, interval '1 hour', 'You can send 20 pictures an hour. Please try again later.'
        );
        delete from private.sent_avatars
          where person = sender and sent_at < now() - interval '7 days';
        insert into private.sent_avatars (name, person) values (new.name, sender) on conflict (name) do nothing;
        if not found then
          raise exception using errcode = '42501', message = 'A picture that was sent is not replaced';
        end if;
      end if;
      return null;
    end
  $function$;
