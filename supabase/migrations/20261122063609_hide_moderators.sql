SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.refuse_silenced()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      silence public.chat_silences;
    begin
      select user_id, until, reason into silence.user_id, silence.until, silence.reason
        from public.chat_silences where user_id = new.user_id and until > now();
      if silence.user_id is not null and row_security_active('public.chat_messages') then
        raise exception using
          errcode = 'PT403', message = private.tell_silence(silence), detail = silence.until::text;
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.list_silence_makers (
  people uuid[]
)
  RETURNS TABLE (
    user_id  uuid,
    username text
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not private.is_admin() then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only admins are told who silenced somebody';
      end if;
      return query
        select silence.user_id, person.username
        from public.chat_silences as silence
        join public.profiles as person on person.id = silence.created_by
        where silence.user_id = any (people);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_silence_makers"(uuid[]) FROM PUBLIC, "anon";

COMMENT ON FUNCTION "public"."list_silence_makers"(uuid[]) IS 'Who silenced these people; for admins.';

GRANT EXECUTE ON FUNCTION "public"."list_silence_makers"(uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_silence_makers"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_silence_makers"(uuid[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_silence_makers"(uuid[]) TO "service_role";

REVOKE ALL ON TABLE "public"."chat_reports" FROM "authenticated";

REVOKE ALL ("created_at") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT SELECT ("created_at") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("message_id") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT INSERT ("message_id"), SELECT ("message_id") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("message") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT SELECT ("message") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("reason") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT INSERT ("reason"), SELECT ("reason") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("reported_message_id") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT SELECT ("reported_message_id") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("reported_user_id") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT SELECT ("reported_user_id") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("reporter_id") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT INSERT ("reporter_id"), SELECT ("reporter_id") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("resolved_at") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT SELECT ("resolved_at"), UPDATE ("resolved_at") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("sent_at") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT SELECT ("sent_at") ON TABLE "public"."chat_reports" TO "authenticated";

GRANT DELETE ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ON TABLE "public"."chat_silences" FROM "authenticated";

REVOKE ALL ("created_at") ON TABLE "public"."chat_silences" FROM "authenticated";

GRANT SELECT ("created_at") ON TABLE "public"."chat_silences" TO "authenticated";

REVOKE ALL ("reason") ON TABLE "public"."chat_silences" FROM "authenticated";

GRANT INSERT ("reason"), SELECT ("reason"), UPDATE ("reason") ON TABLE "public"."chat_silences" TO "authenticated";

REVOKE ALL ("until") ON TABLE "public"."chat_silences" FROM "authenticated";

GRANT INSERT ("until"), SELECT ("until"), UPDATE ("until") ON TABLE "public"."chat_silences" TO "authenticated";

REVOKE ALL ("user_id") ON TABLE "public"."chat_silences" FROM "authenticated";

GRANT INSERT ("user_id"), SELECT ("user_id"), UPDATE ("user_id") ON TABLE "public"."chat_silences" TO "authenticated";

GRANT DELETE ON TABLE "public"."chat_silences" TO "authenticated";
