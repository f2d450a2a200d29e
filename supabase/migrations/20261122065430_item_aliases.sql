SET local check_function_bodies = off;

ALTER TABLE "public"."items"
  ADD COLUMN "aliases" text NOT NULL DEFAULT ''::text;

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
      return query
        update public.items set
          name = before.name, slug = before.slug, aliases = coalesce(before.aliases, items.aliases),
          category_id = before.category_id, image_url = before.image_url,
          rarity = before.rarity, demand = before.demand, type = before.type, is_permanent = before.is_permanent,
          current_value = before.current_value, previous_value = before.previous_value,
          permanent_value = before.permanent_value, permanent_previous_value = before.permanent_previous_value,
          beli_price = before.beli_price, robux_price = before.robux_price, custom_fields = before.custom_fields,
          change_reason = restore_item.reason
        where items.id = before.id
        returning items.*;
      perform set_config('private.restored_check', '', true);
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
          message = format('Changed by somebody else meanwhile: %s', left(stale, 300)),
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
          permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, change_reason
        )
        select
          name, slug, coalesce(aliases, ''), category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, import_items.reason
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

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_aliases_have_at_most_300_characters" CHECK ((char_length(aliases) <= 300));

COMMENT ON COLUMN "public"."items"."aliases" IS 'What players call it beside its name, separated by commas; searches look through these as well.';

REVOKE ALL ("aliases") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("aliases"), UPDATE ("aliases") ON TABLE "public"."items" TO "authenticated";
