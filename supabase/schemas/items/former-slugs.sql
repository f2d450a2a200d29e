-- Former slugs of items, so that old links redirect to the item. Written only by the trigger below.
create table public.former_slugs (
  slug text not null primary key,
  item_id uuid not null references public.items (id) on delete cascade,
  left_at timestamptz not null default now()
);
comment on table public.former_slugs is
  'Former slugs of items. An item that has the slug now takes precedence.';

create index former_slugs_item_id_idx on public.former_slugs (item_id);

alter table public.former_slugs enable row level security;
create policy "Everybody sees former slugs" on public.former_slugs
  for select to anon, authenticated
  using (true);

grant select on table public.former_slugs to anon, authenticated;

create function private.keep_former_slug() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from public.former_slugs where slug = new.slug and item_id = new.id;
      insert into public.former_slugs (slug, item_id) values (old.slug, new.id)
      on conflict (slug) do update set item_id = excluded.item_id, left_at = now();
      return null;
    end
  $$;
revoke execute on function private.keep_former_slug() from public;

create trigger items_keep_former_slug
  after update of slug on public.items
  for each row when (old.slug is distinct from new.slug)
  execute function private.keep_former_slug();
