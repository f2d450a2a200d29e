DROP POLICY "Admins see all entries; moderators see those about users" ON "public"."admin_acts";

CREATE POLICY "Admins see all entries; moderators see those about other users" ON "public"."admin_acts"
  FOR SELECT
  TO "authenticated"
  USING
    (((( SELECT private.is_admin() AS is_admin) OR (( SELECT private.is_moderator() AS is_moderator) AND (table_name = ANY (ARRAY['reports'::text, 'chat_reports'::text,
    'sanctions'::text,
    'appeals'::text,
    'second_opinions'::text,
    'chat_messages'::text,
    'chat_silences'::text,
    'avatars'::text,
    'user_ratings'::text,
    'age_bands'::text])))) AND
    ((table_name <> ALL (ARRAY['reports'::text, 'chat_reports'::text, 'second_opinions'::text])) OR (person_id IS DISTINCT FROM ( SELECT auth.uid() AS uid)) OR (NOT
    private.has_other_moderator(( SELECT auth.uid() AS uid))))));
