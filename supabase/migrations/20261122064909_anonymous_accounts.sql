SET local check_function_bodies = off;

DROP POLICY "Signed-in people see who is in the chat" ON "realtime"."messages";

CREATE OR REPLACE FUNCTION private.create_profile()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      loop
        -- An anonymous one needs its profile for the trades it keeps, and is shown to nobody.
        insert into public.profiles (id, username, listed)
          values (new.id, private.generate_username(new.email), not new.is_anonymous)
          on conflict do nothing;
        exit when exists (select from public.profiles where id = new.id);
      end loop;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.is_anonymous()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (select from auth.users where id = (select auth.uid()) and is_anonymous)
  $function$;

CREATE OR REPLACE FUNCTION private.list_full_account()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      update public.profiles set listed = true where id = new.id;
      -- The chat is open to it at once, where it follows something already.
      perform pg_notify('realtime_rights', new.id::text);
      return null;
    end
  $function$;

CREATE TRIGGER list_account_that_became_full
  AFTER UPDATE OF is_anonymous ON auth.users
  FOR EACH ROW
  WHEN ((old.is_anonymous AND (NOT new.is_anonymous)))
  EXECUTE FUNCTION private.list_full_account();

CREATE POLICY "Anonymous accounts are not in the chat" ON "public"."chat_messages"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous() AS is_anonymous)))
  WITH CHECK ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));

CREATE POLICY "Anonymous accounts are not in the chat" ON "public"."chat_mutes"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous() AS is_anonymous)))
  WITH CHECK ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));

CREATE POLICY "Anonymous accounts report nothing" ON "public"."chat_reports"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous() AS is_anonymous)))
  WITH CHECK ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));

CREATE POLICY "Anonymous accounts take no name and no picture" ON "public"."profiles"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));

CREATE POLICY "Anonymous accounts add nothing" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));

CREATE POLICY "Anonymous accounts change nothing" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));

CREATE POLICY "Anonymous accounts remove nothing" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));

CREATE POLICY "Anonymous accounts are not in the chat" ON "realtime"."messages"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));

CREATE POLICY "Signed-in people see who is in the chat" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING (((EXTENSION = 'presence'::text) AND (( SELECT realtime.topic() AS topic) = 'chat'::text) AND (NOT ( SELECT private.is_anonymous() AS is_anonymous))));

CREATE POLICY "Anonymous accounts add nothing" ON "storage"."objects"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));

CREATE POLICY "Anonymous accounts change nothing" ON "storage"."objects"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));

CREATE POLICY "Anonymous accounts remove nothing" ON "storage"."objects"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous() AS is_anonymous)));
