SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.limit_profile_changes()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform private.limit_rate(
        new.id, 'profile', 20, interval '1 minute',
        'You are changing your profile too fast: at most 20 times a minute'
      );
      return null;
    end
  $function$;

CREATE TRIGGER profiles_limit_changes
  AFTER UPDATE ON public.profiles
  FOR EACH ROW
  WHEN (row_security_active('public.profiles'::text))
  EXECUTE FUNCTION private.limit_profile_changes();
