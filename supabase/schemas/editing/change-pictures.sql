-- Pictures as evidence for a change. An editor's upload is kept in the private bucket change-uploads, under the
-- editor's id and visible only to editors, until a second person moves it to the public bucket change-pictures, where
-- its name identifies nobody. There is no other way to write to that bucket, and files cannot be replaced. A picture
-- is deleted when it is refused, or when the proposal that it belongs to is (P151). rows.sql creates the buckets.

-- The public pictures. Written by triggers only.
create table public.change_pictures (
  name text not null primary key
    constraint change_pictures_name_is_of_a_file check (name ~ '^[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$'),
  shown_at timestamptz not null default now()
);
comment on table public.change_pictures is 'Approved evidence pictures: files in the bucket of the same name.';

alter table public.change_pictures enable row level security;
create policy "Everybody sees approved pictures" on public.change_pictures
  for select to anon, authenticated
  using (true);

grant select on table public.change_pictures to anon, authenticated;

-- Who may approve others' proposals: not new editors, as in decide-proposals.sql.
create function private.is_second_person() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$ select private.is_editor() and not private.is_new_editor((select auth.uid())) $$;

-- The proposals with this pending file as evidence, except rejected and withdrawn ones.
create function private.list_proposals_with_picture(file text) returns setof public.value_proposals
  language sql stable security definer
  set search_path = ''
  as $$
    select * from public.value_proposals
    where picture = split_part(file, '/', 2) and proposed_by::text = split_part(file, '/', 1)
      and state not in ('rejected', 'withdrawn')
  $$;
revoke execute on function private.list_proposals_with_picture(text) from public;

-- Refuses a call whose picture does not exist or belongs to another user.
create function private.require_picture(picture text) returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
    begin
      if picture is not null and not exists (
        select from storage.objects
        where bucket_id = 'change-uploads' and name = (select auth.uid())::text || '/' || require_picture.picture
      ) then
        raise exception using
          errcode = 'check_violation', message = 'The picture is not there any more: choose it again', hint = 'picture';
      end if;
    end
  $$;
revoke execute on function private.require_picture(text) from public;

-- Limits a user's pending uploads. A file that belongs to no proposal after a day is left over from a dropped
-- connection.
create function private.limit_change_uploads() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      own constant text := private.lock_file_owner(new.name)::text || '/';
      most constant integer := 20;
    begin
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects as left_behind
        where bucket_id = 'change-uploads' and starts_with(left_behind.name, own)
          and left_behind.created_at < now() - interval '1 day'
          and not exists (select from private.list_proposals_with_picture(left_behind.name));
      if (select count(*) from storage.objects where bucket_id = 'change-uploads' and starts_with(name, own)) > most then
        raise exception using
          errcode = '42501', message = format('%s pictures of yours wait already: let somebody look at them first', most);
      end if;
      -- Otherwise the owner could swap the file after a reviewer looked at it and before the approval.
      if exists (select from public.value_proposals where picture = split_part(new.name, '/', 2)) then
        raise exception using errcode = '42501', message = 'A picture that was sent is not replaced';
      end if;
      return null;
    end
  $$;
revoke execute on function private.limit_change_uploads() from public;

create trigger change_uploads_limit_count
  after insert or update of bucket_id, name on storage.objects
  for each row when (new.bucket_id = 'change-uploads')
  execute function private.limit_change_uploads();

-- The file keeps its name but loses its owner, so that a public file does not reveal who uploaded it.
create function private.check_shown_picture() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if new.name <> split_part(old.name, '/', 2) or not exists (select from private.list_proposals_with_picture(old.name)) then
        raise exception using errcode = '42501', message = 'This picture belongs to no change';
      end if;
      new.owner := null;
      new.owner_id := null;
      return new;
    end
  $$;
revoke execute on function private.check_shown_picture() from public;

create trigger change_pictures_check_shown
  before update of bucket_id on storage.objects
  for each row when (old.bucket_id = 'change-uploads' and new.bucket_id = 'change-pictures')
  execute function private.check_shown_picture();

-- A removed picture is no longer shown anywhere. Publishing and removing are both logged.
create function private.note_change_picture() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      pictured uuid;
    begin
      if tg_op = 'UPDATE' then
        insert into public.change_pictures (name) values (new.name) on conflict do nothing;
        select item_id into pictured from private.list_proposals_with_picture(old.name) limit 1;
      else
        delete from public.change_pictures where name = old.name and old.bucket_id = 'change-pictures';
        select item_id into pictured from public.value_proposals
          where picture = substring(old.name from '[^/]+$') and proposed_by is distinct from (select auth.uid()) limit 1;
        if not found or pg_trigger_depth() > 1 or not private.is_editor() then
          return null;
        end if;
      end if;
      insert into public.admin_acts (admin_id, act, table_name, row_id, title)
      values ((select auth.uid()), lower(tg_op), 'change_pictures', pictured,
        (select name from public.items where id = pictured));
      return null;
    end
  $$;
revoke execute on function private.note_change_picture() from public;

create trigger change_pictures_note_shown
  after update of bucket_id on storage.objects
  for each row when (old.bucket_id = 'change-uploads' and new.bucket_id = 'change-pictures')
  execute function private.note_change_picture();

create trigger change_pictures_note_removed
  after delete on storage.objects
  for each row when (old.bucket_id in ('change-pictures', 'change-uploads'))
  execute function private.note_change_picture();

-- Deletes a picture along with the last proposal that uses it as evidence. Deferred to the end of the transaction,
-- since a new proposal replaces the user's earlier one and may use the same picture. The storage service deletes the
-- file itself.
create function private.remove_refused_picture() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects
        where bucket_id = 'change-uploads' and name = new.proposed_by::text || '/' || new.picture
          and not exists (select from private.list_proposals_with_picture(name));
      return null;
    end
  $$;
revoke execute on function private.remove_refused_picture() from public;

create constraint trigger value_proposals_remove_refused_picture
  after update of state on public.value_proposals
  deferrable initially deferred
  for each row when (new.picture is not null and new.state in ('rejected', 'withdrawn'))
  execute function private.remove_refused_picture();

-- Deletes an account's pictures, including public ones. A before trigger, because afterwards the owner of a public
-- picture is unknown.
create function private.remove_change_pictures() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects
        where bucket_id = 'change-uploads' and starts_with(name, old.id::text || '/')
          or bucket_id = 'change-pictures' and name in (
            select picture from public.value_proposals where proposed_by = old.id and picture is not null
            union all
            select gone ->> 'picture'
            from public.archived_items, jsonb_array_elements(records -> 'public.value_proposals') as gone
            where people @> array[old.id] and gone ->> 'proposed_by' = old.id::text
          );
      return old;
    end
  $$;
revoke execute on function private.remove_change_pictures() from public;

create trigger profiles_remove_change_pictures
  before delete on public.profiles
  for each row execute function private.remove_change_pictures();

create policy "Editors see evidence pictures; users see their own uploads" on storage.objects
  for select to authenticated
  using (
    bucket_id = 'change-uploads' and private.is_own_avatar(name)
    or bucket_id in ('change-uploads', 'change-pictures') and (select private.is_editor())
  );

create policy "Editors upload evidence pictures for review" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'change-uploads' and private.is_own_avatar(name) and (select private.is_editor()));

create policy "A second person approves evidence pictures" on storage.objects
  for update to authenticated
  using (bucket_id = 'change-uploads' and not private.is_own_avatar(name) and (select private.is_second_person()))
  with check (bucket_id = 'change-pictures' and (select private.is_second_person()));

create policy "Reviewers delete evidence pictures; users delete their own" on storage.objects
  for delete to authenticated
  using (
    bucket_id = 'change-uploads' and private.is_own_avatar(name)
    or bucket_id in ('change-uploads', 'change-pictures') and (select private.is_second_person())
  );

-- Pending pictures, oldest first, each with the change that it is evidence for.
create function public.list_waiting_pictures()
  returns table (
    path text, uploaded_at timestamptz, uploaded_by uuid, changes integer, item_name text, field text, old_value text,
    new_value text, note text
  )
  language plpgsql stable security definer
  set search_path = ''
  as $$
    begin
      perform private.require_editor();
      return query
        select objects.name, objects.created_at, pictured.proposed_by, pictured.count::integer, items.name, pictured.field,
          pictured.old_value, pictured.new_value, pictured.note
        from storage.objects
        cross join lateral (
          select each.*, count(*) over () as count from private.list_proposals_with_picture(objects.name) as each
          where each.state <> 'draft' order by each.id limit 1
        ) as pictured
        join public.items on items.id = pictured.item_id
        where objects.bucket_id = 'change-uploads'
        order by objects.created_at;
    end
  $$;
comment on function public.list_waiting_pictures is 'Evidence pictures that await review; for editors.';
revoke execute on function public.list_waiting_pictures() from public, anon;
grant execute on function public.list_waiting_pictures() to authenticated;
