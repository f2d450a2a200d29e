SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.list_own_requests()
  RETURNS TABLE (
    kind text,
    what text,
    at   timestamp with time zone
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := (select auth.uid());
    begin
      if not private.owes_second_factor() and not private.is_application() then
        return query
          select 'word', asked.word, null::timestamptz from private.word_askers as asked where asked.user_id = person
          union all
          select 'permission', log.act, log.at from private.consent_log as log where log.child_id = person
          order by 1, 3, 2;
      end if;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_own_requests"() FROM PUBLIC, "anon", "service_role";

COMMENT ON FUNCTION "public"."list_own_requests"() IS 'The words that the caller asked for, and the history of a parent''s permission.';

GRANT EXECUTE ON FUNCTION "public"."list_own_requests"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_own_requests"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_own_requests"() TO "postgres";
