SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.lift_silence_sanction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      update public.sanctions set lifted_at = now()
        where user_id = old.user_id and kind = 'silence' and until = old.until and until > now() and lifted_at is null;
      return null;
    end
  $function$;
