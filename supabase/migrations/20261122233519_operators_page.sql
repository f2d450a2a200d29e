SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.may_operate()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select private.is_admin()
  $function$;

REVOKE ALL ON FUNCTION "public"."may_operate"() FROM PUBLIC, "anon";

COMMENT ON FUNCTION "public"."may_operate"() IS 'Whether the caller may read how the site goes: an admin, with the second factor where there is one.';

GRANT EXECUTE ON FUNCTION "public"."may_operate"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."may_operate"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."may_operate"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."may_operate"() TO "service_role";
