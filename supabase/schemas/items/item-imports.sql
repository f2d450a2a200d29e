-- Keeps the previous state of everything that an import changed, so that undoing it does not depend on the browser's
-- memory.
create table public.item_imports (
  id uuid not null primary key,
  imported_at timestamptz not null default now(),
  rows jsonb not null
    constraint item_imports_rows_are_at_most_5000
    check (case when jsonb_typeof(rows) = 'array' then jsonb_array_length(rows) <= 5000 else false end)
);
comment on table public.item_imports is 'Imports of the last 30 days with their changes, for undo_import.';
comment on column public.item_imports.rows is
  'An object for each item: id, its updated_at after the import, and before, the whole item; null for a new one.';

create index item_imports_imported_at_idx on public.item_imports (imported_at);

alter table public.item_imports enable row level security;
create policy "Admins see imports" on public.item_imports
  for select to authenticated
  using ((select private.is_admin()));

revoke all on table public.item_imports from service_role;
grant select on table public.item_imports to authenticated, service_role;

-- Security definer, because no other role may delete here.
create function private.forget_old_imports() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from public.item_imports where imported_at < now() - interval '30 days';
      return null;
    end
  $$;

create trigger item_imports_forget_old_imports
  after insert on public.item_imports
  for each statement execute function private.forget_old_imports();

-- The only way to write here: undo_import restores what it finds, also when a value was last checked, which nobody
-- may choose.
create function private.keep_import(import_id uuid, written public.items[], before jsonb) returns void
  language sql security definer
  set search_path = ''
  as $$
    insert into public.item_imports (id, rows)
      select import_id, coalesce(
        jsonb_agg(jsonb_build_object('id', item.id, 'updated_at', item.updated_at, 'before', before -> item.id::text)),
        '[]')
      from unnest(written) as item
  $$;
revoke execute on function private.keep_import(uuid, public.items[], jsonb) from public;
grant execute on function private.keep_import(uuid, public.items[], jsonb) to authenticated, service_role;

-- Imports many items from a file, all or nothing. Runs with the caller's rights, and each change goes to the ledger
-- like a manual one. Each element of `changes` is a whole item: with an id it updates that item, provided the item is
-- unchanged since `updated_at`; without one it inserts an item. `import_id` is chosen by the caller and identifies
-- the import for undoing it.
create function public.import_items(
  changes jsonb, reason text default null, import_id uuid default gen_random_uuid()
) returns setof public.items
  language plpgsql
  set search_path = ''
  as $$
    declare
      stale text;
      before jsonb;
      changed public.items[];
      added public.items[];
      written public.items[];
    begin
      if row_security_active('public.items') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins import items';
      end if;
      if jsonb_array_length(changes) > 5000 then
        raise exception using
          errcode = 'check_violation', message = 'Too many items at once: at most 5000';
      end if;

      -- Locked in id order, so that concurrent imports cannot deadlock.
      perform from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(changes) as element)
        order by id for update;
      select string_agg(coalesce(items.name, expected.name, expected.id::text), ', ' order by items.name) into stale
        from jsonb_to_recordset(changes) as expected (id uuid, updated_at timestamptz, name text)
        left join public.items on items.id = expected.id
        where expected.id is not null and items.updated_at is distinct from expected.updated_at;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by someone else in the meantime: %s', left(stale, 300)),
          hint = 'Nothing was imported. Choose the file again to compare it with what is there now.';
      end if;
      select coalesce(jsonb_object_agg(items.id, to_jsonb(items)), '{}') into before from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(changes) as element);

      with changed as (
        update public.items set
          name = change.name, slug = change.slug, aliases = coalesce(change.aliases, items.aliases),
          category_id = change.category_id, image_url = change.image_url,
          rarity = change.rarity, demand = change.demand,
          -- Clients that predate statuses do not send them.
          status = case when element ? 'status' then change.status else items.status end,
          type = change.type, is_permanent = change.is_permanent,
          current_value = change.current_value,
          -- The file has whole items: a previous value left unchanged there is replaced by the old value.
          previous_value = case
            when change.previous_value = items.previous_value
              and private.parse_value_text(change.current_value) is distinct from items.current_value_number
            then items.current_value else change.previous_value end,
          permanent_value = change.permanent_value,
          permanent_previous_value = case
            when change.permanent_previous_value is not distinct from items.permanent_previous_value
              and private.parse_value_text(change.permanent_value) is distinct from items.permanent_value_number
            then items.permanent_value else change.permanent_previous_value end,
          current_low = change.current_low, current_high = change.current_high,
          permanent_low = change.permanent_low, permanent_high = change.permanent_high,
          beli_price = change.beli_price, robux_price = change.robux_price, custom_fields = change.custom_fields,
          change_reason = import_items.reason
        from jsonb_array_elements(changes) as element, jsonb_populate_record(null::public.items, element) as change
        where items.id = change.id
        returning items as item
      )
      select array_agg(item) into changed from changed as done;

      with added as (
        insert into public.items (
          name, slug, aliases, category_id, image_url, rarity, demand, status, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high,
          beli_price, robux_price, custom_fields, change_reason
        )
        select
          name, slug, coalesce(aliases, ''), category_id, image_url, rarity, demand, status, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high,
          beli_price, robux_price, custom_fields, import_items.reason
        from jsonb_populate_recordset(null::public.items, changes)
        where id is null
        returning items as item
      )
      select array_agg(item) into added from added as done;

      written := coalesce(changed, '{}') || coalesce(added, '{}');
      perform private.keep_import(import_items.import_id, written, before);
      return query select * from unnest(written);
    end
  $$;
revoke all on function public.import_items(jsonb, text, uuid) from public, anon;
grant execute on function public.import_items(jsonb, text, uuid) to authenticated, service_role;

-- Restores changed items and deletes new ones: all of them, or none if one was edited since. Returns the restored
-- items.
create function public.undo_import(import_id uuid) returns setof public.items
  language plpgsql
  set search_path = ''
  as $$
    declare
      undone constant jsonb := (select rows from public.item_imports where id = import_id);
      stale text;
      row jsonb;
    begin
      if row_security_active('public.items') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins undo imports';
      end if;
      if undone is null then
        raise exception using errcode = 'PT404', message = 'This import is no longer kept, so it cannot be undone';
      end if;

      perform from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(undone) as element)
        order by id for update;
      select string_agg(coalesce(items.name, expected.before ->> 'name', expected.id::text), ', ' order by items.name)
        into stale
        from jsonb_to_recordset(undone) as expected (id uuid, updated_at timestamptz, before jsonb)
        left join public.items on items.id = expected.id
        where items.updated_at is distinct from expected.updated_at;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by someone else in the meantime: %s', left(stale, 300)),
          hint = 'Nothing was undone.';
      end if;

      delete from public.items where id in (
        select (element ->> 'id')::uuid from jsonb_array_elements(undone) as element
        where jsonb_typeof(element -> 'before') is distinct from 'object'
      );
      for row in
        select element -> 'before' from jsonb_array_elements(undone) as element
        where jsonb_typeof(element -> 'before') = 'object'
      loop
        return query
          select * from private.restore_item(jsonb_populate_record(null::public.items, row), 'Undo of an import');
      end loop;
    end
  $$;
revoke all on function public.undo_import(uuid) from public, anon;
grant execute on function public.undo_import(uuid) to authenticated, service_role;
