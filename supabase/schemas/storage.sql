-- Who may do what with the files of the two buckets, and what keeps files and the rows that show them together.
-- rows.sql makes the buckets.

-- A picture that no item shows any more goes with the item, or when another takes its place; it stays for as long as an
-- item of the archive may come back with it. The row is what makes a file readable; the file itself is taken away by the
-- storage service. Items may share a picture: the last one counts.
create function private.remove_item_image() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      file constant text := substring(old.image_url from '/storage/v1/object/public/item-images/([^?#]+)$');
    begin
      if file is null
        or exists (select from public.items where image_url = old.image_url)
        or exists (select from public.archived_items where image_url = old.image_url) then
        return null;
      end if;
      -- A hosted project asks for this before it lets SQL remove the row of a file.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'item-images' and name = file;
      return null;
    end
  $$;

create trigger items_remove_deleted_image
  after delete on public.items
  for each row when (old.image_url is not null)
  execute function private.remove_item_image();

create trigger items_remove_replaced_image
  after update of image_url on public.items
  for each row when (old.image_url is not null and old.image_url is distinct from new.image_url)
  execute function private.remove_item_image();

create trigger archived_items_remove_image
  after delete on public.archived_items
  for each row when (old.image_url is not null)
  execute function private.remove_item_image();

create function private.is_own_avatar(name text) returns boolean
  language sql stable
  set search_path = ''
  as $$ select name ~ ('^' || auth.uid()::text || '/[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$') $$;

-- What a profile shows no more is removed with it. The row is what makes a file readable; the file itself is taken
-- away by the storage service.
create function private.remove_avatars() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      -- A hosted project asks for this before it lets SQL remove the row of a file.
      perform set_config('storage.allow_delete_query', 'true', true);
      if tg_op = 'DELETE' then
        delete from storage.objects where bucket_id = 'avatars' and starts_with(name, old.id::text || '/');
      else
        delete from storage.objects
        where bucket_id = 'avatars' and name = substring(old.avatar_url from '/avatars/(.+)$');
      end if;
      return null;
    end
  $$;

create trigger profiles_remove_avatars
  after delete on public.profiles
  for each row execute function private.remove_avatars();

create trigger profiles_remove_replaced_avatar
  after update of avatar_url on public.profiles
  for each row when (old.avatar_url is not null and old.avatar_url is distinct from new.avatar_url)
  execute function private.remove_avatars();

create function private.owner_of_avatar(name text) returns uuid
  language sql immutable
  set search_path = ''
  as $$ select substring(name from '^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/')::uuid $$;

-- A limit on the pictures of one person: the one that is shown, its successor, and what lost connections left.
create function private.require_few_avatars() returns trigger
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

create trigger avatars_are_few
  after insert or update of bucket_id, name on storage.objects
  for each row when (new.bucket_id = 'avatars')
  execute function private.require_few_avatars();

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

create trigger avatars_forget_removed
  after delete on storage.objects
  for each row when (old.bucket_id = 'avatars')
  execute function private.forget_removed_avatar();

create policy "Admins see item images" on storage.objects
  for select to authenticated
  using (bucket_id = 'item-images' and (select private.is_admin()));

create policy "Admins add item images" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'item-images' and (select private.is_admin()));

create policy "Admins replace item images" on storage.objects
  for update to authenticated
  using (bucket_id = 'item-images' and (select private.is_admin()))
  with check (bucket_id = 'item-images' and (select private.is_admin()));

create policy "Admins remove item images" on storage.objects
  for delete to authenticated
  using (bucket_id = 'item-images' and (select private.is_admin()));

create policy "People see their own avatars, admins all" on storage.objects
  for select to authenticated
  using (bucket_id = 'avatars' and (private.is_own_avatar(name) or (select private.is_admin())));

create policy "People replace their own avatars" on storage.objects
  for update to authenticated
  using (bucket_id = 'avatars' and private.is_own_avatar(name))
  with check (bucket_id = 'avatars' and private.is_own_avatar(name));

create policy "People remove their own avatars, admins any" on storage.objects
  for delete to authenticated
  using (bucket_id = 'avatars' and (private.is_own_avatar(name) or (select private.is_admin())));

create policy "People add avatars of their own" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'avatars' and private.is_own_avatar(name));

create policy "Half a sign-in adds nothing" on storage.objects
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Half a sign-in changes nothing" on storage.objects
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Half a sign-in removes nothing" on storage.objects
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

create policy "Bystanders add nothing" on storage.objects
  as restrictive for insert to authenticated
  with check (not (select private.is_bystander()));

create policy "Bystanders change nothing" on storage.objects
  as restrictive for update to authenticated
  using (not (select private.is_bystander()));

create policy "Bystanders remove nothing" on storage.objects
  as restrictive for delete to authenticated
  using (not (select private.is_bystander()));
