SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.hide_child (
  person  uuid,
  renames boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      update public.profiles set listed = false where id = person and listed;
      -- Catalogue drawings may stay.
      update public.profiles set avatar_url = null where id = person and avatar_url like '/storage/%';
      if renames then
        perform private.rename_person(person, private.generate_username(''));
      end if;
    end
  $function$;
