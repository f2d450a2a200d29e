-- "Still right": an admin looked at an item's values and left them. Insert { item_id }; the rest is filled in.

create table public.item_value_checks (
  id bigint not null generated always as identity primary key,
  item_id uuid not null references public.items (id) on delete cascade,
  checked_by uuid default auth.uid() references public.profiles (id) on delete set null,
  checked_at timestamptz not null default now()
);
comment on table public.item_value_checks is 'When an item''s values were found still right, and by whom.';

create index item_value_checks_item_id_checked_at_idx on public.item_value_checks (item_id, checked_at desc);
create index item_value_checks_checked_by_idx on public.item_value_checks (checked_by);

alter table public.item_value_checks enable row level security;

create policy "Everybody sees value checks" on public.item_value_checks
  for select to anon, authenticated
  using (true);

create policy "Admins add value checks" on public.item_value_checks
  for insert to authenticated
  with check ((select private.is_admin()));

revoke all on table public.item_value_checks from anon, authenticated, service_role;
grant select on table public.item_value_checks to anon, authenticated, service_role;
grant insert (item_id) on table public.item_value_checks to authenticated, service_role;

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

create trigger item_value_checks_keep_record
  before update or delete on public.item_value_checks
  for each row execute function private.keep_item_record('checked_by');

create trigger item_value_checks_refuse_truncate
  before truncate on public.item_value_checks
  for each statement execute function private.refuse_truncate();
