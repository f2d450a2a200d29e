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

grant select on table public.page_configurations to anon, authenticated;
grant insert (page_name, visible_fields, updated_at) on table public.page_configurations to authenticated;
grant update (page_name, visible_fields, updated_at) on table public.page_configurations to authenticated;
grant delete on table public.page_configurations to authenticated;

create trigger page_configurations_stamp_update
  before insert or update on public.page_configurations
  for each row execute function private.stamp_update();

-- The fields of the item form: the eight standard ones and the custom ones that admins define. The browser caches
-- them under adminFieldConfig; this table takes precedence, so that another admin or browser has the same fields.
create table public.field_definitions (
  id uuid not null primary key default gen_random_uuid(),
  name text not null unique
    constraint field_definitions_name_is_standard_or_custom
    check (
      name in (
        'name', 'slug', 'category_id', 'rarity', 'type', 'demand', 'current_value', 'previous_value'
      )
      or name ~ '^custom_\S{1,50}$'
    ),
  label text not null
    constraint field_definitions_label_has_1_to_50_characters
    check (char_length(label) <= 50 and private.trim_text(label) <> ''),
  type text not null default 'text'
    constraint field_definitions_type_is_known check (type in ('text', 'select', 'number', 'checkbox')),
  options text[] not null default '{}'
    constraint field_definitions_options_is_a_list_of_words
    check (
      coalesce(array_ndims(options), 1) = 1
      and array_position(options, null) is null
      and cardinality(options) <= 100
      and char_length(array_to_string(options, '')) <= 5000
    ),
  visible boolean not null default true,
  required boolean not null default false,
  display_order integer not null default 100
    constraint field_definitions_display_order_is_0_to_9999 check (display_order between 0 and 9999),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint field_definitions_required_fields_are_visible check (visible or not required),
  constraint field_definitions_name_and_category_are_required check (required or name not in ('name', 'category_id'))
);
comment on table public.field_definitions is 'The fields of the item form, standard and custom.';
comment on column public.field_definitions.name is
  'A column of items, or the key of a custom field in items.custom_fields.';

alter table public.field_definitions enable row level security;
create policy "Everybody sees field definitions" on public.field_definitions
  for select to anon, authenticated
  using (true);

create policy "Admins add custom fields" on public.field_definitions
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change field definitions" on public.field_definitions
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

-- Items keep their values of a deleted field, which reappear if the field is created again.
create policy "Admins delete custom fields" on public.field_definitions
  for delete to authenticated
  using (starts_with(name, 'custom_') and (select private.is_admin()));

grant select on table public.field_definitions to anon, authenticated;
grant insert (name, label, type, options, visible, required, display_order, updated_at)
  on table public.field_definitions to authenticated;
grant update (name, label, type, options, visible, required, display_order, updated_at)
  on table public.field_definitions to authenticated;
grant delete on table public.field_definitions to authenticated;

create trigger field_definitions_stamp_update
  before insert or update on public.field_definitions
  for each row execute function private.stamp_update();

-- The update grant covers name, because an upsert writes it; renaming a field would detach it from the items' values.
create function private.keep_field_name() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      raise exception using errcode = 'check_violation', message = 'The name of a field cannot be changed';
    end
  $$;

create trigger field_definitions_keep_field_name
  before update of name on public.field_definitions
  for each row when (old.name is distinct from new.name)
  execute function private.keep_field_name();
