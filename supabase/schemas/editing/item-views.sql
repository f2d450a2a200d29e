-- Daily page views per item: counts only, with nothing about the visitors. They help rank the editors' work list, are
-- kept for seven days, and are read by nothing else (P160).
create table private.item_views (
  item_id uuid not null references public.items (id) on delete cascade,
  viewed_on date not null,
  views bigint not null,
  primary key (item_id, viewed_on)
);
comment on table private.item_views is 'How often each item''s page was opened on a day, in UTC.';

-- Adds what a process counted since its last call. Rows are written in id order, so that concurrent calls do not
-- deadlock.
create function private.add_item_views(slugs text[], counts bigint[]) returns void
  language sql
  set search_path = ''
  as $$
    insert into private.item_views as known (item_id, viewed_on, views)
    select items.id, (now() at time zone 'UTC')::date, sum(count)
    from unnest(slugs, counts) as counted (slug, count)
    join public.items on items.slug = counted.slug
    group by items.id order by items.id
    on conflict (item_id, viewed_on) do update set views = known.views + excluded.views
  $$;
revoke execute on function private.add_item_views(text[], bigint[]) from public;

create function private.forget_item_views() returns void
  language sql
  set search_path = ''
  as $$
    delete from private.item_views where viewed_on < (now() at time zone 'UTC')::date - 6
  $$;
revoke execute on function private.forget_item_views() from public;
