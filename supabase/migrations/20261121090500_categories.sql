-- The groups that the values list shows as tabs.

create table public.categories (
  id uuid not null primary key default gen_random_uuid(),
  slug text not null unique
    constraint categories_slug_has_1_to_50_characters check (char_length(slug) between 1 and 50)
    constraint categories_slug_has_only_lowercase_letters_digits_and_hyphens check (slug ~ '^[a-z0-9-]+$'),
  name text not null
    constraint categories_name_has_1_to_50_characters
    check (char_length(name) <= 50 and private.trim_text(name) <> ''),
  icon text not null default ''
    constraint categories_icon_has_at_most_10_characters check (char_length(icon) <= 10),
  display_order integer not null default 0
    constraint categories_display_order_is_0_to_9999 check (display_order between 0 and 9999),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.categories is 'Groups of items, in the order of their tabs.';
comment on column public.categories.icon is 'An emoji.';

create index categories_display_order_idx on public.categories (display_order);

alter table public.categories enable row level security;

create policy "Everybody sees categories" on public.categories
  for select to anon, authenticated
  using (true);

create policy "Admins add categories" on public.categories
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change categories" on public.categories
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins delete categories" on public.categories
  for delete to authenticated
  using ((select private.is_admin()));

revoke all on table public.categories from anon, authenticated;
grant select on table public.categories to anon, authenticated;
grant insert (slug, name, icon, display_order, updated_at) on table public.categories to authenticated;
grant update (slug, name, icon, display_order, updated_at) on table public.categories to authenticated;
grant delete on table public.categories to authenticated;
grant all on table public.categories to service_role;

create trigger categories_stamp_update
  before insert or update on public.categories
  for each row execute function private.stamp_update();
