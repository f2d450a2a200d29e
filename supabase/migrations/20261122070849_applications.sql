SET local check_function_bodies = off;

DROP POLICY "Anonymous accounts are not in the chat" ON "public"."chat_messages";

DROP POLICY "Anonymous accounts are not in the chat" ON "public"."chat_mutes";

DROP POLICY "Anonymous accounts report nothing" ON "public"."chat_reports";

DROP POLICY "Anonymous accounts take no name and no picture" ON "public"."profiles";

DROP POLICY "Anonymous accounts add nothing" ON "public"."user_ratings";

DROP POLICY "Anonymous accounts change nothing" ON "public"."user_ratings";

DROP POLICY "Anonymous accounts remove nothing" ON "public"."user_ratings";

DROP POLICY "Anonymous accounts are not in the chat" ON "realtime"."messages";

DROP POLICY "Signed-in people see who is in the chat" ON "realtime"."messages";

DROP POLICY "Anonymous accounts add nothing" ON "storage"."objects";

DROP POLICY "Anonymous accounts change nothing" ON "storage"."objects";

DROP POLICY "Anonymous accounts remove nothing" ON "storage"."objects";

DROP FUNCTION "private"."is_anonymous"();

CREATE OR REPLACE FUNCTION private.has_proved_lately (
  claims jsonb
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select claims ->> 'client_id' is null and exists (
      select from auth.sessions
      where id::text = claims ->> 'session_id' and user_id::text = claims ->> 'sub'
    ) and exists (
      select from jsonb_array_elements(claims -> 'amr') as proof
      where (proof ->> 'timestamp')::numeric > extract(epoch from now() - interval '10 minutes')
    ) and (
      claims ->> 'aal' = 'aal2'
      or not exists (
        select from auth.mfa_factors where user_id::text = claims ->> 'sub' and status = 'verified'
      )
    )
  $function$;

CREATE OR REPLACE FUNCTION private.is_admin()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role = 'admin'
    ) and not private.owes_second_factor() and not private.is_application()
  $function$;

CREATE OR REPLACE FUNCTION private.is_application()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    select auth.jwt() ->> 'client_id' is not null
  $function$;

CREATE OR REPLACE FUNCTION private.is_bystander()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select private.is_application()
      or exists (select from auth.users where id = (select auth.uid()) and is_anonymous)
  $function$;

CREATE OR REPLACE FUNCTION public.list_own_account_log()
  RETURNS TABLE (
    created_at timestamp with time zone,
    action     text,
    ip         text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select entries.created_at, entries.payload ->> 'action', entries.ip_address::text
    from auth.audit_log_entries as entries
    where entries.payload ->> 'actor_id' = (select auth.uid())::text
      and not (select private.owes_second_factor()) and not (select private.is_application())
    order by entries.created_at
  $function$;

CREATE OR REPLACE FUNCTION public.list_own_sessions()
  RETURNS TABLE (
    created_at   timestamp with time zone,
    refreshed_at timestamp with time zone,
    user_agent   text,
    ip           text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select sessions.created_at, sessions.refreshed_at at time zone 'utc', sessions.user_agent, host(sessions.ip)
    from auth.sessions as sessions
    where sessions.user_id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_application())
    order by sessions.created_at
  $function$;

CREATE POLICY "Bystanders are not in the chat" ON "public"."chat_messages"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)))
  WITH CHECK ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders are not in the chat" ON "public"."chat_mutes"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)))
  WITH CHECK ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders report nothing" ON "public"."chat_reports"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)))
  WITH CHECK ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders take no name and no picture" ON "public"."profiles"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders add nothing" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders change nothing" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders remove nothing" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders are not in the chat" ON "realtime"."messages"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Signed-in people see who is in the chat" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING (((EXTENSION = 'presence'::text) AND (( SELECT realtime.topic() AS topic) = 'chat'::text) AND (NOT ( SELECT private.is_bystander() AS is_bystander))));

CREATE POLICY "Bystanders add nothing" ON "storage"."objects"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders change nothing" ON "storage"."objects"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders remove nothing" ON "storage"."objects"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)));
