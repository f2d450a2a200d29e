-- Categories, shown as tabs of the values list.
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

grant select on table public.categories to anon, authenticated;
grant insert (slug, name, icon, display_order, updated_at) on table public.categories to authenticated;
grant update (slug, name, icon, display_order, updated_at) on table public.categories to authenticated;
grant delete on table public.categories to authenticated;

create trigger categories_stamp_update
  before insert or update on public.categories
  for each row execute function private.stamp_update();

-- Numbers all categories from 1 in the order of `ids`. Refused if categories were added or deleted meanwhile.
create function public.order_categories(ids uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
    begin
      if not (select private.is_admin()) then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins order categories';
      end if;
      perform from public.categories order by id for update;
      if (select array_agg(id order by id) from public.categories)
        is distinct from (select array_agg(each order by each) from unnest(ids) as each)
      then
        raise exception using
          errcode = 'PT409', message = 'There are other categories by now. Please move this one again.';
      end if;
      update public.categories set display_order = wanted.place
      from unnest(ids) with ordinality as wanted (id, place)
      where categories.id = wanted.id and categories.display_order <> wanted.place;
    end
  $$;
revoke all on function public.order_categories(uuid[]) from public, anon;
grant execute on function public.order_categories(uuid[]) to authenticated, service_role;

-- The catalogue. A value is stored as the text that admins type ('100M') and as its number. Lists are sorted by the
-- number, since the text '9M' would sort after '100M'. A null number means unpriced.

-- Custom fields: an object with keys custom_… and scalar values.
create function private.is_custom_fields(fields jsonb) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select case when jsonb_typeof(fields) = 'object' then not exists (
      select from jsonb_each(fields) as field
      where field.key !~ '^custom_\S{1,50}$' or jsonb_typeof(field.value) not in ('string', 'number', 'boolean')
    ) else false end
  $$;

-- Whether a value lies within an editor's bounds, either of which may be null. No value satisfies a bound that is not
-- a number.
create function private.is_within(value text, low text, high text) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select (low is null or coalesce(private.parse_value_text(low) <= private.parse_value_text(value), false))
      and (high is null or coalesce(private.parse_value_text(high) >= private.parse_value_text(value), false))
  $$;

create table public.items (
  id uuid not null primary key default gen_random_uuid(),
  name text not null
    constraint items_name_has_1_to_100_characters
    check (char_length(name) <= 100 and private.trim_text(name) <> ''),
  slug text not null unique
    constraint items_slug_has_1_to_100_characters check (char_length(slug) between 1 and 100)
    constraint items_slug_has_only_lowercase_letters_digits_and_hyphens check (slug ~ '^[a-z0-9-]+$'),
  aliases text not null default ''
    constraint items_aliases_have_at_most_300_characters check (char_length(aliases) <= 300),
  category_id uuid references public.categories (id) on delete restrict,
  image_url text
    constraint items_image_url_has_at_most_2048_characters check (char_length(image_url) <= 2048)
    constraint items_image_url_is_a_web_address check (image_url ~ '^(https?://|/)'),
  rarity text not null default 'common'
    constraint items_rarity_is_known check (rarity in ('common', 'uncommon', 'rare', 'legendary', 'mythical')),
  demand text not null default 'medium'
    constraint items_demand_is_known check (demand in ('low', 'medium', 'high', 'very_high')),
  status text references public.status_words (word) on update cascade on delete restrict
    constraint items_status_has_at_most_20_characters check (char_length(status) <= 20),
  type text not null default 'fruit'
    constraint items_type_is_known
    check (type in ('fruit', 'gamepass', 'item', 'material', 'weapon', 'accessory')),
  is_permanent boolean not null default false,
  current_value text not null default '0'
    constraint items_current_value_has_1_to_20_characters
    check (char_length(current_value) <= 20 and private.trim_text(current_value) <> ''),
  previous_value text not null default '0'
    constraint items_previous_value_has_1_to_20_characters
    check (char_length(previous_value) <= 20 and private.trim_text(previous_value) <> ''),
  permanent_value text
    constraint items_permanent_value_has_at_most_20_characters check (char_length(permanent_value) <= 20),
  permanent_previous_value text
    constraint items_permanent_previous_value_has_at_most_20_characters
    check (char_length(permanent_previous_value) <= 20),
  current_low text
    constraint items_current_low_has_at_most_20_characters check (char_length(current_low) <= 20),
  current_high text
    constraint items_current_high_has_at_most_20_characters check (char_length(current_high) <= 20),
  permanent_low text
    constraint items_permanent_low_has_at_most_20_characters check (char_length(permanent_low) <= 20),
  permanent_high text
    constraint items_permanent_high_has_at_most_20_characters check (char_length(permanent_high) <= 20),
  beli_price text
    constraint items_beli_price_has_at_most_20_characters check (char_length(beli_price) <= 20),
  robux_price text
    constraint items_robux_price_has_at_most_20_characters check (char_length(robux_price) <= 20),
  current_value_number numeric generated always as (private.parse_value_text(current_value)) stored,
  previous_value_number numeric generated always as (private.parse_value_text(previous_value)) stored,
  permanent_value_number numeric generated always as (private.parse_value_text(permanent_value)) stored,
  permanent_previous_value_number numeric
    generated always as (private.parse_value_text(permanent_previous_value)) stored,
  beli_price_number numeric generated always as (private.parse_value_text(beli_price)) stored,
  robux_price_number numeric generated always as (private.parse_value_text(robux_price)) stored,
  custom_fields jsonb not null default '{}'
    constraint items_custom_fields_have_custom_keys_and_plain_values check (private.is_custom_fields(custom_fields))
    constraint items_custom_fields_have_at_most_10000_characters check (char_length(custom_fields::text) <= 10000),
  values_checked_at timestamptz not null default now(),
  change_reason text
    constraint items_change_reason_has_at_most_200_characters check (char_length(change_reason) <= 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint items_current_value_is_within_its_range
    check (private.is_within(current_value, current_low, current_high)),
  constraint items_permanent_value_is_within_its_range
    check (private.is_within(permanent_value, permanent_low, permanent_high))
);
comment on table public.items is 'The catalogue of tradable items with their values.';
comment on column public.items.aliases is
  'Other names among players, separated by commas; searched along with the name.';
comment on column public.items.permanent_value is 'Null when the item has no permanent value.';
comment on column public.items.current_low is
  'The lower end of the editor''s range; if null, list_value_ranges estimates a range.';
comment on column public.items.current_value_number is 'current_value as a number; null if unpriced.';
comment on column public.items.values_checked_at is
  'When the values were last changed or confirmed. Insert into item_value_checks to update it.';
comment on column public.items.change_reason is
  'Write-only: sent along with a changed value, it is stored with the change in item_value_changes.';

-- One index per sort order of the list: unpriced last, ties sorted by name.
create index items_current_value_number_idx on public.items (current_value_number desc nulls last, name);
create index items_permanent_value_number_idx on public.items (permanent_value_number desc nulls last, name);
create index items_name_idx on public.items (name);
create index items_status_idx on public.items (status);
create index items_category_id_idx on public.items (category_id);

-- For checking whether an item still uses an image (storage.sql, avatars.sql). By hash, since an address may be longer
-- than an ordered index takes.
create index items_image_url_idx on public.items using hash (image_url);

alter table public.items enable row level security;
create policy "Everybody sees items" on public.items
  for select to anon, authenticated
  using (true);

create policy "Admins add items" on public.items
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change items" on public.items
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins delete items" on public.items
  for delete to authenticated
  using ((select private.is_admin()));

grant select on table public.items to anon, authenticated;

-- Excludes values_checked_at: a check is a row of item_value_checks, which records who checked.
grant insert (
  name, slug, aliases, category_id, image_url, rarity, demand, status, type, is_permanent, current_value, previous_value,
  permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high, beli_price,
  robux_price, custom_fields, change_reason, updated_at
) on table public.items to authenticated;
grant update (
  name, slug, aliases, category_id, image_url, rarity, demand, status, type, is_permanent, current_value, previous_value,
  permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high, beli_price,
  robux_price, custom_fields, change_reason, updated_at
) on table public.items to authenticated;
grant delete on table public.items to authenticated;

create trigger items_stamp_insert
  before insert on public.items
  for each row execute function private.stamp_update();

-- The foreign key would refuse this too, but with a message that only a developer understands.
create function private.keep_used_category() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      count integer := (select count(*) from public.items where category_id = old.id);
    begin
      if count > 0 then
        raise exception using
          errcode = 'foreign_key_violation',
          message = format('The category %s still has %s; move or delete them first', old.name,
            case count when 1 then '1 item' else count || ' items' end);
      end if;
      return old;
    end
  $$;

create trigger categories_keep_used_category
  before delete on public.categories
  for each row execute function private.keep_used_category();

-- Keeps the names and aliases of items among the chat's known words.
create function private.learn_item_names() returns void
  language plpgsql
  set search_path = ''
  as $$
    begin
      insert into private.vocabularies (language, checksum) values ('items', '') on conflict do nothing;
      delete from private.known_words where language = 'items';
      perform private.add_words('items', array(
        select distinct word || ending
        from public.items,
          regexp_split_to_table(private.plain_text(items.name || ' ' || items.aliases), '[^a-z]+') as word,
          unnest('{"",s}'::text[]) as ending
        where length(word) >= 2
      ), 'trade', with_slips => true);
    end
  $$;
revoke execute on function private.learn_item_names() from public;

create function private.learn_items() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.learn_item_names();
      return null;
    end
  $$;
revoke execute on function private.learn_items() from public;

create trigger items_learn_items
  after insert or delete or truncate on public.items
  for each statement execute function private.learn_items();

create trigger items_learn_renamed_items
  after update of name, aliases on public.items
  for each statement execute function private.learn_items();
