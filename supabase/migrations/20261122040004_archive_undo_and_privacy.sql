SET local check_function_bodies = off;

REVOKE ALL ON TABLE "public"."item_value_changes" FROM "anon";

REVOKE ALL ON TABLE "public"."item_value_changes" FROM "authenticated";

REVOKE ALL ON TABLE "public"."item_value_checks" FROM "anon";

REVOKE ALL ON TABLE "public"."item_value_checks" FROM "authenticated";

DROP POLICY "A trader's ratings are seen by those who see the trader" ON "public"."user_ratings";

DROP TRIGGER "profiles_stamp_update" ON "public"."profiles";

ALTER TABLE "public"."admin_acts"
  DROP CONSTRAINT "admin_acts_act_is_known";

DROP FUNCTION "public"."import_items"(jsonb, jsonb, text);

ALTER TABLE "public"."profiles"
  DROP COLUMN "created_at";

ALTER TABLE "public"."profiles"
  DROP COLUMN "updated_at";

CREATE TABLE "public"."archived_items" (
  "id"                 uuid                     NOT NULL,
  "archived_at"        timestamp with time zone NOT NULL DEFAULT now(),
  "archived_by"        uuid,
  "item"               jsonb                    NOT NULL,
  "records"            jsonb                    NOT NULL,
  "name"               text                     GENERATED ALWAYS AS ((item ->> 'name'::text)) STORED NOT NULL,
  "slug"               text                     GENERATED ALWAYS AS ((item ->> 'slug'::text)) STORED NOT NULL,
  "image_url"          text                     GENERATED ALWAYS AS ((item ->> 'image_url'::text)) STORED,
  "value_change_count" integer                  GENERATED ALWAYS AS (COALESCE(jsonb_array_length((records -> 'public.item_value_changes'::text)), 0)) STORED NOT NULL,
  CONSTRAINT "archived_items_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."archived_items"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."archived_items" FROM "anon";

CREATE TABLE "public"."item_imports" (
  "id"          uuid                     NOT NULL,
  "imported_at" timestamp with time zone NOT NULL DEFAULT now(),
  "rows"        jsonb                    NOT NULL,
  CONSTRAINT "item_imports_pkey" PRIMARY KEY (id),
  CONSTRAINT "item_imports_rows_are_at_most_5000" CHECK (
CASE
    WHEN (jsonb_typeof(rows) = 'array'::text) THEN (jsonb_array_length(rows) <= 5000)
    ELSE false
END)
);

ALTER TABLE "public"."item_imports"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."item_imports" FROM "anon";

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "old_previous_value" text;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "new_previous_value" text;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "old_checked_at" timestamp WITH time zone;

CREATE OR REPLACE FUNCTION private.archive_item()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      kept jsonb := '{}';
      found_rows jsonb;
      place regclass;
      key name;
    begin
      for place, key in select * from private.list_item_records() loop
        execute format('select coalesce(jsonb_agg(to_jsonb(record)), ''[]'') from %s as record where %I = $1', place, key)
          into found_rows using old.id;
        kept := kept || jsonb_build_object(place::text, found_rows);
      end loop;
      insert into public.archived_items (id, archived_by, item, records)
      values (old.id, (select id from public.profiles where id = (select auth.uid())), to_jsonb(old), kept);
      return old;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.count_stars (
  trader uuid
)
  RETURNS integer[]
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select array(
      select count(given.rating)::integer
      from generate_series(1, 5) as star
      left join public.user_ratings as given on given.rated_user_id = trader and given.rating = star
        and exists (select from public.profiles where profiles.id = trader and profiles.listed)
      group by star order by star
    )
  $function$;

CREATE OR REPLACE FUNCTION private.follow_item()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      changed_by constant uuid := (select id from public.profiles where id = (select auth.uid()));
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

      insert into public.item_value_changes (
        item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_checked_at, reason, changed_by
      )
      select old.id, change.*, old.values_checked_at, reason, changed_by
      from (
        select 'regular', old.current_value, new.current_value, old.previous_value, new.previous_value
        where regular_changed
        union all
        select 'permanent', old.permanent_value, new.permanent_value,
          old.permanent_previous_value, new.permanent_previous_value
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

CREATE OR REPLACE FUNCTION private.forget_old_imports()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      delete from public.item_imports where imported_at < now() - interval '30 days';
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.forget_person_in_archive()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant text := to_json(old.id::text);
    begin
      update public.archived_items set records = replace(records::text, person, 'null')::jsonb
        where strpos(records::text, person) > 0;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.leave_known_values()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      return case when exists (select from public.archived_items where id = new.item_id) then null else new end;
    end
  $function$;

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
    where contype = 'f' and confrelid = 'public.items'::regclass and confdeltype = 'c'
  $function$;

CREATE OR REPLACE FUNCTION private.list_ratings (
  trader  uuid,
  skipped integer,
  shown   integer
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select coalesce(jsonb_agg(to_jsonb(newest) order by newest.created_at desc, newest.id), '[]')
    from (
      select ratings.id, raters.username as rater, ratings.rating, ratings.comment, ratings.created_at
      from public.user_ratings as ratings
      left join public.profiles as raters on raters.id = ratings.rater_id and raters.listed
      where ratings.rated_user_id = trader
        and exists (select from public.profiles where profiles.id = trader and profiles.listed)
      order by ratings.created_at desc, ratings.id
      offset skipped limit shown
    ) as newest
  $function$;

CREATE OR REPLACE FUNCTION private.name_restoring()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not exists (select from public.archived_items where id = new.row_id) then
        return new;
      elsif new.table_name = 'items' then
        new.act := 'restore';
        return new;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.note_written_previous()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform set_config(
        'private.written_previous', concat(current_setting('private.written_previous', true), tg_argv[0]), true);
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.put_back (
  place regclass,
  kept  jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      columns constant text := (
        select string_agg(quote_ident(attname), ', ') from pg_catalog.pg_attribute
        where attrelid = place and attnum > 0 and not attisdropped and attgenerated = '' and kept -> 0 ? attname
      );
    begin
      if jsonb_array_length(kept) > 0 then
        execute format(
          'insert into %s (%s) overriding system value select %2$s from jsonb_populate_recordset(null::%1$s, $1)',
          place, columns
        ) using kept;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.remove_item_image()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      file constant text := substring(old.image_url from '/storage/v1/object/public/item-images/([^?#]+)$');
    begin
      if file is null
        or exists (select from public.items where image_url = old.image_url)
        or exists (select from public.archived_items where image_url = old.image_url) then
        return null;
      end if;
      -- A hosted project asks for this before it lets SQL remove the row of a file.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'item-images' and name = file;
      return null;
    end
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
      return query
        update public.items set
          name = before.name, slug = before.slug, category_id = before.category_id, image_url = before.image_url,
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

CREATE OR REPLACE FUNCTION private.tell_role_change()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform pg_notify('realtime_rights', coalesce(new.user_id, old.user_id)::text);
      return null;
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
          name = change.name, slug = change.slug, category_id = change.category_id, image_url = change.image_url,
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
          name, slug, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, change_reason
        )
        select
          name, slug, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
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

REVOKE ALL ON FUNCTION "public"."import_items"(jsonb, text, uuid) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.list_received_ratings()
  RETURNS TABLE (
    id         uuid,
    rating     smallint,
    comment    text,
    created_at timestamp with time zone,
    rater      text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select ratings.id, ratings.rating, ratings.comment, ratings.created_at, raters.username
    from public.user_ratings as ratings
    left join public.profiles as raters on raters.id = ratings.rater_id and raters.listed
    where ratings.rated_user_id = (select auth.uid())
    order by ratings.created_at, ratings.id
  $function$;

REVOKE ALL ON FUNCTION "public"."list_received_ratings"() FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.list_value_changes (
  item uuid
)
  RETURNS TABLE (
    id                 bigint,
    mode               text,
    old_value          text,
    new_value          text,
    old_previous_value text,
    new_previous_value text,
    old_checked_at     timestamp with time zone,
    reason             text,
    changed_at         timestamp with time zone,
    changed_by_name    text
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not private.is_admin() then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only admins are told who changed a value';
      end if;
      return query
        select change.id, change.mode, change.old_value, change.new_value, change.old_previous_value,
          change.new_previous_value, change.old_checked_at, change.reason, change.changed_at, person.username
        from public.item_value_changes as change
        left join public.profiles as person on person.id = change.changed_by
        where change.item_id = item;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_value_changes"(uuid) FROM PUBLIC, "anon";

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
      place text;
      kept jsonb;
    begin
      if not private.is_admin() and auth.role() is distinct from 'service_role' then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins restore items';
      end if;
      select * into archived from public.archived_items where id = item_id for update;
      if not found then
        raise exception using errcode = 'PT404', message = 'This item is not in the archive any more';
      end if;
      -- Categories may go while an item is in the archive.
      perform from public.categories where id = (archived.item ->> 'category_id')::uuid for key share;
      if not found then
        archived.item := archived.item || '{"category_id": null}';
      end if;
      begin
        perform private.put_back('public.items', jsonb_build_array(archived.item));
      exception
        when unique_violation then
          raise exception using
            errcode = 'unique_violation',
            message = format('Another item has the slug %s meanwhile: change that one''s slug, then restore %s',
              archived.slug, archived.name);
      end;
      for place, kept in select * from jsonb_each(archived.records) loop
        perform private.put_back(place::regclass, kept);
      end loop;
      delete from public.archived_items where id = item_id;
      return query select * from public.items where id = item_id;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."restore_item"(uuid) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.show_trader (
  username text,
  page     integer DEFAULT 1
)
  RETURNS TABLE (
    id           uuid,
    trader_name  text,
    avatar_url   text,
    rating_count integer,
    rating_sum   integer,
    stars        integer[],
    ratings      jsonb
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    select traders.id, traders.username, traders.avatar_url, traders.rating_count, traders.rating_sum,
      private.count_stars(traders.id),
      private.list_ratings(traders.id, (private.nearest_page(page, traders.rating_count, 20) - 1) * 20, 20)
    from public.profiles as traders
    where traders.listed and lower(traders.username) = lower(show_trader.username)
  $function$;

CREATE OR REPLACE FUNCTION public.undo_import (
  import_id uuid
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      undone constant jsonb := (select rows from public.item_imports where id = import_id);
      stale text;
      row jsonb;
    begin
      if row_security_active('public.items') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins undo imports';
      end if;
      if undone is null then
        raise exception using errcode = 'PT404', message = 'This import is no longer kept, so it cannot be undone';
      end if;

      perform from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(undone) as element)
        order by id for update;
      select string_agg(coalesce(items.name, expected.before ->> 'name', expected.id::text), ', ' order by items.name)
        into stale
        from jsonb_to_recordset(undone) as expected (id uuid, updated_at timestamptz, before jsonb)
        left join public.items on items.id = expected.id
        where items.updated_at is distinct from expected.updated_at;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by somebody else meanwhile: %s', left(stale, 300)),
          hint = 'Nothing was undone.';
      end if;

      delete from public.items where id in (
        select (element ->> 'id')::uuid from jsonb_array_elements(undone) as element
        where jsonb_typeof(element -> 'before') is distinct from 'object'
      );
      for row in
        select element -> 'before' from jsonb_array_elements(undone) as element
        where jsonb_typeof(element -> 'before') = 'object'
      loop
        return query
          select * from private.restore_item(jsonb_populate_record(null::public.items, row), 'Undo of an import');
      end loop;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."undo_import"(uuid) FROM PUBLIC, "anon";

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
      select id, item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_checked_at
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
          errcode = 'PT409', message = format('%s was changed meanwhile: look at its ledger again', item.name);
      end if;

      if change.mode = 'regular' then
        item.current_value := change.old_value;
        item.previous_value := change.old_previous_value;
      else
        item.permanent_value := change.old_value;
        item.permanent_previous_value := change.old_previous_value;
      end if;
      item.values_checked_at := change.old_checked_at;
      return query select * from private.restore_item(item, undo_value_change.reason);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."undo_value_change"(bigint, text) FROM PUBLIC, "anon";

ALTER TABLE "public"."admin_acts"
  ADD CONSTRAINT "admin_acts_act_is_known" CHECK ((act = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text, 'restore'::text])));

ALTER TABLE "public"."archived_items"
  ADD CONSTRAINT "archived_items_archived_by_fkey" FOREIGN KEY (archived_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

CREATE INDEX archived_items_archived_at_idx ON public.archived_items USING btree (archived_at DESC, id);

CREATE INDEX archived_items_archived_by_idx ON public.archived_items USING btree (archived_by);

CREATE INDEX archived_items_image_url_idx ON public.archived_items USING btree (image_url);

CREATE INDEX item_imports_imported_at_idx ON public.item_imports USING btree (imported_at);

CREATE TRIGGER admin_acts_name_restoring
  BEFORE INSERT ON public.admin_acts
  FOR EACH ROW
  WHEN (((new.act = 'insert'::text) AND (new.table_name = ANY (ARRAY['items'::text, 'item_value_checks'::text]))))
  EXECUTE FUNCTION private.name_restoring();

CREATE TRIGGER archived_items_remove_image
  AFTER DELETE ON public.archived_items
  FOR EACH ROW
  WHEN ((old.image_url IS NOT NULL))
  EXECUTE FUNCTION private.remove_item_image();

CREATE TRIGGER item_imports_forget_old_imports
  AFTER INSERT ON public.item_imports
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.forget_old_imports();

CREATE TRIGGER item_value_changes_leave_known_values
  BEFORE INSERT ON public.item_value_changes
  FOR EACH ROW
  WHEN ((pg_trigger_depth() > 0))
  EXECUTE FUNCTION private.leave_known_values();

CREATE TRIGGER items_a_note_permanent_previous_value
  BEFORE UPDATE OF permanent_previous_value ON public.items
  FOR EACH ROW
  EXECUTE FUNCTION private.note_written_previous('permanent');

CREATE TRIGGER items_a_note_previous_value
  BEFORE UPDATE OF previous_value ON public.items
  FOR EACH ROW
  EXECUTE FUNCTION private.note_written_previous('regular');

CREATE TRIGGER items_archive
  BEFORE DELETE ON public.items
  FOR EACH ROW
  EXECUTE FUNCTION private.archive_item();

CREATE TRIGGER profiles_forget_person_in_archive
  AFTER DELETE ON public.profiles
  FOR EACH ROW
  EXECUTE FUNCTION private.forget_person_in_archive();

CREATE TRIGGER tell_role_change
  AFTER INSERT OR DELETE OR UPDATE ON public.user_roles
  FOR EACH ROW
  EXECUTE FUNCTION private.tell_role_change();

CREATE POLICY "Admins see archived items" ON "public"."archived_items"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins add imports" ON "public"."item_imports"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins see imports" ON "public"."item_imports"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Ratings are seen by those who see the trader and the rater" ON "public"."user_ratings"
  FOR SELECT
  TO "anon", "authenticated"
  USING (((EXISTS ( SELECT
   FROM public.profiles
  WHERE (profiles.id = user_ratings.rated_user_id))) AND (EXISTS ( SELECT
   FROM public.profiles
  WHERE (profiles.id = user_ratings.rater_id)))));

CREATE POLICY "Admins follow what their panels show" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING (((EXTENSION = 'broadcast'::text) AND starts_with(( SELECT realtime.topic() AS topic), 'admin-'::text) AND ( SELECT private.is_admin() AS is_admin)));

CREATE POLICY "Each session may follow itself" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING (((EXTENSION = 'broadcast'::text) AND (( SELECT realtime.topic() AS topic) = ('session:'::text || (( SELECT auth.jwt() AS jwt) ->> 'session_id'::text)))));

CREATE POLICY "Everybody may follow the catalogue" ON "realtime"."messages"
  FOR SELECT
  TO "anon", "authenticated"
  USING (((EXTENSION = 'broadcast'::text) AND (( SELECT realtime.topic() AS topic) = 'catalogue'::text)));

COMMENT ON COLUMN "public"."archived_items"."records" IS 'By table, all rows that went with the item: its ledger, its checks.';

COMMENT ON COLUMN "public"."item_imports"."rows" IS 'An object for each item: id, its updated_at after the import, and before, the whole item; null for a new one.';

COMMENT ON COLUMN "public"."item_value_changes"."new_previous_value" IS 'The previous value of this mode as the change left it.';

COMMENT ON COLUMN "public"."item_value_changes"."old_checked_at" IS 'When the old value was last checked. Null where there is nothing to go back to: first values, readings of others.';

COMMENT ON COLUMN "public"."item_value_changes"."old_previous_value" IS 'The previous value of this mode as it stood before the change.';

COMMENT ON FUNCTION "public"."list_received_ratings"() IS 'What the caller was given by others; a rater who is not listed has no name.';

COMMENT ON FUNCTION "public"."list_value_changes"(uuid) IS 'The changes of an item''s values with who made them; for admins.';

COMMENT ON TABLE "public"."archived_items" IS 'Deleted items with all that was kept about them, for the admins.';

COMMENT ON TABLE "public"."item_imports" IS 'Imports of the last 30 days with what they changed, for undo_import.';

REVOKE ALL ON FUNCTION "private"."archive_item"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_person_in_archive"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."leave_known_values"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."list_item_records"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_restoring"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."put_back"(regclass, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_role_change"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."import_items"(jsonb, text, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."import_items"(jsonb, text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."import_items"(jsonb, text, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."import_items"(jsonb, text, uuid) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_received_ratings"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_received_ratings"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_received_ratings"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_received_ratings"() TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_value_changes"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."restore_item"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."restore_item"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."restore_item"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."restore_item"(uuid) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."undo_import"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."undo_import"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."undo_import"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."undo_import"(uuid) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."undo_value_change"(bigint, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."undo_value_change"(bigint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."undo_value_change"(bigint, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."undo_value_change"(bigint, text) TO "service_role";

REVOKE ALL ON TABLE "public"."archived_items" FROM "authenticated";

GRANT SELECT ON TABLE "public"."archived_items" TO "authenticated";

REVOKE ALL ON TABLE "public"."archived_items" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."archived_items" TO "postgres";

REVOKE ALL ON TABLE "public"."archived_items" FROM "service_role";

GRANT SELECT ON TABLE "public"."archived_items" TO "service_role";

REVOKE ALL ON TABLE "public"."item_imports" FROM "authenticated";

REVOKE ALL ("id") ON TABLE "public"."item_imports" FROM "authenticated";

GRANT INSERT ("id") ON TABLE "public"."item_imports" TO "authenticated";

REVOKE ALL ("rows") ON TABLE "public"."item_imports" FROM "authenticated";

GRANT INSERT ("rows") ON TABLE "public"."item_imports" TO "authenticated";

GRANT SELECT ON TABLE "public"."item_imports" TO "authenticated";

REVOKE ALL ON TABLE "public"."item_imports" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."item_imports" TO "postgres";

REVOKE ALL ON TABLE "public"."item_imports" FROM "service_role";

REVOKE ALL ("id") ON TABLE "public"."item_imports" FROM "service_role";

GRANT INSERT ("id") ON TABLE "public"."item_imports" TO "service_role";

REVOKE ALL ("rows") ON TABLE "public"."item_imports" FROM "service_role";

GRANT INSERT ("rows") ON TABLE "public"."item_imports" TO "service_role";

GRANT SELECT ON TABLE "public"."item_imports" TO "service_role";

REVOKE ALL ("changed_at") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("changed_at") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("id") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("id") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("item_id") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("item_id") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("mode") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("mode") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("new_number") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("new_number") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("new_value") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("new_value") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("old_number") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("old_number") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("old_value") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("old_value") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("reason") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("reason") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("changed_at") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("changed_at") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("item_id") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("item_id") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("mode") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("mode") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("new_number") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("new_number") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("new_previous_value") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("new_previous_value") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("new_value") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("new_value") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("old_checked_at") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("old_checked_at") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("old_number") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("old_number") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("old_previous_value") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("old_previous_value") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("old_value") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("old_value") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("reason") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("reason") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("checked_at") ON TABLE "public"."item_value_checks" FROM "anon";

GRANT SELECT ("checked_at") ON TABLE "public"."item_value_checks" TO "anon";

REVOKE ALL ("id") ON TABLE "public"."item_value_checks" FROM "anon";

GRANT SELECT ("id") ON TABLE "public"."item_value_checks" TO "anon";

REVOKE ALL ("item_id") ON TABLE "public"."item_value_checks" FROM "anon";

GRANT SELECT ("item_id") ON TABLE "public"."item_value_checks" TO "anon";

REVOKE ALL ("checked_at") ON TABLE "public"."item_value_checks" FROM "authenticated";

GRANT SELECT ("checked_at") ON TABLE "public"."item_value_checks" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."item_value_checks" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."item_value_checks" TO "authenticated";

REVOKE ALL ("item_id") ON TABLE "public"."item_value_checks" FROM "authenticated";

GRANT INSERT ("item_id"), SELECT ("item_id") ON TABLE "public"."item_value_checks" TO "authenticated";
