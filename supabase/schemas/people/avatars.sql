-- Profile pictures. Anyone may pick a drawing from the catalogue and a color. Where the operator allows uploads,
-- users may have a picture of their own: it is kept in the private bucket avatar-uploads, visible only to its owner
-- and the moderators, until a moderator moves it to the public bucket avatars. Users cannot write to avatars.
-- rows.sql creates the buckets.

create function private.is_own_avatar(name text) returns boolean
  language sql stable
  set search_path = ''
  as $$ select name ~ ('^' || auth.uid()::text || '/[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$') $$;

-- Removes a picture that a profile no longer shows. Deleting the row makes the file unreadable; the storage service
-- deletes the file itself. A file that is being deleted or approved is passed over: whoever does that has locked it, and
-- waits for the profile.
create function private.remove_avatars() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      -- Hosted projects refuse to delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      if tg_op = 'DELETE' then
        delete from storage.objects where id in (
          select id from storage.objects
          where bucket_id in ('avatars', 'avatar-uploads') and starts_with(name, old.id::text || '/')
          for update skip locked
        );
      else
        delete from storage.objects where id in (
          select id from storage.objects
          where bucket_id = 'avatars' and name = substring(old.avatar_url from '/avatars/(.+)$')
            -- Kept as evidence until the report is resolved.
            and not private.is_evidence(name)
          for update skip locked
        );
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

-- Called hourly by the server: deletes pictures of deleted accounts that were passed over because somebody had locked
-- them.
create function private.forget_avatars() returns void
  language plpgsql
  set search_path = ''
  as $$
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
  $$;
revoke execute on function private.forget_avatars() from public;

-- Serializes the uploads of the user whose folder the file is in. The uploader's account may have been deleted since
-- the upload was authorized.
create function private.lock_file_owner(name text) returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      person constant uuid := private.owner_of_avatar(name);
    begin
      perform pg_advisory_xact_lock(hashtextextended('files/' || person::text, 0));
      if not exists (select from public.profiles where id = person) then
        raise exception using errcode = '42501', message = 'There is no such person';
      end if;
      return person;
    end
  $$;
revoke execute on function private.lock_file_owner(text) from public;

-- Names of recently uploaded pictures that waited for approval. The name of a withdrawn picture cannot be reused, or
-- a moderator who saw the first picture would approve the second.
create table private.sent_avatars (
  name text not null primary key,
  person uuid not null references public.profiles (id) on delete cascade,
  sent_at timestamptz not null default now()
);
create index sent_avatars_person_idx on private.sent_avatars (person);

-- Limits the pictures per user: the current one, its successor, and leftovers of dropped connections.
create function private.limit_avatars() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      sender constant uuid := private.lock_file_owner(new.name);
      -- The current picture, its replacement, and leftovers of dropped connections.
      most constant integer := 4;
    begin
      if (select count(*) from storage.objects
        where bucket_id = new.bucket_id and starts_with(name, sender::text || '/') and not private.is_evidence(name)) > most then
        raise exception using errcode = '42501', message = format('There is room for %s pictures per person', most);
      end if;
      if new.bucket_id = 'avatar-uploads' then
        -- A deletion lowers the count above, but each picture is rendered again, and its name is kept for a week.
        perform private.limit_rate(
          sender, 'avatar', 20, interval '1 hour', 'You can send 20 pictures an hour. Please try again later.'
        );
        delete from private.sent_avatars
          where person = sender and sent_at < now() - interval '7 days';
        insert into private.sent_avatars (name, person) values (new.name, sender) on conflict (name) do nothing;
        if not found then
          raise exception using errcode = '42501', message = 'A picture that was sent is not replaced';
        end if;
      end if;
      return null;
    end
  $$;

-- What the uploader says about a picture is served with it to everybody: only what a picture needs is kept. Before any
-- other trigger, and whoever writes the row, since signed uploads pass no policy.
create function private.strip_picture_details() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      new.user_metadata := null;
      if new.metadata is not null then
        new.metadata := new.metadata - array['contentEncoding', 'xRobotsTag'] || jsonb_strip_nulls(jsonb_build_object(
          'mimetype', split_part(new.metadata ->> 'mimetype', ';', 1),
          'cacheControl', coalesce(substring(new.metadata ->> 'cacheControl' from '^(?:no-cache|max-age=[0-9]{1,8})$'), 'no-cache')
        ));
      end if;
      return new;
    end
  $$;
revoke execute on function private.strip_picture_details() from public;

create trigger avatars_admit_picture
  before insert or update on storage.objects
  for each row when (new.bucket_id in ('avatars', 'avatar-uploads', 'change-uploads', 'change-pictures'))
  execute function private.strip_picture_details();

create trigger avatars_limit_count
  after insert or update of bucket_id, name on storage.objects
  for each row when (new.bucket_id in ('avatars', 'avatar-uploads'))
  execute function private.limit_avatars();

-- When an admin removes an unkind picture, no profile shows it any longer, and the removal is logged.
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
      -- Nothing to log if the account itself was deleted.
      if person is null or person = auth.uid() then
        return null;
      end if;
      -- A sanction logs its own removal.
      if pg_trigger_depth() = 1 and (private.is_moderator() or auth.role() = 'service_role') then
        insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'delete', 'avatars', person, person);
      end if;
      return null;
    end
  $$;

create trigger avatars_forget_removed
  after delete on storage.objects
  for each row when (old.bucket_id in ('avatars', 'avatar-uploads'))
  execute function private.forget_removed_avatar();

-- An approved picture is shown at once and replaces the previous one.
create function private.show_allowed_avatar() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      person constant uuid := private.owner_of_avatar(new.name);
    begin
      if new.name <> old.name then
        raise exception using errcode = '42501', message = 'A picture is approved under its own name';
      end if;
      update public.profiles set avatar_url = '/storage/v1/object/public/avatars/' || new.name where id = person;
      if not found then
        -- The account was deleted meanwhile, and its deletion passed over this file.
        perform set_config('storage.allow_delete_query', 'true', true);
        delete from storage.objects where id = new.id;
        return null;
      end if;
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'update', 'avatars', person, person);
      return null;
    end
  $$;
revoke execute on function private.show_allowed_avatar() from public;

create trigger avatars_show_allowed
  after update of bucket_id on storage.objects
  for each row when (old.bucket_id = 'avatar-uploads' and new.bucket_id = 'avatars')
  execute function private.show_allowed_avatar();

-- A drawing must be one of the catalogue's own; it stays when its item is deleted.
create function private.check_drawing() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if not exists (select from public.items where image_url = substring(new.avatar_url from '^[^#]+')) then
        raise exception using errcode = 'check_violation', message = 'Please choose a picture of the catalogue';
      end if;
      return new;
    end
  $$;

create trigger profiles_check_drawing
  before insert or update of avatar_url on public.profiles
  for each row when (new.avatar_url like '/items/%')
  execute function private.check_drawing();

-- Only users who may write freely: neither children nor users under strikes.
create function private.may_upload() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select (select takes_uploads from private.settings) and private.may_write_freely(auth.uid())
  $$;

create policy "Users see their own avatars; moderators see all" on storage.objects
  for select to authenticated
  using (
    bucket_id in ('avatars', 'avatar-uploads')
    and (private.is_own_avatar(name) or (select private.is_moderator()))
  );

-- A file cannot be replaced under its name, nor withdrawn and uploaded again with other contents: the picture that a
-- moderator approves is the one that the moderator saw.
-- The name becomes part of a public address: it is random, not words of the uploader.
create policy "Users who may write freely upload pictures for review" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'avatar-uploads' and private.is_own_avatar(name)
    and name ~ '/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z]+$' and (select private.may_upload())
  );

create policy "Moderators approve pictures of others" on storage.objects
  for update to authenticated
  using (bucket_id = 'avatar-uploads' and not private.is_own_avatar(name) and (select private.is_moderator()))
  with check (bucket_id = 'avatars' and not private.is_own_avatar(name) and (select private.is_moderator()));

create policy "Users delete their own avatars; moderators delete any" on storage.objects
  for delete to authenticated
  using (
    bucket_id in ('avatars', 'avatar-uploads')
    and case when private.is_own_avatar(name) then not private.is_evidence(name) else (select private.is_moderator()) end
  );

-- Pictures of users who write in the chat, including unlisted ones, since their names appear there too.
create function public.list_chat_faces(people uuid[]) returns table (id uuid, avatar_url text, listed boolean)
  language sql stable security definer
  set search_path = ''
  as $$
    select writers.id, writers.avatar_url, writers.listed
    from public.profiles as writers
    where writers.id = any (people[1:200]) and (writers.listed or writers.avatar_url is not null)
      and exists (select from public.chat_messages where user_id = writers.id)
      and not (select private.is_anonymous_or_application())
  $$;
comment on function public.list_chat_faces is 'Pictures of users who wrote in the chat, and whether they have a profile page; users with neither are omitted.';
revoke execute on function public.list_chat_faces(uuid[]) from public, anon;
grant execute on function public.list_chat_faces(uuid[]) to authenticated, service_role;
