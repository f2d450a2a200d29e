SET local check_function_bodies = off;

DROP POLICY "People see their own reports, moderators all" ON "public"."reports";

CREATE OR REPLACE FUNCTION private.fill_report()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      known record;
    begin
      if new.kind = 'refusals' then
        return new;
      end if;
      new.subject_id := coalesce(new.message_id, new.subject_id);
      -- The lock waits for a deletion that is under way.
      perform from public.chat_messages where new.kind = 'message' and id = new.subject_id for key share;
      new.message_id := case when found then new.subject_id end;
      select * into known from private.find_evidence(new.kind, new.subject_id);
      -- The reporter reads the evidence: what nobody could see is not found out by reporting it.
      if known.person is null
        or new.kind in ('name', 'picture') and new.reporter_id = (select auth.uid())
          and known.person <> new.reporter_id and not private.is_known_by_name(known.person)
      then
        raise exception using
          errcode = 'invalid_parameter_value',
          message = case new.kind when 'message' then 'This message is gone' else 'This is gone already' end;
      end if;
      new.evidence := known.evidence;
      new.reported_user_id := known.person;
      new.sent_at := known.sent_at;
      new.reason := nullif(private.trim_text(new.reason), '');
      -- Another name, and another picture, may be reported by the same person again.
      if new.kind in ('name', 'picture') then
        new.subject_id := md5(known.person || known.evidence)::uuid;
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.is_known_by_name (
  person uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (select from public.profiles where id = person and listed)
      or exists (select from public.chat_messages where user_id = person)
      or exists (select from public.deleted_chat_messages where user_id = person and deleted_at > now() - interval '24 hours')
  $function$;

CREATE OR REPLACE FUNCTION public.list_own_reports()
  RETURNS TABLE (
    id          uuid,
    kind        text,
    code        text,
    subject_id  uuid,
    evidence    text,
    reason      text,
    sent_at     timestamp with time zone,
    created_at  timestamp with time zone,
    resolved_at timestamp with time zone,
    outcome     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select id, kind, code, subject_id, evidence, reason, sent_at, created_at, resolved_at, outcome
    from public.reports
    where reporter_id = (select auth.uid()) and not private.owes_second_factor() and not private.is_bystander()
    order by created_at desc, id
  $function$;

REVOKE ALL ON FUNCTION "public"."list_own_reports"() FROM PUBLIC, "anon";

CREATE POLICY "People see their own reports, moderators all" ON "public"."reports"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.is_moderator() AS is_moderator) OR ((reporter_id = ( SELECT auth.uid() AS uid)) AND ((kind <> 'rating'::text) OR (EXISTS ( SELECT
   FROM public.profiles
  WHERE (profiles.id = reports.reported_user_id)))))));

COMMENT ON FUNCTION "public"."list_own_reports"() IS 'What the caller reported and what became of it, the latest first; not of whom, who may be nobody to be seen.';

REVOKE ALL ON FUNCTION "private"."is_known_by_name"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_own_reports"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_own_reports"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_own_reports"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_own_reports"() TO "service_role";
