SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.refuse_removed_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if private.is_child(new.id) or new.id = (select auth.uid()) and exists (
        select from public.sanctions
        where user_id = new.id and kind = 'picture' and lifted_at is null
          and removed = substring(new.avatar_url from '/avatars/(.+)$')
      ) then
        raise exception using
          errcode = 'check_violation', message = 'This picture is not allowed', constraint = 'safe_text';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.settle_age_limit()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.hide_child(user_id, renames => true) from public.age_bands
        where private.lowest_age(band) >= old.age_limit and private.is_child(user_id);
      return null;
    end
  $function$;

CREATE TRIGGER settings_settle_age_limit
  AFTER UPDATE OF age_limit ON private.settings
  FOR EACH ROW
  WHEN ((new.age_limit > old.age_limit))
  EXECUTE FUNCTION private.settle_age_limit();

REVOKE ALL ON FUNCTION "private"."settle_age_limit"() FROM PUBLIC;
