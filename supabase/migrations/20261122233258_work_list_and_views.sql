SET local check_function_bodies = off;

DROP FUNCTION "private"."work_score"(numeric, integer, numeric, boolean);

DROP FUNCTION "public"."list_work"(integer);

CREATE TABLE "private"."item_views" (
  "item_id"   uuid   NOT NULL,
  "viewed_on" date   NOT NULL,
  "views"     bigint NOT NULL,
  CONSTRAINT "item_views_pkey" PRIMARY KEY (item_id, viewed_on)
);

CREATE OR REPLACE FUNCTION private.add_item_views (
  slugs  text[],
  counts bigint[]
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    insert into private.item_views as known (item_id, viewed_on, views)
    select items.id, (now() at time zone 'UTC')::date, sum(count)
    from unnest(slugs, counts) as counted (slug, count)
    join public.items on items.slug = counted.slug
    group by items.id order by items.id
    on conflict (item_id, viewed_on) do update set views = known.views + excluded.views
  $function$;

CREATE OR REPLACE FUNCTION private.count_item_traders()
  RETURNS TABLE (
    item_id uuid,
    traders integer
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
  $function$;

CREATE OR REPLACE FUNCTION private.forget_item_views()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    delete from private.item_views where viewed_on < (now() at time zone 'UTC')::date - 6
  $function$;

CREATE OR REPLACE FUNCTION private.list_known_values (
  ids uuid[]
)
  RETURNS TABLE (
    item_id        uuid,
    mode           text,
    value          numeric,
    low            numeric,
    high           numeric,
    age            interval,
    observations   integer,
    spread         numeric,
    game_update    text,
    volatile_until timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
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
      select item_value_checks.item_id, count(*) as count
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
  $function$;

CREATE OR REPLACE FUNCTION private.parse_value_text (
  value text
)
  RETURNS numeric
  LANGUAGE plpgsql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    declare
      parts text[];
      number numeric;
    begin
      -- As editors write nearly all of them, and lists of the whole catalogue read thousands.
      if value ~ '^[0-9]{1,15}(\.[0-9]{1,6})?[KMBT]?$' then
        return trim_scale(rtrim(value, 'KMBT')::numeric
          * case right(value, 1) when 'K' then 1e3 when 'M' then 1e6 when 'B' then 1e9 when 'T' then 1e12 else 1 end);
      end if;
      -- No column holds more than 20 characters; a longer text is not worth a parse.
      if char_length(value) > 400 then
        return null;
      end if;
      parts := regexp_match(
        private.trim_text(value),
        '^((?:[0-9]{1,3}(?:[, \u00a0\u202f][0-9]{3})+|[0-9]+)?(?:\.[0-9]+)?)[ \u00a0\u202f]*([KMBTkmbt])?$'
      );
      if parts is null or parts[1] = '' then
        return null;
      end if;
      number := regexp_replace(parts[1], '[, \u00a0\u202f]', '', 'g')::numeric
        * case lower(parts[2]) when 'k' then 1e3 when 'm' then 1e6 when 'b' then 1e9 when 't' then 1e12 else 1 end;
      -- Beyond what a number in the browser can be.
      return case when number < 1.7976931348623158e308 then trim_scale(number) end;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.list_value_ranges (
  ids uuid[] DEFAULT NULL::uuid[]
)
  RETURNS TABLE (
    item_id        uuid,
    mode           text,
    low            numeric,
    high           numeric,
    is_set         boolean,
    confidence     text,
    observations   integer,
    spread         numeric,
    game_update    text,
    volatile_until timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    with widened as (
      select known.*, case when volatile_until is null then 1 else 2 end as widening,
        private.default_margin(age) as margin, case when value > 0 then power(10, floor(log(value))) / 20 end as step
      from private.list_known_values(ids) as known
    )
    select item_id, mode,
      greatest(0, coalesce(
        value - widening * (value - low), trim_scale(floor(value * (1 - widening * margin) / step) * step), 0)),
      coalesce(
        value + widening * (high - value), trim_scale(ceil(value * (1 + widening * margin) / step) * step), 0),
      low is not null or high is not null,
      private.value_confidence(age, observations, spread, volatile_until is not null), observations, spread,
      game_update, volatile_until
    from widened
    order by item_id, mode desc
  $function$;

CREATE OR REPLACE FUNCTION public.list_work (
  most integer DEFAULT 30
)
  RETURNS TABLE (
    item_id     uuid,
    score       numeric,
    weeks       numeric,
    traders     integer,
    views       integer,
    spread      numeric,
    game_update text,
    waiting     integer,
    due         integer
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
  $function$;

REVOKE ALL ON FUNCTION "public"."list_work"(integer) FROM PUBLIC, "anon";

ALTER TABLE "private"."item_views"
  ADD CONSTRAINT "item_views_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

COMMENT ON FUNCTION "public"."list_work"(integer) IS 'What editors look at first, with why; counts of trades, never whose.';

COMMENT ON TABLE "private"."item_views" IS 'How often each item''s page was opened on a day, in UTC.';

REVOKE ALL ON FUNCTION "private"."add_item_views"(text[], bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_item_views"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."list_known_values"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_known_values"(uuid[]) TO "anon", "authenticated", "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_work"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "service_role";
