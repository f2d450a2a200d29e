-- How close published values were to the prices paid later. Uses only confirmed trades, which both sides said took
-- place. Nothing on the site confirms trades yet, so the table is empty and measure_accuracy returns no rows; saved
-- trades are hypothetical and do not count.
create table private.confirmed_values (
  id bigint not null generated always as identity primary key,
  item_id uuid not null references public.items (id) on delete cascade,
  mode text not null constraint confirmed_values_mode_is_known check (mode in ('regular', 'permanent')),
  value numeric not null constraint confirmed_values_value_is_above_0 check (value > 0),
  confirmed_at timestamptz not null default now()
);
comment on table private.confirmed_values is 'Prices of items in confirmed trades.';

create index confirmed_values_item_id_idx on private.confirmed_values (item_id, mode, confirmed_at);

-- By category: the values as published the given number of days ago against the median of the prices confirmed since.
-- `median_error` is the median of the differences in percent of the price paid; null below 20 trades, which are too
-- few for a result.
create function public.measure_accuracy(days integer)
  returns table (category text, trades integer, published_values integer, median_error numeric)
  language sql stable security definer
  set search_path = ''
  as $$
    with published as (
      select distinct on (item_id, mode) item_id, mode, new_number as value
      from public.item_value_changes
      where changed_at <= now() - least(greatest(days, 0), 36500) * interval '1 day'
      order by item_id, mode, changed_at desc, id desc
    ), traded as (
      select item_id, mode, count(*) as trades, percentile_cont(0.5) within group (order by value::double precision) as median
      from private.confirmed_values
      where confirmed_at > now() - least(greatest(days, 0), 36500) * interval '1 day' and confirmed_at <= now()
      group by item_id, mode
    ), errors as (
      select coalesce(categories.name, 'Other') as category, trades, abs(published.value - median) / median as error
      from traded
      join published using (item_id, mode)
      join public.items on items.id = item_id
      left join public.categories on categories.id = category_id
      where published.value is not null
    )
    select category, sum(trades)::integer, count(*)::integer,
      case when sum(trades) >= 20 then
        round((100 * percentile_cont(0.5) within group (order by error::double precision))::numeric, 1)
      end
    from errors group by category order by category
  $$;
comment on function public.measure_accuracy is 'How far the values of the given number of days ago were from the confirmed trades since.';
revoke execute on function public.measure_accuracy(integer) from public;
grant execute on function public.measure_accuracy(integer) to anon, authenticated, service_role;
