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
      -- First, so that a picture that is being approved meanwhile is found in the profile. Hosted projects refuse to
      -- delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'avatar-uploads' and starts_with(name, person::text || '/');
      -- Also if not listed, to wait for what the user changes meanwhile, a picture too.
      update public.profiles set listed = false where id = person;
      -- Catalogue drawings may stay.
      update public.profiles set avatar_url = null where id = person and avatar_url like '/storage/%';
      if renames then
        delete from private.daily_acts where user_id = person and act = 'rename';
        perform private.rename_person(person, private.generate_username(''));
      end if;
    end
  $function$;
