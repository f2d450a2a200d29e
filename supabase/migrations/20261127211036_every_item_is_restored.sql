SET local check_function_bodies = off;

DROP FUNCTION "private"."reinsert_rows"(regclass, jsonb);

CREATE OR REPLACE FUNCTION private.list_item_records()
  RETURNS TABLE (
    place regclass,
    key   name
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    select conrelid::regclass, attname
    from pg_catalog.pg_constraint
    join pg_catalog.pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'public.items'::regclass and confdeltype = 'c' and not exists (
      select from pg_catalog.pg_constraint as of_person
      where of_person.conrelid = pg_constraint.conrelid
        and of_person.confrelid = 'public.profiles'::regclass and of_person.confdeltype = 'c'
    )
  $function$;

CREATE OR REPLACE FUNCTION private.reinsert_rows (
  place regclass,
  kept  jsonb
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      columns constant text := (
        select string_agg(quote_ident(attname), ', ') from pg_catalog.pg_attribute
        where attrelid = place and attnum > 0 and not attisdropped and attgenerated = '' and kept -> 0 ? attname
      );
      count integer := 0;
    begin
      if jsonb_array_length(kept) > 0 then
        execute format(
          'insert into %s (%s) overriding system value select %2$s from jsonb_populate_recordset(null::%1$s, $1)
           on conflict do nothing',
          place, columns
        ) using kept;
        get diagnostics count = row_count;
      end if;
      return count;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.restore_item (
  item_id uuid
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      archived public.archived_items;
      place regclass;
    begin
      if not private.is_admin() and auth.role() is distinct from 'service_role' then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins restore items';
      end if;
      select * into archived from public.archived_items where id = item_id for update;
      if not found then
        raise exception using errcode = 'PT404', message = 'This item is no longer in the archive';
      end if;
      -- The category may have been deleted while the item was archived.
      perform from public.categories where id = (archived.item ->> 'category_id')::uuid for key share;
      if not found then
        archived.item := archived.item || '{"category_id": null}';
      end if;
      if not exists (select from public.status_words where word = archived.item ->> 'status') then
        archived.item := archived.item || '{"status": null}';
      end if;
      perform set_config('private.restored_item', archived.id::text, true);
      if private.reinsert_rows('public.items', jsonb_build_array(archived.item)) = 0 then
        raise exception using
          errcode = 'unique_violation',
          message = format('Another item has the slug %s by now: change that one''s slug, then restore %s',
            archived.slug, archived.name);
      end if;
      for place in select records.place from private.list_item_records() as records loop
        perform private.reinsert_rows(place, archived.records -> place::text);
      end loop;
      delete from public.archived_items where id = item_id;
      return query select * from public.items where id = item_id;
    end
  $function$;

REVOKE ALL ON FUNCTION "private"."reinsert_rows"(regclass, jsonb) FROM PUBLIC;
