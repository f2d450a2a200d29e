-- Nobody rewrites history, not even with the secret key. Only two changes are possible: a row moves to the archive
-- with its item, and its reference to a user is cleared when the account is deleted.
create function private.keep_item_record() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      person_column constant text := tg_argv[0];
      person constant uuid := (to_jsonb(old) ->> person_column)::uuid;
      -- Generated columns are not yet computed in the new row.
      generated constant text[] := array(
        select attname from pg_catalog.pg_attribute where attrelid = tg_relid and attgenerated <> ''
      );
      before constant jsonb := to_jsonb(old) - generated;
      after constant jsonb := to_jsonb(new) - generated;
    begin
      if tg_op = 'DELETE' and not exists (select from public.items where id = old.item_id) then
        return old;
      end if;
      if tg_op = 'UPDATE'
        and person is not null
        and after = before || jsonb_build_object(person_column, null)
        and not exists (select from public.profiles where id = person) then
        return new;
      end if;
      raise exception using
        errcode = 'insufficient_privilege',
        message = format('Rows of %I are never changed or deleted', tg_table_name);
    end
  $$;

-- Reasons for value changes, as shown publicly beside a change.
create table public.value_reasons (
  code text not null primary key
    constraint value_reasons_code_has_only_lowercase_letters_and_underscores check (code ~ '^[a-z_]{1,30}$'),
  label text not null
    constraint value_reasons_label_has_1_to_60_characters
    check (char_length(label) <= 60 and private.trim_text(label) <> ''),
  place integer not null default 0,
  is_offered boolean not null default true
);
comment on table public.value_reasons is 'Reasons for value changes, in the order shown to editors.';
comment on column public.value_reasons.is_offered is 'False for reasons that only the database sets.';

alter table public.value_reasons enable row level security;
create policy "Everybody sees the reasons" on public.value_reasons
  for select to anon, authenticated
  using (true);

revoke all on table public.value_reasons from service_role;
grant select on table public.value_reasons to anon, authenticated;
grant select, insert, update on table public.value_reasons to service_role;

-- The change of a value in percent of the previous one; null if either is unpriced or the previous one was 0.
create function private.change_in_percent(old_value text, new_value text) returns numeric
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select round(100 * (private.parse_value_text(new_value) - old_number) / nullif(old_number, 0), 2)
    from private.parse_value_text(old_value) as old_number
  $$;

-- The ledger: every change of a value from the first day on, written by a trigger, readable by all, changeable by
-- nobody. An item's chart is drawn from it.
create table public.item_value_changes (
  id bigint not null generated always as identity primary key,
  item_id uuid not null references public.items (id) on delete cascade,
  mode text not null constraint item_value_changes_mode_is_known check (mode in ('regular', 'permanent')),
  old_value text,
  new_value text,
  old_number numeric generated always as (private.parse_value_text(old_value)) stored,
  new_number numeric generated always as (private.parse_value_text(new_value)) stored,
  change_percent numeric generated always as (private.change_in_percent(old_value, new_value)) stored,
  reason text constraint item_value_changes_reason_has_at_most_200_characters check (char_length(reason) <= 200),
  changed_by uuid references public.profiles (id) on delete set null,
  changed_at timestamptz not null default now(),
  old_previous_value text,
  new_previous_value text,
  old_checked_at timestamptz,
  reason_code text references public.value_reasons (code) on delete restrict,
  evidence_url text
    constraint item_value_changes_evidence_url_has_at_most_500_characters check (char_length(evidence_url) <= 500)
    constraint item_value_changes_evidence_url_is_a_secure_address check (evidence_url ~ '^https://[^\s<>"]+$'),
  changed_as text constraint item_value_changes_changed_as_is_known check (changed_as in ('admin', 'editor')),
  is_seconded boolean not null default false,
  old_low text,
  old_high text,
  picture text constraint item_value_changes_picture_is_of_a_file check (picture ~ '^[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$')
);
comment on table public.item_value_changes is 'Every change of an item''s value, oldest first by changed_at.';
comment on column public.item_value_changes.new_number is 'Null when the value became unpriced.';
comment on column public.item_value_changes.change_percent is
  'In percent of the old value; null when either is unpriced.';
comment on column public.item_value_changes.old_previous_value is
  'The previous value of this mode before the change.';
comment on column public.item_value_changes.new_previous_value is
  'The previous value of this mode after the change.';
comment on column public.item_value_changes.old_checked_at is
  'When the old value was last checked. Null if there is no old value to restore: first values and imported readings.';
comment on column public.item_value_changes.changed_as is
  'The role of whoever changed it; null for imported readings and servers.';
comment on column public.item_value_changes.is_seconded is 'Whether a second person reviewed it before it was published.';
comment on column public.item_value_changes.picture is 'A name in change_pictures, once a second person approved it.';
comment on column public.item_value_changes.old_low is 'The lower end of the editor''s range of this mode before the change.';

create index item_value_changes_item_id_changed_at_idx on public.item_value_changes (item_id, changed_at);
create index item_value_changes_changed_at_id_idx on public.item_value_changes (changed_at, id);
create index item_value_changes_changed_by_idx on public.item_value_changes (changed_by);
create index item_value_changes_reason_code_idx on public.item_value_changes (reason_code);

alter table public.item_value_changes enable row level security;
create policy "Everybody sees value changes" on public.item_value_changes
  for select to anon, authenticated
  using (true);

revoke all on table public.item_value_changes from service_role;

-- Excludes changed_by: whoever changed or checked a value is an editor, and strangers would know whom to scam.
-- Editors read it through list_value_changes.
grant select (
  id, item_id, mode, old_value, new_value, old_number, new_number, change_percent, reason, changed_at,
  reason_code, evidence_url, changed_as, is_seconded
) on table public.item_value_changes to anon, authenticated;
grant select (old_previous_value, new_previous_value, old_checked_at, old_low, old_high) on table public.item_value_changes to authenticated;
grant select on table public.item_value_changes to service_role;

create trigger item_value_changes_keep_record
  before update or delete on public.item_value_changes
  for each row execute function private.keep_item_record('changed_by');

create trigger item_value_changes_refuse_truncate
  before truncate on public.item_value_changes
  for each statement execute function private.refuse_truncate();

-- Details of a change, set by functions that change a value in a user's name, in a setting of the transaction:
-- changed_by, changed_as, reason_code, evidence_url, picture, is_seconded. Empty for direct writes.
create function private.read_change_context() returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(nullif(current_setting('private.change_context', true), ''), '{}')::jsonb
  $$;

-- Stamps each edit of an item and records changed values in the ledger. A different spelling ('1000K', '1M') is not a
-- change. If a value is written without a previous value, the old value becomes the previous one.
-- private.restore_item passes the old value's check time in a setting of the transaction. Security definer, because
-- users who edit items may not write to the ledger directly.
create function private.follow_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      context constant jsonb := private.read_change_context();
      changed_by constant uuid := (
        select id from public.profiles
        where id = case when context ? 'changed_by' then (context ->> 'changed_by')::uuid else (select auth.uid()) end
      );
      regular_changed constant boolean :=
        old.current_value_number is distinct from private.parse_value_text(new.current_value);
      permanent_changed constant boolean :=
        old.permanent_value_number is distinct from private.parse_value_text(new.permanent_value);
      reason constant text := nullif(private.trim_text(new.change_reason), '');
      written_previous constant text := coalesce(current_setting('private.written_previous', true), '');
      restored_check constant timestamptz := nullif(current_setting('private.restored_check', true), '');
    begin
      perform set_config('private.written_previous', '', true);
      if regular_changed and strpos(written_previous, 'regular') = 0 then
        new.previous_value := old.current_value;
      end if;
      if permanent_changed and strpos(written_previous, 'permanent') = 0 then
        new.permanent_previous_value := old.permanent_value;
      end if;
      -- Clears a range that was not written along with the new value and does not contain it.
      if regular_changed
        and (new.current_low, new.current_high) is not distinct from (old.current_low, old.current_high)
        and not private.is_within(new.current_value, new.current_low, new.current_high)
      then
        new.current_low := null;
        new.current_high := null;
      end if;
      if permanent_changed
        and (new.permanent_low, new.permanent_high) is not distinct from (old.permanent_low, old.permanent_high)
        and not private.is_within(new.permanent_value, new.permanent_low, new.permanent_high)
      then
        new.permanent_low := null;
        new.permanent_high := null;
      end if;

      insert into public.item_value_changes (
        item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_low, old_high,
        old_checked_at, reason, changed_by, reason_code, evidence_url, picture, changed_as, is_seconded
      )
      select old.id, change.*, old.values_checked_at, reason, changed_by,
        context ->> 'reason_code', context ->> 'evidence_url', context ->> 'picture',
        coalesce(context ->> 'changed_as', case when (select private.is_admin()) then 'admin' end),
        coalesce((context ->> 'is_seconded')::boolean, false)
      from (
        select 'regular', old.current_value, new.current_value, old.previous_value, new.previous_value,
          old.current_low, old.current_high
        where regular_changed
        union all
        select 'permanent', old.permanent_value, new.permanent_value,
          old.permanent_previous_value, new.permanent_previous_value, old.permanent_low, old.permanent_high
        where permanent_changed
      ) as change;

      -- A check changes only values_checked_at, which only checks may write; it does not count as an edit.
      if restored_check is not null then
        new.values_checked_at := restored_check;
      elsif regular_changed or permanent_changed then
        new.values_checked_at := now();
      elsif new.values_checked_at is distinct from old.values_checked_at then
        new.updated_at := old.updated_at;
        return new;
      end if;
      new.change_reason := null;
      new.updated_at := now();
      return new;
    end
  $$;

create trigger items_follow_item
  before update on public.items
  for each row execute function private.follow_item();

-- Records a new item's values as its first changes, from null. An after trigger, because the ledger references the
-- item.
create function private.record_first_values() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      changed_by constant uuid := (select id from public.profiles where id = (select auth.uid()));
    begin
      insert into public.item_value_changes (item_id, mode, new_value, reason, changed_by, changed_as)
      select new.id, mode, value, nullif(private.trim_text(new.change_reason), ''), changed_by,
        case when (select private.is_admin()) then 'admin' end
      from (values ('regular', new.current_value), ('permanent', new.permanent_value)) as first_values (mode, value)
      where private.parse_value_text(value) is not null;
      if new.change_reason is not null then
        update public.items set change_reason = null where id = new.id;
      end if;
      return null;
    end
  $$;

create trigger items_record_first_values
  after insert on public.items
  for each row execute function private.record_first_values();

-- "Still right": an editor reviewed an item's values and left them unchanged. Insert { item_id }; the rest is filled
-- in.
create table public.item_value_checks (
  id bigint not null generated always as identity primary key,
  item_id uuid not null references public.items (id) on delete cascade,
  checked_by uuid default auth.uid() references public.profiles (id) on delete set null,
  checked_at timestamptz not null default now()
);
comment on table public.item_value_checks is 'When an item''s values were confirmed, and by whom.';

create index item_value_checks_item_id_checked_at_idx on public.item_value_checks (item_id, checked_at desc);
create index item_value_checks_checked_by_idx on public.item_value_checks (checked_by);
create index item_value_checks_checked_at_idx on public.item_value_checks (checked_at);

alter table public.item_value_checks enable row level security;
create policy "Everybody sees value checks" on public.item_value_checks
  for select to anon, authenticated
  using (true);

create policy "Editors add value checks" on public.item_value_checks
  for insert to authenticated
  with check ((select private.is_editor()));

revoke all on table public.item_value_checks from service_role;
grant insert (item_id) on table public.item_value_checks to authenticated, service_role;
grant select (id, item_id, checked_at) on table public.item_value_checks to anon, authenticated;
grant select on table public.item_value_checks to service_role;

create trigger item_value_checks_keep_record
  before update or delete on public.item_value_checks
  for each row execute function private.keep_item_record('checked_by');

create trigger item_value_checks_refuse_truncate
  before truncate on public.item_value_checks
  for each statement execute function private.refuse_truncate();

create function private.follow_value_check() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      update public.items
        set values_checked_at = new.checked_at
        where id = new.item_id and values_checked_at < new.checked_at;
      return null;
    end
  $$;

create trigger item_value_checks_follow_value_check
  after insert on public.item_value_checks
  for each row execute function private.follow_value_check();

create function public.list_value_changes(item uuid)
  returns table (
    id bigint, mode text, old_value text, new_value text, old_previous_value text, new_previous_value text,
    old_checked_at timestamptz, reason text, changed_at timestamptz, changed_by_name text,
    reason_code text, reason_label text, evidence_url text, changed_as text, is_seconded boolean, editor_name text,
    picture text
  )
  language plpgsql stable security definer
  set search_path = ''
  as $$
    begin
      if not private.is_editor() then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only editors are told who changed a value';
      end if;
      return query
        select change.id, change.mode, change.old_value, change.new_value, change.old_previous_value,
          change.new_previous_value, change.old_checked_at, change.reason, change.changed_at, person.username,
          change.reason_code, chosen.label, change.evidence_url, change.changed_as, change.is_seconded,
          editor_names.name, shown.name
        from public.item_value_changes as change
        left join public.value_reasons as chosen on chosen.code = change.reason_code
        left join public.profiles as person on person.id = change.changed_by
        left join public.editor_names on editor_names.user_id = change.changed_by
        left join public.change_pictures as shown on shown.name = change.picture
        where change.item_id = item;
    end
  $$;
comment on function public.list_value_changes is 'Value changes of an item with their authors; for editors.';
revoke execute on function public.list_value_changes(uuid) from public, anon;
grant execute on function public.list_value_changes(uuid) to authenticated, service_role;

-- Tells the next trigger that the statement writes a previous value, which the row alone does not show if the value
-- is unchanged. Triggers on a row fire in alphabetical order.
create function private.note_written_previous() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      perform set_config(
        'private.written_previous', concat(current_setting('private.written_previous', true), tg_argv[0]), true);
      return new;
    end
  $$;

create trigger items_a_note_previous_value
  before update of previous_value on public.items
  for each row execute function private.note_written_previous('regular');

create trigger items_a_note_permanent_previous_value
  before update of permanent_previous_value on public.items
  for each row execute function private.note_written_previous('permanent');

-- Restores an item to an earlier state exactly. Runs with the caller's rights: a caller who may not change the item
-- gets no row back.
create function private.restore_item(before public.items, reason text) returns setof public.items
  language plpgsql
  set search_path = ''
  as $$
    begin
      perform set_config('private.restored_check', before.values_checked_at::text, true);
      perform set_config(
        'private.change_context', (private.read_change_context() || '{"reason_code": "undo"}')::text, true);
      return query
        update public.items set
          name = before.name, slug = before.slug, aliases = coalesce(before.aliases, items.aliases),
          category_id = before.category_id, image_url = before.image_url,
          rarity = before.rarity, demand = before.demand,
          status = (select word from public.status_words where word = before.status), type = before.type, is_permanent = before.is_permanent,
          current_value = before.current_value, previous_value = before.previous_value,
          permanent_value = before.permanent_value, permanent_previous_value = before.permanent_previous_value,
          current_low = before.current_low, current_high = before.current_high,
          permanent_low = before.permanent_low, permanent_high = before.permanent_high,
          beli_price = before.beli_price, robux_price = before.robux_price, custom_fields = before.custom_fields,
          change_reason = restore_item.reason
        where items.id = before.id
        returning items.*;
      perform set_config('private.restored_check', '', true);
      perform set_config('private.change_context', '', true);
    end
  $$;

-- Undoes the last change of a mode. Refused if the item is no longer as that change left it.
create function public.undo_value_change(change_id bigint, reason text default null) returns setof public.items
  language plpgsql
  set search_path = ''
  as $$
    declare
      change record;
      item public.items;
      is_still boolean;
    begin
      select id, item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_checked_at,
          old_low, old_high
        into change from public.item_value_changes where id = change_id;
      if not found then
        raise exception using errcode = 'PT404', message = 'There is no such change';
      end if;
      if change.old_checked_at is null then
        raise exception using
          errcode = 'PT409', message = 'This cannot be undone: nothing is known of what was before it';
      end if;
      select * into item from public.items where id = change.item_id for update;
      if not found then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins undo changes';
      end if;

      is_still := case change.mode
        when 'regular' then (item.current_value, item.previous_value)
          is not distinct from (change.new_value, change.new_previous_value)
        else (item.permanent_value, item.permanent_previous_value)
          is not distinct from (change.new_value, change.new_previous_value)
      end;
      if not is_still or exists (
        select from public.item_value_changes as later
        where later.item_id = change.item_id and later.mode = change.mode and later.id > change.id
      ) then
        raise exception using
          errcode = 'PT409', message = format('%s was changed in the meantime: look at its ledger again', item.name);
      end if;

      if change.mode = 'regular' then
        item.current_value := change.old_value;
        item.previous_value := change.old_previous_value;
        item.current_low := change.old_low;
        item.current_high := change.old_high;
      else
        item.permanent_value := change.old_value;
        item.permanent_previous_value := change.old_previous_value;
        item.permanent_low := change.old_low;
        item.permanent_high := change.old_high;
      end if;
      item.values_checked_at := change.old_checked_at;
      return query select * from private.restore_item(item, undo_value_change.reason);
    end
  $$;
revoke all on function public.undo_value_change(bigint, text) from public, anon;
grant execute on function public.undo_value_change(bigint, text) to authenticated, service_role;
