SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.require_few_uploads()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant text := split_part(new.name, '/', 1);
      most constant integer := 20;
    begin
      perform pg_advisory_xact_lock(hashtextextended('change-uploads/' || person, 0));
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects as left_behind
        where bucket_id = 'change-uploads' and starts_with(left_behind.name, person || '/')
          and left_behind.created_at < now() - interval '1 day'
          and not exists (select from private.list_pictured(left_behind.name));
      if (select count(*) from storage.objects where bucket_id = 'change-uploads' and starts_with(name, person || '/')) > most then
        raise exception using
          errcode = '42501', message = format('%s pictures of yours wait already: let somebody look at them first', most);
      end if;
      -- Else its owner could take it back and put another in its place, between a look at it and the yes.
      if exists (select from public.value_proposals where picture = split_part(new.name, '/', 2)) then
        raise exception using errcode = '42501', message = 'A picture that was sent is not replaced';
      end if;
      -- Who signed may have left since.
      if not exists (select from public.profiles where id = private.owner_of_avatar(new.name)) then
        raise exception using errcode = '42501', message = 'There is no such person';
      end if;
      return null;
    end
  $function$;
