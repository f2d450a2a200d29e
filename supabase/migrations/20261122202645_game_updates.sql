SET local check_function_bodies = off;

DROP FUNCTION "private"."value_confidence"(interval, integer, numeric);

DROP FUNCTION "public"."list_value_ranges"(uuid[]);

CREATE TABLE "public"."game_update_items" (
  "update_id" uuid NOT NULL,
  "item_id"   uuid NOT NULL,
  CONSTRAINT "game_update_items_pkey" PRIMARY KEY (update_id, item_id)
);

ALTER TABLE "public"."game_update_items"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."game_updates" (
  "id"             uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "name"           text                     NOT NULL,
  "happened_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "volatile_until" timestamp with time zone NOT NULL DEFAULT (now() + '7 days'::interval),
  "created_at"     timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at"     timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "game_updates_end_after_they_happened" CHECK ((volatile_until >= happened_at)),
  CONSTRAINT "game_updates_last_at_most_90_days" CHECK ((volatile_until <= (happened_at + '90 days'::interval))),
  CONSTRAINT "game_updates_pkey" PRIMARY KEY (id),
  CONSTRAINT "game_updates_name_has_1_to_60_characters" CHECK (((char_length(name) <= 60) AND (private.trim_text(name) <> ''::text)))
);

ALTER TABLE "public"."game_updates"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.leave_deleted_updates()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if exists (select from public.archived_items where id = new.item_id)
        and not exists (select from public.game_updates where id = new.update_id) then
        return null;
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.value_confidence (
  age          interval,
  observations integer,
  spread       numeric,
  is_volatile  boolean
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO ''
  AS $function$
    select case
      when is_volatile or age > interval '30 days' or observations < 1 or spread > 0.5 then 'low'
      when age <= interval '7 days' and observations >= 3 and spread <= 0.15 then 'high'
      else 'medium'
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
    ), known as (
      select priced.*, unsettled.name as game_update, unsettled.until, case when until is null then 1 else 2 end as widening, private.default_margin(age) as margin,
        case when value > 0 then power(10, floor(log(value))) / 20 end as step,
        (coalesce(readings.count, 0) + coalesce(checks.count, 0))::integer as observations,
        round(coalesce(
          (greatest(value, most, high) - least(value, readings.least, low)) / nullif(value, 0), 0), 4) as spread
      from priced
      left join readings on readings.item_id = id and readings.mode = priced.mode
      left join checks on checks.item_id = id
      left join unsettled on unsettled.item_id = id
    )
    select id, mode,
      greatest(0, coalesce(
        value - widening * (value - low), trim_scale(floor(value * (1 - widening * margin) / step) * step), 0)),
      coalesce(
        value + widening * (high - value), trim_scale(ceil(value * (1 + widening * margin) / step) * step), 0),
      low is not null or high is not null,
      private.value_confidence(age, observations, spread, until is not null), observations, spread, game_update, until
    from known
    order by id, mode desc
  $function$;

CREATE OR REPLACE FUNCTION public.mark_game_update (
  name           text,
  items          uuid[],
  volatile_until timestamp with time zone,
  happened_at    timestamp with time zone DEFAULT now(),
  id             uuid                     DEFAULT NULL::uuid
)
  RETURNS uuid
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      marked uuid;
    begin
      if row_security_active('public.game_updates') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins mark game updates';
      end if;
      if coalesce(cardinality(items), 0) not between 1 and 1000 then
        raise exception using
          errcode = 'check_violation', message = 'Choose what the update touched: 1 to 1000 items';
      end if;
      if mark_game_update.id is null then
        insert into public.game_updates (name, happened_at, volatile_until)
          values (mark_game_update.name, mark_game_update.happened_at, mark_game_update.volatile_until)
          returning game_updates.id into marked;
      else
        update public.game_updates set
            name = mark_game_update.name, happened_at = mark_game_update.happened_at,
            volatile_until = mark_game_update.volatile_until
          where game_updates.id = mark_game_update.id
          returning game_updates.id into marked;
        if marked is null then
          raise exception using errcode = 'PT404', message = 'This update is gone: somebody deleted it';
        end if;
        delete from public.game_update_items where update_id = marked and item_id <> all (mark_game_update.items);
      end if;
      insert into public.game_update_items (update_id, item_id)
        select distinct marked, touched from unnest(mark_game_update.items) as touched
        on conflict do nothing;
      return marked;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) FROM PUBLIC, "anon";

ALTER TABLE "public"."game_update_items"
  ADD CONSTRAINT "game_update_items_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

ALTER TABLE "public"."game_update_items"
  ADD CONSTRAINT "game_update_items_update_id_fkey" FOREIGN KEY (update_id) REFERENCES public.game_updates(id) ON DELETE CASCADE;

CREATE INDEX game_update_items_item_id_idx ON public.game_update_items USING btree (item_id);

CREATE INDEX game_updates_volatile_until_idx ON public.game_updates USING btree (volatile_until DESC);

CREATE TRIGGER game_update_items_leave_deleted_updates
  BEFORE INSERT ON public.game_update_items
  FOR EACH ROW
  EXECUTE FUNCTION private.leave_deleted_updates();

CREATE TRIGGER game_updates_record_act
  AFTER INSERT OR DELETE OR UPDATE ON public.game_updates
  FOR EACH ROW
  EXECUTE FUNCTION private.record_act('created_at', 'updated_at');

CREATE TRIGGER game_updates_stamp_update
  BEFORE INSERT OR UPDATE ON public.game_updates
  FOR EACH ROW
  EXECUTE FUNCTION private.stamp_update();

CREATE POLICY "Admins say what game updates touched" ON "public"."game_update_items"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins take back what game updates touched" ON "public"."game_update_items"
  FOR DELETE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Everybody sees what game updates touched" ON "public"."game_update_items"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "Admins add game updates" ON "public"."game_updates"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins change game updates" ON "public"."game_updates"
  FOR UPDATE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin))
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins delete game updates" ON "public"."game_updates"
  FOR DELETE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Everybody sees game updates" ON "public"."game_updates"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."game_update_items";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."game_updates";

COMMENT ON FUNCTION "public"."list_value_ranges"(uuid[]) IS 'What each value may be off by, and how sure that is; of all items, or of those named.';

COMMENT ON TABLE "public"."game_update_items" IS 'Which items an update of the game touched.';

COMMENT ON TABLE "public"."game_updates" IS 'Updates of the game, and until when the values of what they touched are unsettled.';

REVOKE ALL ON FUNCTION "private"."leave_deleted_updates"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."list_value_ranges"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_value_ranges"(uuid[]) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."list_value_ranges"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_ranges"(uuid[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_ranges"(uuid[]) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) TO "service_role";

REVOKE ALL ON TABLE "public"."game_update_items" FROM "anon";

GRANT SELECT ON TABLE "public"."game_update_items" TO "anon";

REVOKE ALL ON TABLE "public"."game_update_items" FROM "authenticated";

REVOKE ALL ("item_id") ON TABLE "public"."game_update_items" FROM "authenticated";

GRANT INSERT ("item_id") ON TABLE "public"."game_update_items" TO "authenticated";

REVOKE ALL ("update_id") ON TABLE "public"."game_update_items" FROM "authenticated";

GRANT INSERT ("update_id") ON TABLE "public"."game_update_items" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."game_update_items" TO "authenticated";

REVOKE ALL ON TABLE "public"."game_update_items" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."game_update_items" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."game_update_items" TO "service_role";

REVOKE ALL ON TABLE "public"."game_updates" FROM "anon";

GRANT SELECT ON TABLE "public"."game_updates" TO "anon";

REVOKE ALL ON TABLE "public"."game_updates" FROM "authenticated";

REVOKE ALL ("happened_at") ON TABLE "public"."game_updates" FROM "authenticated";

GRANT INSERT ("happened_at"), UPDATE ("happened_at") ON TABLE "public"."game_updates" TO "authenticated";

REVOKE ALL ("name") ON TABLE "public"."game_updates" FROM "authenticated";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "public"."game_updates" TO "authenticated";

REVOKE ALL ("volatile_until") ON TABLE "public"."game_updates" FROM "authenticated";

GRANT INSERT ("volatile_until"), UPDATE ("volatile_until") ON TABLE "public"."game_updates" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."game_updates" TO "authenticated";

REVOKE ALL ON TABLE "public"."game_updates" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."game_updates" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."game_updates" TO "service_role";
