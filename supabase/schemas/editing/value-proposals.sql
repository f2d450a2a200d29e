-- Proposed and published values. Each is one row from the first draft on, which records who proposed it, who reviewed
-- it, and what the value was before. Written by functions only.

-- Values that are published and rolled back together: a named update day, or the values that one call published.
create table public.value_sets (
  id uuid not null primary key default gen_random_uuid(),
  name text
    constraint value_sets_name_has_1_to_80_characters
    check (char_length(name) <= 80 and private.trim_text(name) <> ''),
  state text not null default 'draft'
    constraint value_sets_state_is_known
    check (state in ('draft', 'submitted', 'published', 'rolled_back', 'discarded')),
  planned_for timestamptz,
  fault text,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  published_by uuid references public.profiles (id) on delete set null,
  rolled_back_at timestamptz,
  rolled_back_by uuid references public.profiles (id) on delete set null
);
comment on table public.value_sets is 'Values that are published and rolled back together.';
comment on column public.value_sets.name is 'Null if published without drafts.';
comment on column public.value_sets.planned_for is 'When the server publishes it automatically.';
comment on column public.value_sets.fault is 'Why scheduled publishing failed.';

create index value_sets_created_by_idx on public.value_sets (created_by);
create index value_sets_published_by_idx on public.value_sets (published_by);
create index value_sets_rolled_back_by_idx on public.value_sets (rolled_back_by);
create index value_sets_planned_for_idx on public.value_sets (planned_for) where state = 'submitted';
create index value_sets_created_at_idx on public.value_sets (created_at);

alter table public.value_sets enable row level security;
create policy "Editors see sets" on public.value_sets
  for select to authenticated
  using ((select private.is_editor()));

grant select on table public.value_sets to authenticated;

create table public.value_proposals (
  id bigint not null generated always as identity primary key,
  set_id uuid references public.value_sets (id) on delete cascade,
  item_id uuid not null references public.items (id) on delete cascade,
  field text not null
    constraint value_proposals_field_is_known
    check (field in (
      'current_value', 'permanent_value', 'demand', 'beli_price', 'robux_price',
      'current_low', 'current_high', 'permanent_low', 'permanent_high')),
  old_value text,
  new_value text,
  change_percent numeric generated always as (private.change_in_percent(old_value, new_value)) stored,
  reason_code text not null references public.value_reasons (code) on delete restrict,
  note text not null default ''
    constraint value_proposals_note_has_at_most_200_characters check (char_length(note) <= 200),
  evidence_url text
    constraint value_proposals_evidence_url_has_at_most_500_characters check (char_length(evidence_url) <= 500)
    constraint value_proposals_evidence_url_is_a_secure_address check (evidence_url ~ '^https://[^\s<>"]+$'),
  state text not null
    constraint value_proposals_state_is_known
    check (state in ('draft', 'waiting', 'approved', 'rejected', 'withdrawn', 'published', 'rolled_back')),
  why text constraint value_proposals_why_is_known check (why in ('large', 'dear', 'new_editor')),
  proposed_by uuid references public.profiles (id) on delete set null,
  proposed_as text constraint value_proposals_proposed_as_is_known check (proposed_as in ('admin', 'editor')),
  proposed_at timestamptz not null default now(),
  decided_by uuid references public.profiles (id) on delete set null,
  decided_at timestamptz,
  decision_note text
    constraint value_proposals_decision_note_has_at_most_200_characters check (char_length(decision_note) <= 200),
  published_at timestamptz,
  before jsonb,
  after jsonb,
  picture text
    constraint value_proposals_picture_is_of_a_file check (picture ~ '^[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$'),
  constraint value_proposals_are_decided_by_a_second_person check (decided_by <> proposed_by)
);
comment on table public.value_proposals is 'Proposed values and their outcome.';
comment on column public.value_proposals.why is 'Why it needs, or needed, a second person.';
comment on column public.value_proposals.picture is
  'Evidence file: in bucket change-uploads under the proposer''s id, in change-pictures once approved.';
comment on column public.value_proposals.before is 'The written columns before publishing, for undo.';
comment on column public.value_proposals.after is 'The written columns after publishing.';

create index value_proposals_item_id_idx on public.value_proposals (item_id);
create index value_proposals_reason_code_idx on public.value_proposals (reason_code);
create index value_proposals_proposed_by_idx on public.value_proposals (proposed_by, published_at);
create index value_proposals_decided_by_idx on public.value_proposals (decided_by);
create index value_proposals_picture_idx on public.value_proposals (picture) where picture is not null;
create index value_proposals_state_idx on public.value_proposals (state, id);
-- Prevents an editor from overwriting another editor's draft unseen.
create unique index value_proposals_set_id_item_id_field_key on public.value_proposals (set_id, item_id, field)
  where state in ('draft', 'waiting', 'approved');
create index value_proposals_set_id_idx on public.value_proposals (set_id);

alter table public.value_proposals enable row level security;
create policy "Users see their own proposals; editors see all" on public.value_proposals
  for select to authenticated
  using (
    (select private.is_editor()) or proposed_by = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
  );

grant select on table public.value_proposals to authenticated;

-- No function may later change the old value, or who proposed what.
create function private.keep_proposal() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if (new.item_id, new.field, new.old_value, new.new_value, new.proposed_at, new.picture)
          is distinct from (old.item_id, old.field, old.old_value, old.new_value, old.proposed_at, old.picture)
        or new.proposed_by is not null and new.proposed_by is distinct from old.proposed_by
        or old.state in ('rejected', 'withdrawn', 'rolled_back') and new.state <> old.state
        or old.state = 'published' and new.state not in ('published', 'rolled_back') then
        raise exception using
          errcode = 'insufficient_privilege', message = 'What was proposed and decided stays as it is';
      end if;
      return new;
    end
  $$;

create trigger value_proposals_keep_proposal
  before update on public.value_proposals
  for each row execute function private.keep_proposal();
