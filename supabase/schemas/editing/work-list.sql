-- The editors' work list, ranked by stale × viewed × traded × disagreement. The formula is defined only here, so that
-- the screen can say why an item comes first (P140).

-- Items that an editor skipped for now. They stay on the other editors' lists.
create table public.work_skips (
  editor_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  item_id uuid not null references public.items (id) on delete cascade,
  skipped_on date not null default (now() at time zone 'UTC')::date,
  skipped_at timestamptz not null default now(),
  primary key (editor_id, item_id, skipped_on)
);
comment on table public.work_skips is 'Items that an editor skipped for now, and when.';

create index work_skips_item_id_idx on public.work_skips (item_id);

alter table public.work_skips enable row level security;
create policy "Editors see the items that they skipped" on public.work_skips
  for select to authenticated
  using (editor_id = (select auth.uid()) and (select private.is_editor()));

create policy "Editors skip items in their own name" on public.work_skips
  for insert to authenticated
  with check (editor_id = (select auth.uid()) and (select private.is_editor()));

create policy "Editors undo their own skips" on public.work_skips
  for delete to authenticated
  using (editor_id = (select auth.uid()) and (select private.is_editor()));

grant select, delete, insert (editor_id, item_id) on table public.work_skips to authenticated;

-- How many users have a saved trade of the last 30 days with each item. Each user counts once no matter how often
-- they save, so that nobody can move the list by saving. In a busy month only the latest 5,000 trades are counted,
-- since editors wait for this query.
create function private.count_item_traders() returns table (item_id uuid, traders integer)
  language sql stable security definer
  set search_path = ''
  as $$
    select id, count(*)::integer
    from (
      select distinct user_id, (entry ->> 'id')::uuid as id
      from (
        select user_id, your_items || their_items as entries from public.trade_history
        where version = 1 and created_at > now() - interval '30 days'
        order by created_at desc limit 5000
      ) as latest, jsonb_array_elements(entries) as entry
    ) as held
    group by 1
  $$;
revoke execute on function private.count_item_traders() from public;

-- What the caller should look at first, with the parts of its score: the weeks since the last check, times
--   1 + ln(1 + traders): how many users trade it; logarithmic, so that the tenth weighs less than the first,
--   1 + log10(1 + views): page views in seven days; they cost visitors nothing, so they weigh less,
--   1 + spread, at most 2: how far apart the values of 90 days lie (private.list_known_values),
--   2 if an update of the game left it unsettled.
-- Ranks the whole catalogue on each call, so it is a single query: a function call per item would cost more than
-- everything else combined. Items that were checked within the last day, that the caller skipped within the last day,
-- or for which a proposal of the caller waits for a second person are not due. `due` counts all due items, including
-- those beyond the returned rows.
create function public.list_work(most integer default 30)
  returns table (
    item_id uuid, score numeric, weeks numeric, traders integer, views integer, spread numeric, game_update text,
    waiting integer, due integer
  )
  language plpgsql stable security definer
  set search_path = ''
  as $$
    #variable_conflict use_column
    begin
      perform private.require_editor();
      return query
        with known as (
          select item_id, max(spread) as spread, max(game_update) as game_update
          from private.list_known_values(null) group by 1
        ), viewed as (
          select item_id, sum(views) as views from private.item_views
          where viewed_on >= (now() at time zone 'UTC')::date - 6 group by 1
        ), parts as (
          select items.id, items.name, date_part('epoch', now() - items.values_checked_at) / 604800 as weeks,
            coalesce(traded.traders, 0) as traders, coalesce(viewed.views, 0)::float8 as views,
            coalesce(known.spread, 0) as spread, known.game_update
          from public.items
          left join known on known.item_id = items.id
          left join viewed on viewed.item_id = items.id
          left join private.count_item_traders() as traded on traded.item_id = items.id
          where items.values_checked_at < now() - interval '1 day' and not exists (
            select from public.work_skips as skip
            where skip.item_id = items.id and skip.editor_id = (select auth.uid())
              and skip.skipped_at > now() - interval '1 day'
          ) and not exists (
            select from public.value_proposals as mine
            where mine.item_id = items.id and mine.proposed_by = (select auth.uid()) and mine.state = 'waiting'
          )
        ), first as (
          select parts.*, count(*) over ()::integer as due,
            weeks * (1 + ln(1 + traders::float8)) * (1 + log(1 + views)) * (1 + least(spread::float8, 1))
              * case when game_update is null then 1 else 2 end as score
          from parts order by score desc, name, id limit least(greatest(list_work.most, 1), 200)
        )
        select id, round(score::numeric, 3), round(weeks::numeric, 2), traders, least(views, 2147483647)::integer, spread,
          game_update, (select count(*)::integer from public.value_proposals as proposal
            where proposal.item_id = first.id and proposal.state = 'waiting'),
          due
        from first
        order by score desc, name, id;
    end
  $$;
comment on function public.list_work is 'Items that most need a check, with the parts of their score. Trades are only counted, never attributed.';
revoke execute on function public.list_work(integer) from public, anon;
grant execute on function public.list_work(integer) to authenticated;

-- What each editor did since a given moment, the start of the caller's day: items confirmed as still right, values
-- changed (or proposed), items skipped. Always includes the caller, even with nothing done.
create function public.list_editor_days(since timestamptz)
  returns table (editor_id uuid, username text, checked integer, changed integer, skipped integer)
  language plpgsql stable security definer
  set search_path = ''
  as $$
    #variable_conflict use_column
    declare
      beginning constant timestamptz := greatest(since, now() - interval '2 days');
    begin
      perform private.require_editor();
      return query
        with acts as (
          select distinct 'checked' as act, checked_by as person, item_id::text as subject
          from public.item_value_checks where checked_at >= beginning
          union all
          select 'changed', proposed_by, id::text from public.value_proposals
          where proposed_at >= beginning and state in ('waiting', 'approved', 'published')
          union all
          select distinct 'skipped', skip.editor_id, skip.item_id::text
          from public.work_skips as skip where skipped_at >= beginning
        )
        select person.id, person.username, count(*) filter (where act = 'checked')::integer,
          count(*) filter (where act = 'changed')::integer, count(*) filter (where act = 'skipped')::integer
        from public.profiles as person
        left join acts on acts.person = person.id
        where person.id = (select auth.uid()) or acts.person is not null
        group by 1, 2
        order by person.id <> (select auth.uid()), person.username;
    end
  $$;
comment on function public.list_editor_days is 'What each editor did since a given time; for editors.';
revoke execute on function public.list_editor_days(timestamptz) from public, anon;
grant execute on function public.list_editor_days(timestamptz) to authenticated;
