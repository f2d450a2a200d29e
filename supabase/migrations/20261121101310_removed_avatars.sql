-- Admins take unkind pictures away: what is removed is shown by no profile any more, and the act is kept.

create function private.forget_removed_avatar() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      person uuid;
    begin
      update public.profiles set avatar_url = null
        where avatar_url = '/storage/v1/object/public/avatars/' || old.name and id = private.owner_of_avatar(old.name);
      select id into person from public.profiles where id = private.owner_of_avatar(old.name);
      -- Those of an account that was deleted go with it.
      if person is null or person = auth.uid() then
        return null;
      end if;
      if private.is_admin() or auth.role() = 'service_role' then
        insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'delete', 'avatars', person, person);
      end if;
      return null;
    end
  $$;

create function private.owner_of_avatar(name text) returns uuid
  language sql immutable
  set search_path = ''
  as $$ select substring(name from '^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/')::uuid $$;

create trigger avatars_forget_removed
  after delete on storage.objects
  for each row when (old.bucket_id = 'avatars')
  execute function private.forget_removed_avatar();

-- As before, but by the index of profiles.
create or replace function private.require_few_avatars() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      person constant text := split_part(new.name, '/', 1);
      -- The one that is shown, the one that takes its place, and what a lost connection may have left.
      most constant integer := 4;
    begin
      perform pg_advisory_xact_lock(hashtextextended('avatars/' || person, 0));
      if (select count(*) from storage.objects where bucket_id = 'avatars' and starts_with(name, person || '/')) > most then
        raise exception using errcode = '42501', message = format('There is room for %s pictures of a person', most);
      end if;
      -- Who signed may have left since.
      if not exists (select from public.profiles where id = private.owner_of_avatar(new.name)) then
        raise exception using errcode = '42501', message = 'There is no such person';
      end if;
      return null;
    end
  $$;
