-- Public history of changes: values, demand and status in one list, with the public name of editors who chose one
-- (P150, P152).

-- The newest changes, or those before a given one: `before` is the id of a value change, or the id of a demand or
-- status change prefixed with d. Mode and size filters apply only to value changes. Words that the items' pages hide
-- are left out here too.
create function public.list_changes(
  of_kind text default null, item_like text default null, of_category text default null, of_mode text default null,
  of_size numeric default null, before text default null, most integer default 50
)
  returns table (
    kind text, id bigint, mode text, old_value text, new_value text, change_percent numeric, reason text,
    reason_label text, changed_at timestamptz, evidence_url text, changed_as text, is_seconded boolean,
    editor_name text, picture text, item_name text, item_slug text, item_image text
  )
  language sql stable security definer rows 50
  set search_path = ''
  as $$
    with start as (
      select found.changed_at, found.source, substring(before from '\d{1,15}$')::bigint as id
      from (
        -- A change that was deleted with its item is replaced by the one before it.
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
        -- Readings that confirmed the same value are not changes.
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
  $$;
comment on function public.list_changes is 'Public changes of values, demand and status, newest first.';
revoke execute on function public.list_changes(text, text, text, text, numeric, text, integer) from public;
grant execute on function public.list_changes(text, text, text, text, numeric, text, integer)
  to anon, authenticated, service_role;

-- The changes of an item that are signed with a public name, and those that have a public picture.
create function public.list_item_sources(of_item uuid)
  returns table (kind text, id bigint, editor_name text, picture text)
  language sql stable security definer
  set search_path = ''
  as $$
    select made.kind, made.id, editor_names.name, shown.name
    from (
      select 'value' as kind, change.id, change.changed_by, change.picture
      from public.item_value_changes as change where change.item_id = of_item
      union all
      select change.kind, change.id, change.changed_by, change.picture
      from public.item_demand_changes as change where change.item_id = of_item
    ) as made
    left join public.editor_names on editor_names.user_id = made.changed_by
    left join public.change_pictures as shown on shown.name = made.picture
    where editor_names.name is not null or shown.name is not null
  $$;
comment on function public.list_item_sources is
  'Public names of the editors who changed an item, if they chose one, and evidence pictures.';
revoke execute on function public.list_item_sources(uuid) from public;
grant execute on function public.list_item_sources(uuid) to anon, authenticated, service_role;
