-- Deleting an item removes it everywhere and moves it, with its whole ledger, to an archive from which admins can
-- restore it. A trigger enforces this, so it applies to every way of deleting.
create table public.archived_items (
  id uuid not null primary key,
  archived_at timestamptz not null default now(),
  archived_by uuid references public.profiles (id) on delete set null,
  item jsonb not null,
  records jsonb not null,
  people uuid[] not null default '{}',
  name text not null generated always as (item ->> 'name') stored,
  slug text not null generated always as (item ->> 'slug') stored,
  image_url text generated always as (item ->> 'image_url') stored,
  value_change_count integer not null
    generated always as (coalesce(jsonb_array_length(records -> 'public.item_value_changes'), 0)) stored
);
comment on table public.archived_items is 'Deleted items with all their records; for admins.';
comment on column public.archived_items.records is 'Rows deleted with the item, by table: its ledger, its checks; not those that are deleted with an account too.';
comment on column public.archived_items.people is 'The users whom the records name; maintained by a trigger.';

create index archived_items_people_idx on public.archived_items using gin (people);
create index archived_items_archived_at_idx on public.archived_items (archived_at desc, id);
create index archived_items_archived_by_idx on public.archived_items (archived_by);

alter table public.archived_items enable row level security;
create policy "Admins see archived items" on public.archived_items
  for select to authenticated
  using ((select private.is_admin()));

revoke all on table public.archived_items from service_role;
grant select on table public.archived_items to authenticated, service_role;

-- Tables whose rows cascade from items, read from the system catalog so that later tables are included. Rows that are
-- deleted with an account too, such as an editor's skips, are not kept: the account may be gone by the restore.
create function private.list_item_records() returns table (place regclass, key name)
  language sql stable
  set search_path = ''
  as $$
    select conrelid::regclass, attname
    from pg_catalog.pg_constraint
    join pg_catalog.pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'public.items'::regclass and confdeltype = 'c' and not exists (
      select from pg_catalog.pg_constraint as of_person
      where of_person.conrelid = pg_constraint.conrelid
        and of_person.confrelid = 'public.profiles'::regclass and of_person.confdeltype = 'c'
    )
  $$;
revoke execute on function private.list_item_records() from public;

-- So that the deletion of an account does not search the records of every archived item.
create function private.list_archived_people() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      new.people := array(
        select profiles.id from public.profiles
        where profiles.id in (
          select ids[1]::uuid
          from regexp_matches(new.records::text, '"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"', 'g') as ids
        )
      );
      return new;
    end
  $$;
revoke execute on function private.list_archived_people() from public;

create trigger archived_items_list_people
  before insert or update of records on public.archived_items
  for each row execute function private.list_archived_people();

create function private.archive_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      kept jsonb := '{}';
      found_rows jsonb;
      place regclass;
      key name;
    begin
      for place, key in select * from private.list_item_records() loop
        execute format('select coalesce(jsonb_agg(to_jsonb(record)), ''[]'') from %s as record where %I = $1', place, key)
          into found_rows using old.id;
        kept := kept || jsonb_build_object(place::text, found_rows);
      end loop;
      insert into public.archived_items (id, archived_by, item, records)
      values (old.id, (select id from public.profiles where id = (select auth.uid())), to_jsonb(old), kept);
      return old;
    end
  $$;
revoke execute on function private.archive_item() from public;

-- Before, because afterwards the cascade has deleted the ledger.
create trigger items_archive
  before delete on public.items
  for each row execute function private.archive_item();

-- Reinserts rows as they were, except those whose key was taken meanwhile, and returns how many. Generated columns are
-- computed again; columns that were added later get their defaults.
create function private.reinsert_rows(place regclass, kept jsonb) returns integer
  language plpgsql
  set search_path = ''
  as $$
    declare
      columns constant text := (
        select string_agg(quote_ident(attname), ', ') from pg_catalog.pg_attribute
        where attrelid = place and attnum > 0 and not attisdropped and attgenerated = '' and kept -> 0 ? attname
      );
      count integer := 0;
    begin
      if jsonb_array_length(kept) > 0 then
        execute format(
          'insert into %s (%s) overriding system value select %2$s from jsonb_populate_recordset(null::%1$s, $1)
           on conflict do nothing',
          place, columns
        ) using kept;
        get diagnostics count = row_count;
      end if;
      return count;
    end
  $$;
revoke execute on function private.reinsert_rows(regclass, jsonb) from public;

-- Restores an item with its id, ledger and picture, and removes it from the archive.
create function public.restore_item(item_id uuid) returns setof public.items
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      archived public.archived_items;
      place regclass;
    begin
      if not private.is_admin() and auth.role() is distinct from 'service_role' then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins restore items';
      end if;
      select * into archived from public.archived_items where id = item_id for update;
      if not found then
        raise exception using errcode = 'PT404', message = 'This item is no longer in the archive';
      end if;
      -- The category may have been deleted while the item was archived.
      perform from public.categories where id = (archived.item ->> 'category_id')::uuid for key share;
      if not found then
        archived.item := archived.item || '{"category_id": null}';
      end if;
      if not exists (select from public.status_words where word = archived.item ->> 'status') then
        archived.item := archived.item || '{"status": null}';
      end if;
      perform set_config('private.restored_item', archived.id::text, true);
      if private.reinsert_rows('public.items', jsonb_build_array(archived.item)) = 0 then
        raise exception using
          errcode = 'unique_violation',
          message = format('Another item has the slug %s by now: change that one''s slug, then restore %s',
            archived.slug, archived.name);
      end if;
      for place in select records.place from private.list_item_records() as records loop
        perform private.reinsert_rows(place, archived.records -> place::text);
      end loop;
      delete from public.archived_items where id = item_id;
      return query select * from public.items where id = item_id;
    end
  $$;
revoke execute on function public.restore_item(uuid) from public, anon;
grant execute on function public.restore_item(uuid) to authenticated, service_role;

-- An item under the id of an archived one would take its place there, and have no ledger until then: the triggers
-- below take it for a restored one.
create function private.refuse_archived_id() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if current_setting('private.restored_item', true) is distinct from new.id::text
        and exists (select from public.archived_items where id = new.id) then
        raise exception using
          errcode = 'unique_violation', message = format('The id of %s belongs to an archived item: restore that one', new.name);
      end if;
      return new;
    end
  $$;
revoke execute on function private.refuse_archived_id() from public;

create trigger items_refuse_archived_id
  before insert on public.items
  for each row execute function private.refuse_archived_id();

-- A restored item brings its ledger along, so its first values are not recorded again.
create function private.skip_known_values() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      return case when exists (select from public.archived_items where id = new.item_id) then null else new end;
    end
  $$;
revoke execute on function private.skip_known_values() from public;

create trigger item_value_changes_skip_known_values
  before insert on public.item_value_changes
  for each row when (pg_trigger_depth() > 0)
  execute function private.skip_known_values();

create function private.mark_as_restore() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if not exists (select from public.archived_items where id = new.row_id) then
        return new;
      elsif new.table_name = 'items' then
        new.act := 'restore';
        return new;
      end if;
      return null;
    end
  $$;
revoke execute on function private.mark_as_restore() from public;

create trigger admin_acts_mark_as_restore
  before insert on public.admin_acts
  for each row when (new.act = 'insert')
  execute function private.mark_as_restore();

-- Anonymizes archived rows when an account is deleted, as the ledger itself does.
create function private.forget_person_in_archive() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      person constant text := to_json(old.id::text);
    begin
      update public.archived_items set records = replace(records::text, person, 'null')::jsonb
        where people @> array[old.id];
      return null;
    end
  $$;
revoke execute on function private.forget_person_in_archive() from public;

create trigger profiles_forget_person_in_archive
  after delete on public.profiles
  for each row execute function private.forget_person_in_archive();
