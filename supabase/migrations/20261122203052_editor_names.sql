SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.list_editor_names()
  RETURNS TABLE (
    id       uuid,
    username text
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
        select person.id, person.username from public.profiles as person
        where person.id in (
          select user_id from public.user_roles where role in ('admin', 'editor')
          union select proposed_by from public.value_proposals
          union select decided_by from public.value_proposals
          union select created_by from public.value_sets
          union select published_by from public.value_sets
        );
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_editor_names"() FROM PUBLIC, "anon";

COMMENT ON FUNCTION "public"."list_editor_names"() IS 'Names of those who work on values; for editors.';

GRANT EXECUTE ON FUNCTION "public"."list_editor_names"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_editor_names"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_editor_names"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_editor_names"() TO "service_role";
