-- The fields of the item form: the eight standard ones, and the custom ones that admins define. The browser keeps a
-- copy under adminFieldConfig; this table wins, so that a second admin or browser has the same fields.

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

insert into public.field_definitions (display_order, name, label, type, required, options)
values
  (1, 'name', 'Name', 'text', true, '{}'),
  (2, 'slug', 'Slug', 'text', false, '{}'),
  (3, 'category_id', 'Category', 'select', true, '{}'),
  (4, 'rarity', 'Rarity', 'select', false, '{common,uncommon,rare,legendary,mythical}'),
  (5, 'type', 'Type', 'select', false, '{fruit,gamepass,item,material,weapon,accessory}'),
  (6, 'demand', 'Demand', 'select', false, '{low,medium,high,very_high}'),
  (7, 'current_value', 'Current Value', 'text', false, '{}'),
  (8, 'previous_value', 'Previous Value', 'text', false, '{}');

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

-- What items hold in a removed field stays there, and comes back with it.
create policy "Admins delete custom fields" on public.field_definitions
  for delete to authenticated
  using (starts_with(name, 'custom_') and (select private.is_admin()));

revoke all on table public.field_definitions from anon, authenticated;
grant select on table public.field_definitions to anon, authenticated;
grant insert (name, label, type, options, visible, required, display_order, updated_at)
  on table public.field_definitions to authenticated;
grant update (name, label, type, options, visible, required, display_order, updated_at)
  on table public.field_definitions to authenticated;
grant delete on table public.field_definitions to authenticated;
grant all on table public.field_definitions to service_role;

create trigger field_definitions_stamp_update
  before insert or update on public.field_definitions
  for each row execute function private.stamp_update();

-- The update grant covers name, because an upsert writes it; renaming would part a field from what items hold in it.
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
