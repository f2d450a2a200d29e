-- The range of each value and the site's confidence in it. The rules are defined only here; /method explains them,
-- and docs/product-decisions.md (P130) says why.

-- Data about each priced value: the editor's range, the number of changes and checks in 90 days, how far apart the
-- values of that time lie, and the game update that left it unsettled. For all items, or only the given ones.
create function private.list_known_values(ids uuid[])
  returns table (
    item_id uuid, mode text, value numeric, low numeric, high numeric, age interval, observations integer, spread numeric,
    game_update text, volatile_until timestamptz
  )
  language sql stable
  set search_path = ''
  as $$
    with priced as (
      select items.id, each.*, now() - items.values_checked_at as age
      from public.items, lateral (values
        ('regular', current_value_number, private.parse_value_text(current_low), private.parse_value_text(current_high)),
        ('permanent', permanent_value_number, private.parse_value_text(permanent_low),
          private.parse_value_text(permanent_high))
      ) as each (mode, value, low, high)
      where value is not null and (ids is null or items.id = any (ids))
    ), readings as (
      select change.item_id, change.mode, count(*) as count, min(new_number) as least, max(new_number) as most
      from public.item_value_changes as change
      where changed_at > now() - interval '90 days' and (ids is null or change.item_id = any (ids))
      group by 1, 2
    ), checks as (
      -- Several on one day are one: pressing thrice does not make anyone more confident.
      select item_value_checks.item_id, count(distinct (checked_at at time zone 'UTC')::date) as count
      from public.item_value_checks
      where checked_at > now() - interval '90 days' and (ids is null or item_value_checks.item_id = any (ids))
      group by 1
    ), unsettled as (
      select distinct on (touched.item_id) touched.item_id, game_updates.name, game_updates.volatile_until as until
      from public.game_updates
      join public.game_update_items as touched on touched.update_id = game_updates.id
      where now() >= happened_at and now() < game_updates.volatile_until and (ids is null or touched.item_id = any (ids))
      order by touched.item_id, game_updates.volatile_until desc
    )
    select id, priced.mode, value, low, high, age, (coalesce(readings.count, 0) + coalesce(checks.count, 0))::integer,
      round(coalesce(
        (greatest(value, most, high) - least(value, readings.least, low)) / nullif(value, 0), 0), 4),
      unsettled.name, unsettled.until
    from priced
    left join readings on readings.item_id = id and readings.mode = priced.mode
    left join checks on checks.item_id = id
    left join unsettled on unsettled.item_id = id
  $$;
revoke execute on function private.list_known_values(uuid[]) from public;
grant execute on function private.list_known_values(uuid[]) to anon, authenticated, service_role;

-- The range and confidence of each value. The range is the editor's if there is one. Otherwise it extends to both
-- sides by 5 % of the value, plus 1 % for each whole week since the last check, 25 % at most, rounded outward to a
-- twentieth of the value's power of ten, so that it does not look more exact than it is. While a game update
-- (game-updates.sql) leaves the item unsettled, both are twice as wide. An unpriced value has no range. Confidence:
--   high:   checked within the last 7 days and at least three times in 90 days, and the values found lie within 15 %
--           of the value.
--   low:    not checked for 30 days, or never in the last 90, or the values found lie further apart than half the
--           value, or a game update has just touched the item.
--   medium: everything else.
-- A single query: for a long catalogue a function call per value would cost more than everything else, and so would
-- logarithms.
create function public.list_value_ranges(ids uuid[] default null)
  returns table (
    item_id uuid, mode text, low numeric, high numeric, is_set boolean, confidence text, observations integer,
    spread numeric, game_update text, volatile_until timestamptz
  )
  language sql stable
  set search_path = ''
  as $$
    with widened as (
      select known.*, case when volatile_until is null then 1 else 2 end as widening,
        least(0.25, 0.05 + 0.01 * greatest(0, floor(extract(epoch from age) / 604800))) as margin,
        case
          when value >= 1 then ('1e' || length(trunc(value)::text) - 1)::numeric / 20
          when value > 0 then power(10, floor(log(value))) / 20
        end as step
      from private.list_known_values(ids) as known
    )
    select item_id, mode,
      greatest(0, coalesce(
        value - widening * (value - low), trim_scale(floor(value * (1 - widening * margin) / step) * step), 0)),
      coalesce(
        value + widening * (high - value), trim_scale(ceil(value * (1 + widening * margin) / step) * step), 0),
      low is not null or high is not null,
      case
        when volatile_until is not null or age > interval '30 days' or observations < 1 or spread > 0.5 then 'low'
        when age <= interval '7 days' and observations >= 3 and spread <= 0.15 then 'high'
        else 'medium'
      end,
      observations, spread,
      game_update, volatile_until
    from widened
    order by item_id, mode desc
  $$;
comment on function public.list_value_ranges is
  'Range and confidence of each value, for the given items or all.';
revoke execute on function public.list_value_ranges(uuid[]) from public;
grant execute on function public.list_value_ranges(uuid[]) to anon, authenticated, service_role;
