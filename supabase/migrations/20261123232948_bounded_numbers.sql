SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.list_changes (
  of_kind     text    DEFAULT NULL::text,
  item_like   text    DEFAULT NULL::text,
  of_category text    DEFAULT NULL::text,
  of_mode     text    DEFAULT NULL::text,
  of_size     numeric DEFAULT NULL::numeric,
  before      text    DEFAULT NULL::text,
  most        integer DEFAULT 50
)
  RETURNS TABLE (
    kind           text,
    id             bigint,
    mode           text,
    old_value      text,
    new_value      text,
    change_percent numeric,
    reason         text,
    reason_label   text,
    changed_at     timestamp with time zone,
    evidence_url   text,
    changed_as     text,
    is_seconded    boolean,
    editor_name    text,
    picture        text,
    item_name      text,
    item_slug      text,
    item_image     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  ROWS 50
  SET search_path TO ''
  AS $function$
    with start as (
      select found.changed_at, found.source, substring(before from '\d{1,15}$')::bigint as id
      from (
        -- What went with its item stood where the one before it stands.
        (
          select change.changed_at, 'value' as source from public.item_value_changes as change
          where change.id <= substring(before from '^\d{1,15}$')::bigint order by change.id desc limit 1
        )
        union all
        (
          select change.changed_at, 'demand' from public.item_demand_changes as change
          where change.id <= substring(before from '^d(\d{1,15})$')::bigint order by change.id desc limit 1
        )
      ) as found
    ),
    wanted as (
      select items.id, items.name, items.slug, items.image_url from public.items
      where (item_like is null or position(lower(item_like) in lower(items.name)) > 0)
        and (of_category is null or items.category_id = (select categories.id from public.categories where slug = of_category))
    ),
    made as (
      (
        select 'value' as kind, 'value' as source, change.id, change.mode, change.old_value, change.new_value,
          change.change_percent, change.reason, change.reason_code, change.changed_at, change.evidence_url,
          change.changed_as, change.is_seconded, change.changed_by, change.picture, wanted.name, wanted.slug, wanted.image_url
        from public.item_value_changes as change join wanted on wanted.id = change.item_id
        -- A reading that found the same value again is none.
        where coalesce(change.change_percent <> 0, true)
          and coalesce(of_kind = 'value', true)
          and (of_mode is null or change.mode = of_mode)
          and (of_size is null or abs(change.change_percent) >= of_size)
          and change.changed_at <= coalesce((select start.changed_at from start), 'infinity')
          and (before is null or (change.changed_at, 'value', change.id)
            < (select start.changed_at, start.source, start.id from start))
        order by change.changed_at desc, change.id desc limit least(greatest(most, 0), 1000)
      )
      union all
      (
        select change.kind, 'demand', change.id, null, change.old_word, change.new_word, null, change.reason,
          change.reason_code, change.changed_at, change.evidence_url, change.changed_as, change.is_seconded,
          change.changed_by, change.picture, wanted.name, wanted.slug, wanted.image_url
        from public.item_demand_changes as change join wanted on wanted.id = change.item_id
        where of_mode is null and of_size is null and coalesce(of_kind = change.kind, true)
          and not exists (
            select from public.page_configurations
            where page_name = 'fruit_detail' and not 'demand' = any (visible_fields)
          )
          and change.changed_at <= coalesce((select start.changed_at from start), 'infinity')
          and (before is null or (change.changed_at, 'demand', change.id)
            < (select start.changed_at, start.source, start.id from start))
        order by change.changed_at desc, change.id desc limit least(greatest(most, 0), 1000)
      )
    )
    select made.kind, made.id, made.mode, made.old_value, made.new_value, made.change_percent, made.reason,
      chosen.label, made.changed_at, made.evidence_url, made.changed_as, made.is_seconded, editor_names.name,
      shown.name, made.name, made.slug, made.image_url
    from made
    left join public.value_reasons as chosen on chosen.code = made.reason_code
    left join public.editor_names on editor_names.user_id = made.changed_by
    left join public.change_pictures as shown on shown.name = made.picture
    order by made.changed_at desc, made.source desc, made.id desc limit least(greatest(most, 0), 1000)
  $function$;

CREATE OR REPLACE FUNCTION public.measure_accuracy (
  days integer
)
  RETURNS TABLE (
    category         text,
    trades           integer,
    published_values integer,
    median_error     numeric
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
  $function$;
