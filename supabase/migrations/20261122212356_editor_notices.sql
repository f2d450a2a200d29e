SET local check_function_bodies = off;

CREATE TABLE "private"."told_news" (
  "kind"    text NOT NULL,
  "subject" text NOT NULL,
  CONSTRAINT "told_news_pkey" PRIMARY KEY (kind, subject)
);

CREATE TABLE "public"."editor_notices" (
  "id"              bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "kind"            text                     NOT NULL,
  "count"           integer                  NOT NULL,
  "items"           text[]                   NOT NULL DEFAULT '{}'::text[],
  "created_at"      timestamp with time zone NOT NULL DEFAULT now(),
  "webhook_tries"   integer                  NOT NULL DEFAULT 0,
  "webhook_next_at" timestamp with time zone,
  "webhook_sent_at" timestamp with time zone,
  CONSTRAINT "editor_notices_count_is_above_0" CHECK ((count > 0)),
  CONSTRAINT "editor_notices_kind_is_known" CHECK ((kind = ANY (ARRAY['proposals'::text, 'large_changes'::text, 'stale'::text, 'reports'::text, 'failed_mails'::text]))),
  CONSTRAINT "editor_notices_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."editor_notices"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."editor_notices" FROM "anon";

CREATE OR REPLACE FUNCTION private.find_editor_news()
  RETURNS TABLE (
    kind    text,
    subject text,
    item    text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select 'proposals', proposal.id::text, items.name
    from public.value_proposals as proposal join public.items on items.id = proposal.item_id
    where proposal.state = 'waiting'
    union all
    select 'large_changes', change.id::text, items.name
    from public.item_value_changes as change join public.items on items.id = change.item_id
    where change.changed_at > now() - interval '2 days' and change.changed_as is not null and change.old_value is not null
      and private.is_large_change(
        change.old_value, change.new_value, (select large_change_percent from private.settings))
    union all
    select 'stale', id || ' ' || values_checked_at, name
    from public.items where values_checked_at < now() - interval '30 days'
    union all
    select 'reports', id::text, null from public.reports where resolved_at is null
    union all
    select 'failed_mails', id::text, null from backend.mail_queue where tries >= 3
  $function$;

CREATE OR REPLACE FUNCTION private.note_editor_news (
  has_webhook boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not pg_try_advisory_xact_lock(hashtextextended('editor_notices', 0)) then
        return;
      end if;
      delete from private.told_news as told
        where not exists (
          select from private.find_editor_news() as news where news.kind = told.kind and news.subject = told.subject
        );
      with fresh as (
        insert into private.told_news (kind, subject)
        select news.kind, news.subject from private.find_editor_news() as news
        where news.kind <> 'stale' or not exists (
          select from public.editor_notices as last
          where last.kind = 'stale' and last.created_at > now() - interval '20 hours'
        )
        on conflict do nothing
        returning told_news.kind, told_news.subject
      )
      insert into public.editor_notices (kind, count, items, webhook_next_at)
      select kind, count(*),
        coalesce((array_agg(distinct item) filter (where item is not null))[:5], '{}'),
        case when has_webhook then now() end
      from fresh join private.find_editor_news() as news using (kind, subject)
      group by kind order by kind;
      delete from public.editor_notices where created_at < now() - interval '30 days';
    end
  $function$;

CREATE OR REPLACE FUNCTION private.take_editor_notices()
  RETURNS TABLE (
    id    bigint,
    kind  text,
    count integer,
    items text[]
  )
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    with due as (
      select notice.id from public.editor_notices as notice
      where webhook_next_at <= now() order by notice.id limit 1 for update skip locked
    )
    update public.editor_notices as notice set
      webhook_tries = webhook_tries + 1,
      webhook_next_at = case when webhook_tries < 5 then now() + interval '5 minutes' * power(2, webhook_tries) end
    from due where notice.id = due.id
    returning notice.id, notice.kind, notice.count, notice.items
  $function$;

CREATE INDEX editor_notices_created_at_idx ON public.editor_notices USING btree (created_at);

CREATE INDEX editor_notices_webhook_next_at_idx ON public.editor_notices USING btree (webhook_next_at)
  WHERE (webhook_next_at IS NOT NULL);

CREATE POLICY "Editors and moderators hear of what is theirs, admins of all" ON "public"."editor_notices"
  FOR SELECT
  TO "authenticated"
  USING
    ((( SELECT private.is_admin() AS is_admin) OR ((kind = ANY (ARRAY['proposals'::text, 'large_changes'::text, 'stale'::text])) AND ( SELECT private.is_editor() AS is_editor)) OR
    ((kind = 'reports'::text) AND ( SELECT private.is_moderator() AS is_moderator))));

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."editor_notices";

COMMENT ON COLUMN "public"."editor_notices"."items" IS 'Names of some of the items that it is about.';

COMMENT ON COLUMN "public"."editor_notices"."webhook_next_at" IS 'When the webhook is told of it; null when it was, or need not be.';

COMMENT ON TABLE "public"."editor_notices" IS 'What editors, moderators and admins should hear of.';

REVOKE ALL ON FUNCTION "private"."find_editor_news"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_editor_news"(boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_editor_notices"() FROM PUBLIC;

REVOKE ALL ON SEQUENCE "public"."editor_notices_id_seq" FROM "anon";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."editor_notices_id_seq" TO "anon";

REVOKE ALL ON SEQUENCE "public"."editor_notices_id_seq" FROM "authenticated";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."editor_notices_id_seq" TO "authenticated";

REVOKE ALL ON SEQUENCE "public"."editor_notices_id_seq" FROM "postgres";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."editor_notices_id_seq" TO "postgres";

REVOKE ALL ON SEQUENCE "public"."editor_notices_id_seq" FROM "service_role";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."editor_notices_id_seq" TO "service_role";

REVOKE ALL ON TABLE "public"."editor_notices" FROM "authenticated";

REVOKE ALL ("count") ON TABLE "public"."editor_notices" FROM "authenticated";

GRANT SELECT ("count") ON TABLE "public"."editor_notices" TO "authenticated";

REVOKE ALL ("created_at") ON TABLE "public"."editor_notices" FROM "authenticated";

GRANT SELECT ("created_at") ON TABLE "public"."editor_notices" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."editor_notices" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."editor_notices" TO "authenticated";

REVOKE ALL ("items") ON TABLE "public"."editor_notices" FROM "authenticated";

GRANT SELECT ("items") ON TABLE "public"."editor_notices" TO "authenticated";

REVOKE ALL ("kind") ON TABLE "public"."editor_notices" FROM "authenticated";

GRANT SELECT ("kind") ON TABLE "public"."editor_notices" TO "authenticated";

REVOKE ALL ON TABLE "public"."editor_notices" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."editor_notices" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."editor_notices" TO "service_role";
