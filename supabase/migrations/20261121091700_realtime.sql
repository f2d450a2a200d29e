-- The tables whose changes are followed live: by the chat, and by the server, which keeps rendered pages until the
-- catalogue changes. Row-level security decides who is told of an insert or an update.

alter publication supabase_realtime add table
  public.items,
  public.categories,
  public.item_value_changes,
  public.page_configurations,
  public.ads,
  public.field_definitions,
  public.chat_messages;
