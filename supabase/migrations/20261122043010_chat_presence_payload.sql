DROP POLICY "Signed-in people show that they are in the chat" ON "realtime"."messages";

CREATE POLICY "Signed-in people show that they are in the chat" ON "realtime"."messages"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((extension = 'presence'::text) AND (( SELECT realtime.topic() AS topic) = 'chat'::text) AND (COALESCE(payload, '{}'::jsonb) = '{}'::jsonb)));
