-- The chat's private channel, `chat`: presence of signed-in users, and nothing else. Messages are rows of
-- chat_messages, so that their rules apply; there are no broadcasts that could bypass those rules, and presence
-- carries only the user's id, no payload.
create policy "Signed-in users see who is in the chat" on realtime.messages
  for select to authenticated
  using (
    extension = 'presence'
    and (select realtime.topic()) = 'chat'
    and not (select private.is_anonymous_or_application())
  );

create policy "Signed-in users announce their presence in the chat" on realtime.messages
  for insert to authenticated
  with check (
    extension = 'presence'
    and (select realtime.topic()) = 'chat'
    and coalesce(payload, '{}') = '{}'
  );

create policy "Anonymous accounts and applications have no access to the chat" on realtime.messages
  as restrictive for insert to authenticated
  with check (not (select private.is_anonymous_or_application()));

create policy "Sessions without the second factor cannot join the chat" on realtime.messages
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

-- The site's other private channels, so that it works where public channels are disabled. They deliver table changes,
-- each only to those who may see the row. Nobody may broadcast in them, since no policy allows inserts.
create policy "Staff subscribe to the channels of their panels" on realtime.messages
  for select to authenticated
  using (
    extension = 'broadcast'
    and starts_with((select realtime.topic()), 'admin-')
    and ((select private.is_moderator()) or (select private.is_editor()))
  );

create policy "Everybody may subscribe to the catalogue channel" on realtime.messages
  for select to anon, authenticated
  using (extension = 'broadcast' and (select realtime.topic()) = 'catalogue');

-- Lets a page learn at once that its session was ended elsewhere: the service closes that session's channel. Nothing
-- is sent on it, and nobody else may subscribe.
create policy "Sessions may subscribe to their own channel" on realtime.messages
  for select to authenticated
  using (
    extension = 'broadcast'
    and (select realtime.topic()) = 'session:' || ((select auth.jwt()) ->> 'session_id')
  );

-- The tables whose changes are followed live: by the screens of signed-in users, and by the server, which caches
-- rendered pages until one of them changes. Row-level security decides who receives an insert or an update.
alter publication supabase_realtime add table
  public.items,
  public.categories,
  public.item_value_changes,
  public.game_updates,
  public.status_words,
  public.game_update_items,
  public.page_configurations,
  public.ads,
  public.field_definitions,
  public.chat_messages,
  public.chat_reactions,
  public.reports,
  public.sanctions,
  public.appeals,
  public.case_notes,
  public.second_opinions,
  public.word_requests,
  public.profiles,
  public.user_ratings,
  public.value_proposals,
  public.value_sets,
  public.editor_notices,
  public.editor_names,
  public.change_pictures;
