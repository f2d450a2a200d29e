-- The ledger of demand and status: every change of either word of an item, with its reason. Written by a trigger,
-- readable by all, changeable by nobody, like the ledger of values.
create table public.item_demand_changes (
  id bigint not null generated always as identity primary key,
  item_id uuid not null references public.items (id) on delete cascade,
  kind text not null constraint item_demand_changes_kind_is_known check (kind in ('demand', 'status')),
  old_word text,
  new_word text,
  reason text constraint item_demand_changes_reason_has_at_most_200_characters check (char_length(reason) <= 200),
  changed_by uuid references public.profiles (id) on delete set null,
  changed_at timestamptz not null default now(),
  reason_code text references public.value_reasons (code) on delete restrict,
  evidence_url text
    constraint item_demand_changes_evidence_url_has_at_most_500_characters check (char_length(evidence_url) <= 500)
    constraint item_demand_changes_evidence_url_is_a_secure_address check (evidence_url ~ '^https://[^\s<>"]+$'),
  changed_as text constraint item_demand_changes_changed_as_is_known check (changed_as in ('admin', 'editor')),
  is_seconded boolean not null default false,
  picture text constraint item_demand_changes_picture_is_of_a_file check (picture ~ '^[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$')
);
comment on table public.item_demand_changes is 'Every change of an item''s demand or status, oldest first by id.';

create index item_demand_changes_item_id_id_idx on public.item_demand_changes (item_id, id);
create index item_demand_changes_changed_by_idx on public.item_demand_changes (changed_by);
create index item_demand_changes_reason_code_idx on public.item_demand_changes (reason_code);
create index item_demand_changes_changed_at_id_idx on public.item_demand_changes (changed_at, id);

alter table public.item_demand_changes enable row level security;
create policy "Everybody sees demand changes" on public.item_demand_changes
  for select to anon, authenticated
  using (true);

revoke all on table public.item_demand_changes from service_role;
grant select (
  id, item_id, kind, old_word, new_word, reason, changed_at, reason_code, evidence_url, changed_as, is_seconded
) on table public.item_demand_changes to anon, authenticated;
grant select on table public.item_demand_changes to service_role;

create trigger item_demand_changes_keep_record
  before update or delete on public.item_demand_changes
  for each row execute function private.keep_item_record('changed_by');

create trigger item_demand_changes_refuse_truncate
  before truncate on public.item_demand_changes
  for each statement execute function private.refuse_truncate();

create function private.record_demand() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      context constant jsonb := private.read_change_context();
    begin
      insert into public.item_demand_changes (
        item_id, kind, old_word, new_word, reason, changed_by, reason_code, evidence_url, picture, changed_as, is_seconded
      )
      select new.id, word.*, nullif(private.trim_text(new.change_reason), ''), (
          select id from public.profiles
          where id = case when context ? 'changed_by' then (context ->> 'changed_by')::uuid else (select auth.uid()) end
        ),
        context ->> 'reason_code', context ->> 'evidence_url', context ->> 'picture',
        coalesce(context ->> 'changed_as', case when (select private.is_admin()) then 'admin' end),
        coalesce((context ->> 'is_seconded')::boolean, false)
      from (values ('demand', old.demand, new.demand), ('status', old.status, new.status)) as word (kind, before, after)
      where before is distinct from after;
      return new;
    end
  $$;
revoke execute on function private.record_demand() from public;

-- Its name sorts before items_follow_item, which clears the reason. Renaming a word is not a change: the update of
-- the items then comes from a trigger, so the trigger depth is above 0.
create trigger items_a_record_demand
  before update on public.items
  for each row
  when (pg_trigger_depth() = 0 and (old.demand, old.status) is distinct from (new.demand, new.status))
  execute function private.record_demand();
