SET local check_function_bodies = off;

CREATE TABLE "public"."work_skips" (
  "item_id"    uuid                     NOT NULL,
  "skipped_on" date                     NOT NULL DEFAULT ((now() AT TIME ZONE 'UTC'::text))::date,
  "skipped_at" timestamp with time zone NOT NULL DEFAULT now(),
  "editor_id"  uuid                     NOT NULL DEFAULT auth.uid(),
  CONSTRAINT "work_skips_pkey" PRIMARY KEY (editor_id, item_id, skipped_on)
);

ALTER TABLE "public"."work_skips"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."work_skips" FROM "anon";

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
    select (entry ->> 'id')::uuid, count(distinct user_id)::integer
    from (
      select user_id, your_items || their_items as entries from public.trade_history
      where version = 1 and created_at > now() - interval '30 days'
      order by created_at desc limit 20000
    ) as latest, jsonb_array_elements(entries) as entry
    group by 1
  $function$;

CREATE OR REPLACE FUNCTION private.work_score (
  weeks       numeric,
  traders     integer,
  spread      numeric,
  is_volatile boolean
)
  RETURNS numeric
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
    select round(
      weeks * (1 + ln(1 + traders::numeric)) * (1 + least(spread, 1)) * case when is_volatile then 2 else 1 end, 3)
  $function$;

CREATE OR REPLACE FUNCTION public.list_editor_days (
  since timestamp with time zone
)
  RETURNS TABLE (
    editor_id uuid,
    username  text,
    checked   integer,
    changed   integer,
    skipped   integer
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      beginning constant timestamptz := greatest(since, now() - interval '2 days');
    begin
      perform private.require_editor();
      return query
        with acts as (
          select distinct 'checked' as act, checked_by as person, item_id::text as subject
          from public.item_value_checks where checked_at >= beginning
          union all
          select 'changed', proposed_by, id::text from public.value_proposals
          where proposed_at >= beginning and state in ('waiting', 'approved', 'published')
          union all
          select distinct 'skipped', skip.editor_id, skip.item_id::text
          from public.work_skips as skip where skipped_at >= beginning
        )
        select person.id, person.username, count(*) filter (where act = 'checked')::integer,
          count(*) filter (where act = 'changed')::integer, count(*) filter (where act = 'skipped')::integer
        from public.profiles as person
        left join acts on acts.person = person.id
        where person.id = (select auth.uid()) or acts.person is not null
        group by 1, 2
        order by person.id <> (select auth.uid()), person.username;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_editor_days"(timestamp WITH time zone) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.list_work (
  most integer DEFAULT 30
)
  RETURNS TABLE (
    item_id     uuid,
    score       numeric,
    weeks       numeric,
    traders     integer,
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
        with ranges as (
          select item_id, max(spread) as spread, max(game_update) as game_update from public.list_value_ranges() group by 1
        ), parts as (
          select items.id, items.name,
            round(extract(epoch from now() - items.values_checked_at) / 604800, 2) as weeks,
            coalesce(traded.traders, 0) as traders, coalesce(ranges.spread, 0) as spread, ranges.game_update
          from public.items
          left join ranges on ranges.item_id = items.id
          left join private.count_item_traders() as traded on traded.item_id = items.id
          where items.values_checked_at < now() - interval '1 day' and not exists (
            select from public.work_skips as skip
            where skip.item_id = items.id and skip.editor_id = (select auth.uid())
              and skip.skipped_at > now() - interval '1 day'
          )
        ), scored as (
          select parts.*, private.work_score(weeks, traders, spread, game_update is not null) as score,
            count(*) over ()::integer as due
          from parts
        )
        select id, score, weeks, traders, spread, game_update,
          (select count(*)::integer from public.value_proposals as proposal
            where proposal.item_id = scored.id and proposal.state = 'waiting'),
          due
        from scored
        order by score desc, name, id
        limit least(greatest(list_work.most, 1), 200);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_work"(integer) FROM PUBLIC, "anon";

ALTER TABLE "public"."work_skips"
  ADD CONSTRAINT "work_skips_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

CREATE INDEX item_value_checks_checked_at_idx ON public.item_value_checks USING btree (checked_at);

CREATE INDEX trade_history_created_at_idx ON public.trade_history USING btree (created_at DESC);

CREATE INDEX work_skips_item_id_idx ON public.work_skips USING btree (item_id);

COMMENT ON FUNCTION "public"."list_editor_days"(timestamp with time zone) IS 'What each editor did since a moment; for editors.';

COMMENT ON FUNCTION "public"."list_work"(integer) IS 'What editors look at first, with why; counts of trades, never whose.';

COMMENT ON TABLE "public"."work_skips" IS 'Which items an editor left for later, and when.';

REVOKE ALL ON FUNCTION "private"."count_item_traders"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_editor_days"(timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_editor_days"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_editor_days"(timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_editor_days"(timestamp WITH time zone) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_work"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "service_role";

REVOKE ALL ON TABLE "public"."work_skips" FROM "authenticated";

REVOKE ALL ("item_id") ON TABLE "public"."work_skips" FROM "authenticated";

GRANT INSERT ("item_id") ON TABLE "public"."work_skips" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."work_skips" TO "authenticated";

REVOKE ALL ON TABLE "public"."work_skips" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."work_skips" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."work_skips" TO "service_role";

ALTER TABLE "public"."work_skips"
  ADD CONSTRAINT "work_skips_editor_id_fkey" FOREIGN KEY (editor_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE POLICY "Editors leave items for later in their own name" ON "public"."work_skips"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((editor_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors see what they left for later" ON "public"."work_skips"
  FOR SELECT
  TO "authenticated"
  USING (((editor_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors take back what they left" ON "public"."work_skips"
  FOR DELETE
  TO "authenticated"
  USING (((editor_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

REVOKE ALL ("editor_id") ON TABLE "public"."work_skips" FROM "authenticated";

GRANT INSERT ("editor_id") ON TABLE "public"."work_skips" TO "authenticated";
