SET local check_function_bodies = off;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "old_low" text;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "old_high" text;

ALTER TABLE "public"."items"
  ADD COLUMN "current_low" text;

ALTER TABLE "public"."items"
  ADD COLUMN "current_high" text;

ALTER TABLE "public"."items"
  ADD COLUMN "permanent_low" text;

ALTER TABLE "public"."items"
  ADD COLUMN "permanent_high" text;

CREATE OR REPLACE FUNCTION private.default_margin (
  age interval
)
  RETURNS numeric
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO ''
  AS $function$
    select least(0.25, 0.05 + 0.01 * greatest(0, floor(extract(epoch from age) / 604800)))
  $function$;

CREATE OR REPLACE FUNCTION private.follow_item()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      context constant jsonb := private.read_change_context();
      changed_by constant uuid := (
        select id from public.profiles
        where id = case when context ? 'changed_by' then (context ->> 'changed_by')::uuid else (select auth.uid()) end
      );
      regular_changed constant boolean :=
        old.current_value_number is distinct from private.parse_value_text(new.current_value);
      permanent_changed constant boolean :=
        old.permanent_value_number is distinct from private.parse_value_text(new.permanent_value);
      reason constant text := nullif(private.trim_text(new.change_reason), '');
      written_previous constant text := coalesce(current_setting('private.written_previous', true), '');
      restored_check constant timestamptz := nullif(current_setting('private.restored_check', true), '');
    begin
      perform set_config('private.written_previous', '', true);
      if regular_changed and strpos(written_previous, 'regular') = 0 then
        new.previous_value := old.current_value;
      end if;
      if permanent_changed and strpos(written_previous, 'permanent') = 0 then
        new.permanent_previous_value := old.permanent_value;
      end if;
      -- A range that was set around the old value, and is not written with the new one, goes unless it holds that too.
      if regular_changed
        and (new.current_low, new.current_high) is not distinct from (old.current_low, old.current_high)
        and not private.is_within(new.current_value, new.current_low, new.current_high)
      then
        new.current_low := null;
        new.current_high := null;
      end if;
      if permanent_changed
        and (new.permanent_low, new.permanent_high) is not distinct from (old.permanent_low, old.permanent_high)
        and not private.is_within(new.permanent_value, new.permanent_low, new.permanent_high)
      then
        new.permanent_low := null;
        new.permanent_high := null;
      end if;

      insert into public.item_value_changes (
        item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_low, old_high,
        old_checked_at, reason, changed_by, reason_code, evidence_url, changed_as, is_seconded
      )
      select old.id, change.*, old.values_checked_at, reason, changed_by,
        context ->> 'reason_code', context ->> 'evidence_url',
        coalesce(context ->> 'changed_as', case when (select private.is_admin()) then 'admin' end),
        coalesce((context ->> 'is_seconded')::boolean, false)
      from (
        select 'regular', old.current_value, new.current_value, old.previous_value, new.previous_value,
          old.current_low, old.current_high
        where regular_changed
        union all
        select 'permanent', old.permanent_value, new.permanent_value,
          old.permanent_previous_value, new.permanent_previous_value, old.permanent_low, old.permanent_high
        where permanent_changed
      ) as change;

      -- A check moves values_checked_at alone, which nobody else may write: that is no edit.
      if restored_check is not null then
        new.values_checked_at := restored_check;
      elsif regular_changed or permanent_changed then
        new.values_checked_at := now();
      elsif new.values_checked_at is distinct from old.values_checked_at then
        new.updated_at := old.updated_at;
        return new;
      end if;
      new.change_reason := null;
      new.updated_at := now();
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.is_within (
  value text,
  low   text,
  high  text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO ''
  AS $function$
    select (low is null or coalesce(private.parse_value_text(low) <= private.parse_value_text(value), false))
      and (high is null or coalesce(private.parse_value_text(high) >= private.parse_value_text(value), false))
  $function$;

CREATE OR REPLACE FUNCTION private.restore_item (
  before public.items,
  reason text
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform set_config('private.restored_check', before.values_checked_at::text, true);
      perform set_config(
        'private.change_context', (private.read_change_context() || '{"reason_code": "undo"}')::text, true);
      return query
        update public.items set
          name = before.name, slug = before.slug, aliases = coalesce(before.aliases, items.aliases),
          category_id = before.category_id, image_url = before.image_url,
          rarity = before.rarity, demand = before.demand, type = before.type, is_permanent = before.is_permanent,
          current_value = before.current_value, previous_value = before.previous_value,
          permanent_value = before.permanent_value, permanent_previous_value = before.permanent_previous_value,
          current_low = before.current_low, current_high = before.current_high,
          permanent_low = before.permanent_low, permanent_high = before.permanent_high,
          beli_price = before.beli_price, robux_price = before.robux_price, custom_fields = before.custom_fields,
          change_reason = restore_item.reason
        where items.id = before.id
        returning items.*;
      perform set_config('private.restored_check', '', true);
      perform set_config('private.change_context', '', true);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.value_confidence (
  age          interval,
  observations integer,
  spread       numeric
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO ''
  AS $function$
    select case
      when age > interval '30 days' or observations < 1 or spread > 0.5 then 'low'
      when age <= interval '7 days' and observations >= 3 and spread <= 0.15 then 'high'
      else 'medium'
    end
  $function$;

CREATE OR REPLACE FUNCTION public.import_items (
  changes   jsonb,
  reason    text  DEFAULT NULL::text,
  import_id uuid  DEFAULT gen_random_uuid()
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      stale text;
      before jsonb;
      changed public.items[];
      added public.items[];
      written public.items[];
    begin
      if row_security_active('public.items') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins import items';
      end if;
      if jsonb_array_length(changes) > 5000 then
        raise exception using
          errcode = 'check_violation', message = 'Too many items at once: at most 5000';
      end if;

      -- In one order for everybody, so that two imports wait for each other and never for themselves.
      perform from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(changes) as element)
        order by id for update;
      select string_agg(coalesce(items.name, expected.name, expected.id::text), ', ' order by items.name) into stale
        from jsonb_to_recordset(changes) as expected (id uuid, updated_at timestamptz, name text)
        left join public.items on items.id = expected.id
        where expected.id is not null and items.updated_at is distinct from expected.updated_at;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by someone else in the meantime: %s', left(stale, 300)),
          hint = 'Nothing was imported. Choose the file again to compare it with what is there now.';
      end if;
      select coalesce(jsonb_object_agg(items.id, to_jsonb(items)), '{}') into before from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(changes) as element);

      with changed as (
        update public.items set
          name = change.name, slug = change.slug, aliases = coalesce(change.aliases, items.aliases),
          category_id = change.category_id, image_url = change.image_url,
          rarity = change.rarity, demand = change.demand, type = change.type, is_permanent = change.is_permanent,
          current_value = change.current_value,
          -- A whole item says nothing of what was meant: a previous value that it leaves as it is follows.
          previous_value = case
            when change.previous_value = items.previous_value
              and private.parse_value_text(change.current_value) is distinct from items.current_value_number
            then items.current_value else change.previous_value end,
          permanent_value = change.permanent_value,
          permanent_previous_value = case
            when change.permanent_previous_value is not distinct from items.permanent_previous_value
              and private.parse_value_text(change.permanent_value) is distinct from items.permanent_value_number
            then items.permanent_value else change.permanent_previous_value end,
          current_low = change.current_low, current_high = change.current_high,
          permanent_low = change.permanent_low, permanent_high = change.permanent_high,
          beli_price = change.beli_price, robux_price = change.robux_price, custom_fields = change.custom_fields,
          change_reason = import_items.reason
        from jsonb_populate_recordset(null::public.items, changes) as change
        where items.id = change.id
        returning items as item
      )
      select array_agg(item) into changed from changed as done;

      with added as (
        insert into public.items (
          name, slug, aliases, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high,
          beli_price, robux_price, custom_fields, change_reason
        )
        select
          name, slug, coalesce(aliases, ''), category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high,
          beli_price, robux_price, custom_fields, import_items.reason
        from jsonb_populate_recordset(null::public.items, changes)
        where id is null
        returning items as item
      )
      select array_agg(item) into added from added as done;

      written := coalesce(changed, '{}') || coalesce(added, '{}');
      insert into public.item_imports (id, rows)
        select import_items.import_id, coalesce(
          jsonb_agg(jsonb_build_object('id', item.id, 'updated_at', item.updated_at, 'before', before -> item.id::text)),
          '[]')
        from unnest(written) as item;
      return query select * from unnest(written);
    end
  $function$;

CREATE OR REPLACE FUNCTION public.list_value_ranges (
  ids uuid[] DEFAULT NULL::uuid[]
)
  RETURNS TABLE (
    item_id      uuid,
    mode         text,
    low          numeric,
    high         numeric,
    is_set       boolean,
    confidence   text,
    observations integer,
    spread       numeric
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
    ), known as (
      select priced.*, private.default_margin(age) as margin,
        case when value > 0 then power(10, floor(log(value))) / 20 end as step,
        (coalesce(readings.count, 0) + coalesce(checks.count, 0))::integer as observations,
        round(coalesce(
          (greatest(value, most, high) - least(value, readings.least, low)) / nullif(value, 0), 0), 4) as spread
      from priced
      left join readings on readings.item_id = id and readings.mode = priced.mode
      left join checks on checks.item_id = id
    )
    select id, mode,
      coalesce(low, trim_scale(floor(value * (1 - margin) / step) * step), 0),
      coalesce(high, trim_scale(ceil(value * (1 + margin) / step) * step), 0),
      low is not null or high is not null, private.value_confidence(age, observations, spread), observations, spread
    from known
    order by id, mode desc
  $function$;

CREATE OR REPLACE FUNCTION public.undo_value_change (
  change_id bigint,
  reason    text   DEFAULT NULL::text
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      change record;
      item public.items;
      is_still boolean;
    begin
      select id, item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_checked_at,
          old_low, old_high
        into change from public.item_value_changes where id = change_id;
      if not found then
        raise exception using errcode = 'PT404', message = 'There is no such change';
      end if;
      if change.old_checked_at is null then
        raise exception using
          errcode = 'PT409', message = 'This cannot be undone: nothing is known of what was before it';
      end if;
      select * into item from public.items where id = change.item_id for update;
      if not found then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins undo changes';
      end if;

      is_still := case change.mode
        when 'regular' then (item.current_value, item.previous_value)
          is not distinct from (change.new_value, change.new_previous_value)
        else (item.permanent_value, item.permanent_previous_value)
          is not distinct from (change.new_value, change.new_previous_value)
      end;
      if not is_still or exists (
        select from public.item_value_changes as later
        where later.item_id = change.item_id and later.mode = change.mode and later.id > change.id
      ) then
        raise exception using
          errcode = 'PT409', message = format('%s was changed in the meantime: look at its ledger again', item.name);
      end if;

      if change.mode = 'regular' then
        item.current_value := change.old_value;
        item.previous_value := change.old_previous_value;
        item.current_low := change.old_low;
        item.current_high := change.old_high;
      else
        item.permanent_value := change.old_value;
        item.permanent_previous_value := change.old_previous_value;
        item.permanent_low := change.old_low;
        item.permanent_high := change.old_high;
      end if;
      item.values_checked_at := change.old_checked_at;
      return query select * from private.restore_item(item, undo_value_change.reason);
    end
  $function$;

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_current_high_has_at_most_20_characters" CHECK ((char_length(current_high) <= 20));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_current_low_has_at_most_20_characters" CHECK ((char_length(current_low) <= 20));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_permanent_high_has_at_most_20_characters" CHECK ((char_length(permanent_high) <= 20));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_permanent_low_has_at_most_20_characters" CHECK ((char_length(permanent_low) <= 20));

COMMENT ON COLUMN "public"."item_value_changes"."old_low" IS 'The editor''s range of this mode before the change: its lower end.';

COMMENT ON COLUMN "public"."items"."current_low" IS 'The least that an editor takes the value for; null where none said so, and list_value_ranges works one out.';

COMMENT ON FUNCTION "public"."list_value_ranges"(uuid[]) IS 'What each value may be off by, and how sure that is; of all items, or of those named.';

REVOKE ALL ON FUNCTION "public"."list_value_ranges"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_value_ranges"(uuid[]) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."list_value_ranges"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_ranges"(uuid[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_ranges"(uuid[]) TO "service_role";

REVOKE ALL ("old_high") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("old_high") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("old_low") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("old_low") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("current_high") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("current_high"), UPDATE ("current_high") ON TABLE "public"."items" TO "authenticated";

REVOKE ALL ("current_low") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("current_low"), UPDATE ("current_low") ON TABLE "public"."items" TO "authenticated";

REVOKE ALL ("permanent_high") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("permanent_high"), UPDATE ("permanent_high") ON TABLE "public"."items" TO "authenticated";

REVOKE ALL ("permanent_low") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("permanent_low"), UPDATE ("permanent_low") ON TABLE "public"."items" TO "authenticated";

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_current_value_is_within_its_range" CHECK (private.is_within(current_value, current_low, current_high));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_permanent_value_is_within_its_range" CHECK (private.is_within(permanent_value, permanent_low, permanent_high));
