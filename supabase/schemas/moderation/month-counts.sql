-- Public statistics of moderation. Counts below five are left out, since they might identify a person.
create function public.count_moderation()
  returns table (month date, reports integer, acted_on integer, median_minutes integer, appeals integer, appeals_granted integer)
  language sql stable security definer
  set search_path = ''
  as $$
    with months as (
      select date_trunc('month', now() at time zone 'UTC') - make_interval(months => ago) as month
      from generate_series(0, 11) as ago
    ),
    span as (select min(month) at time zone 'UTC' as start from months),
    counted as (
      select date_trunc('month', created_at at time zone 'UTC') as month, count(*) as reports,
        count(*) filter (where outcome = 'acted') as acted_on, count(resolved_at) as resolved,
        percentile_cont(0.5) within group (order by extract(epoch from resolved_at - created_at) / 60) as minutes
      from public.reports where reporter_id is not null and created_at >= (select start from span) group by 1
    ),
    appealed as (
      select date_trunc('month', created_at at time zone 'UTC') as month, count(*) as appeals,
        count(*) filter (where granted) as granted
      from public.appeals where created_at >= (select start from span) group by 1
    )
    select months.month::date, nullif(greatest(counted.reports, 4), 4)::integer,
      nullif(greatest(counted.acted_on, 4), 4)::integer,
      case when counted.resolved >= 5 then ceil(counted.minutes)::integer end,
      nullif(greatest(appealed.appeals, 4), 4)::integer, nullif(greatest(appealed.granted, 4), 4)::integer
    from months
    left join counted on counted.month = months.month
    left join appealed on appealed.month = months.month
    order by months.month desc
  $$;
comment on function public.count_moderation() is
  'Reports and their outcomes in each of the last twelve months; null for fewer than five.';
revoke execute on function public.count_moderation() from public;
grant execute on function public.count_moderation() to anon, authenticated, service_role;
