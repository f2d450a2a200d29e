SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.forget_avatars()
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      -- Hosted projects refuse to delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where id in (
        select id from storage.objects
        where bucket_id in ('avatars', 'avatar-uploads') and private.owner_of_avatar(name) is not null
          and not exists (select from public.profiles where id = private.owner_of_avatar(objects.name))
        for update skip locked
      );
    end
  $function$;

REVOKE ALL ON FUNCTION "private"."forget_avatars"() FROM PUBLIC;
