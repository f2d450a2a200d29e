-- The chat's private channel, `chat`: signed-in people see who is here, and show that they are. It carries nothing else:
-- messages are rows of chat_messages, so that the rules for them hold, and nobody can speak past them by a broadcast.

create policy "Signed-in people see who is in the chat" on realtime.messages
  for select to authenticated
  using (extension = 'presence' and (select realtime.topic()) = 'chat');

create policy "Signed-in people show that they are in the chat" on realtime.messages
  for insert to authenticated
  with check (extension = 'presence' and (select realtime.topic()) = 'chat');
