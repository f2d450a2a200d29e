SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.settle_silence_or_ban()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.kind = 'ban' then
        perform private.set_ban(new.user_id);
        return null;
      end if;
      if new.lifted_at is not null then
        delete from public.chat_silences
          where user_id = new.user_id and until = new.until and created_at = new.created_at;
      end if;
      perform private.set_silence(new.user_id);
      return null;
    end
  $function$;
