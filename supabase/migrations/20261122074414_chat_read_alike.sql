DROP POLICY "Bystanders are not in the chat" ON "public"."chat_messages";

CREATE POLICY "Bystanders add nothing" ON "public"."chat_messages"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders remove nothing" ON "public"."chat_messages"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)));
