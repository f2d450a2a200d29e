-- Which fields a page shows. A page without a row shows all of them.

create table public.page_configurations (
  id uuid not null primary key default gen_random_uuid(),
  page_name text not null unique
    constraint page_configurations_page_name_is_known
    check (page_name in ('values', 'fruit_detail', 'calculator', 'trade_history')),
  visible_fields text[] not null default '{}'
    constraint page_configurations_visible_fields_is_a_list_of_names
    check (
      coalesce(array_ndims(visible_fields), 1) = 1
      and array_position(visible_fields, null) is null
      and cardinality(visible_fields) <= 200
      and char_length(array_to_string(visible_fields, '')) <= 10000
    ),
  updated_at timestamptz not null default now()
);
comment on table public.page_configurations is 'The fields that each page shows; a page without a row shows all.';

alter table public.page_configurations enable row level security;

create policy "Everybody sees page configurations" on public.page_configurations
  for select to anon, authenticated
  using (true);

create policy "Admins add page configurations" on public.page_configurations
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change page configurations" on public.page_configurations
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins delete page configurations" on public.page_configurations
  for delete to authenticated
  using ((select private.is_admin()));

revoke all on table public.page_configurations from anon, authenticated;
grant select on table public.page_configurations to anon, authenticated;
grant insert (page_name, visible_fields, updated_at) on table public.page_configurations to authenticated;
grant update (page_name, visible_fields, updated_at) on table public.page_configurations to authenticated;
grant delete on table public.page_configurations to authenticated;
grant all on table public.page_configurations to service_role;

create trigger page_configurations_stamp_update
  before insert or update on public.page_configurations
  for each row execute function private.stamp_update();
