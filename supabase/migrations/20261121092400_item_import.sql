-- Many items at once, from a file: all of it or nothing. The caller's own rights hold for every row, and each change
-- goes into the ledger as if it had been made by hand.

-- Each element of `changes` is a whole item. With an id it changes that item, if it is still as it was at `updated_at`;
-- without one it is new. `removals` are items with id and updated_at, which is how an import is taken back.
create function public.import_items(changes jsonb, removals jsonb default '[]', reason text default null)
  returns setof public.items
  language plpgsql
  set search_path = ''
  as $$
    declare
      touched constant jsonb := changes || removals;
      stale text;
    begin
      if row_security_active('public.items') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins import items';
      end if;
      if jsonb_array_length(touched) > 5000 then
        raise exception using
          errcode = 'check_violation', message = 'Too many items at once: at most 5000';
      end if;

      -- In one order for everybody, so that two imports wait for each other and never for themselves.
      perform from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(touched) as element)
        order by id for update;
      select string_agg(coalesce(items.name, expected.name, expected.id::text), ', ' order by items.name) into stale
        from jsonb_to_recordset(touched) as expected (id uuid, updated_at timestamptz, name text)
        left join public.items on items.id = expected.id
        where expected.id is not null and items.updated_at is distinct from expected.updated_at;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by somebody else meanwhile: %s', left(stale, 300)),
          hint = 'Nothing was imported. Choose the file again to compare it with what is there now.';
      end if;

      delete from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(removals) as element);

      return query
        update public.items set
          name = change.name, slug = change.slug, category_id = change.category_id, image_url = change.image_url,
          rarity = change.rarity, demand = change.demand, type = change.type, is_permanent = change.is_permanent,
          current_value = change.current_value, previous_value = change.previous_value,
          permanent_value = change.permanent_value, permanent_previous_value = change.permanent_previous_value,
          beli_price = change.beli_price, robux_price = change.robux_price, custom_fields = change.custom_fields,
          change_reason = import_items.reason
        from jsonb_populate_recordset(null::public.items, changes) as change
        where items.id = change.id
        returning items.*;

      return query
        insert into public.items (
          name, slug, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, change_reason
        )
        select
          name, slug, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, import_items.reason
        from jsonb_populate_recordset(null::public.items, changes)
        where id is null
        returning items.*;
    end
  $$;

revoke all on function public.import_items(jsonb, jsonb, text) from public, anon;
grant execute on function public.import_items(jsonb, jsonb, text) to authenticated, service_role;
