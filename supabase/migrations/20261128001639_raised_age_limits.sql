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

CREATE OR REPLACE FUNCTION private.list_exposed_children()
  RETURNS SETOF uuid
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    select user_id from public.age_bands join public.profiles on id = user_id
    where private.lowest_age(band) < (select age_limit from private.settings)
      and case
        when listed or avatar_url like '/storage/%'
          or exists (select from private.daily_acts as acts where acts.user_id = id and act = 'rename')
          or id::text in (select split_part(name, '/', 1) from storage.objects where bucket_id = 'avatar-uploads')
          then private.is_child(user_id)
      end
  $function$;

REVOKE ALL ON FUNCTION "private"."list_exposed_children"() FROM PUBLIC;
