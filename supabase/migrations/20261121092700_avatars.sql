-- Pictures of people. Whoever has a picture's address sees it; each person keeps only their own, in a folder named by
-- their id. The name of a picture says nothing: it is made anew for each, so that no cache shows the old one.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('avatars', 'avatars', true, 1048576, '{image/jpeg,image/png,image/webp}')
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create function private.is_own_avatar(name text) returns boolean
  language sql stable
  set search_path = ''
  as $$ select name ~ ('^' || auth.uid()::text || '/[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$') $$;

-- The one that is shown, the one that takes its place, and what a lost connection may have left.
create function private.has_room_for_avatar() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select count(*) < 4 from storage.objects
    where bucket_id = 'avatars' and starts_with(name, auth.uid()::text || '/')
  $$;

create policy "People see their own avatars, admins all" on storage.objects
  for select to authenticated
  using (bucket_id = 'avatars' and (private.is_own_avatar(name) or (select private.is_admin())));

create policy "People add a few avatars of their own" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'avatars' and private.is_own_avatar(name) and (select private.has_room_for_avatar()));

create policy "People replace their own avatars" on storage.objects
  for update to authenticated
  using (bucket_id = 'avatars' and private.is_own_avatar(name))
  with check (bucket_id = 'avatars' and private.is_own_avatar(name));

create policy "People remove their own avatars, admins any" on storage.objects
  for delete to authenticated
  using (bucket_id = 'avatars' and (private.is_own_avatar(name) or (select private.is_admin())));

-- A picture on another host would tell that host who looks at it. So a profile names a picture of its own person here,
-- by its path; where "here" is, the site knows.
update public.profiles set avatar_url = null
where avatar_url !~ ('^/storage/v1/object/public/avatars/' || id::text || '/[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$');

alter table public.profiles
  drop constraint profiles_avatar_url_is_a_web_address,
  add constraint profiles_avatar_url_is_a_picture_of_their_own check (
    avatar_url ~ ('^/storage/v1/object/public/avatars/' || id::text || '/[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$')
  );

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
