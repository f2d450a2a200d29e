-- The ledger: every change of a value from the first day on, written by a trigger, readable by all, changeable by
-- nobody. It is what the chart of an item is drawn from.

create table public.item_value_changes (
  id bigint not null generated always as identity primary key,
  item_id uuid not null references public.items (id) on delete cascade,
  mode text not null constraint item_value_changes_mode_is_known check (mode in ('regular', 'permanent')),
  old_value text,
  new_value text,
  old_number numeric generated always as (private.parse_value_text(old_value)) stored,
  new_number numeric generated always as (private.parse_value_text(new_value)) stored,
  reason text constraint item_value_changes_reason_has_at_most_200_characters check (char_length(reason) <= 200),
  changed_by uuid references public.profiles (id) on delete set null,
  changed_at timestamptz not null default now()
);
comment on table public.item_value_changes is 'Every change of an item''s value, oldest first by changed_at.';
comment on column public.item_value_changes.new_number is 'Null when the value became unpriced.';

create index item_value_changes_item_id_changed_at_idx on public.item_value_changes (item_id, changed_at);
create index item_value_changes_changed_by_idx on public.item_value_changes (changed_by);

alter table public.item_value_changes enable row level security;

create policy "Everybody sees value changes" on public.item_value_changes
  for select to anon, authenticated
  using (true);

revoke all on table public.item_value_changes from anon, authenticated, service_role;
grant select on table public.item_value_changes to anon, authenticated, service_role;

-- Stamps each edit of an item, and writes changed values into the ledger. A respelling ('1000K', '1M') is no change.
-- Security definer, because nobody who edits items may write the ledger by themselves.
create function private.follow_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      changed_by constant uuid := (select id from public.profiles where id = (select auth.uid()));
      regular_changed constant boolean :=
        old.current_value_number is distinct from private.parse_value_text(new.current_value);
      permanent_changed constant boolean :=
        old.permanent_value_number is distinct from private.parse_value_text(new.permanent_value);
      reason constant text := nullif(private.trim_text(new.change_reason), '');
    begin
      if regular_changed then
        insert into public.item_value_changes (item_id, mode, old_value, new_value, reason, changed_by)
        values (old.id, 'regular', old.current_value, new.current_value, reason, changed_by);
      end if;
      if permanent_changed then
        insert into public.item_value_changes (item_id, mode, old_value, new_value, reason, changed_by)
        values (old.id, 'permanent', old.permanent_value, new.permanent_value, reason, changed_by);
      end if;

      -- A check moves values_checked_at alone, which nobody else may write: that is no edit.
      if regular_changed or permanent_changed then
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

create trigger items_stamp_insert
  before insert on public.items
  for each row execute function private.stamp_update();

-- A new item's values are its first changes, from nothing. After the insert, because the ledger refers to the item.
create function private.record_first_values() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      changed_by constant uuid := (select id from public.profiles where id = (select auth.uid()));
    begin
      insert into public.item_value_changes (item_id, mode, new_value, reason, changed_by)
      select new.id, mode, value, nullif(private.trim_text(new.change_reason), ''), changed_by
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

-- Nobody rewrites history, not even with the secret key. Two things only may happen to a row: it goes with its item,
-- and it forgets a person whose account is gone.
create function private.keep_item_record() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      person_column constant text := tg_argv[0];
      person constant uuid := (to_jsonb(old) ->> person_column)::uuid;
      -- Generated columns are not yet computed in the new row.
      before constant jsonb := to_jsonb(old) - array['old_number', 'new_number'];
      after constant jsonb := to_jsonb(new) - array['old_number', 'new_number'];
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

create function private.refuse_truncate() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      raise exception using
        errcode = 'insufficient_privilege',
        message = format('Rows of %I are never changed or deleted', tg_table_name);
    end
  $$;

create trigger item_value_changes_keep_record
  before update or delete on public.item_value_changes
  for each row execute function private.keep_item_record('changed_by');

create trigger item_value_changes_refuse_truncate
  before truncate on public.item_value_changes
  for each statement execute function private.refuse_truncate();
