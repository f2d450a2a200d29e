-- Triggers of chat_messages fire in alphabetical order: …_ask_for_… before …_check_message, which counts the message,
-- and …_do_address after it.

-- The live chat and its protections: muting another user for oneself, and reports to the admins.
create table public.chat_mutes (
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  muted_user_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, muted_user_id),
  constraint chat_mutes_nobody_mutes_themselves check (user_id <> muted_user_id)
);
comment on table public.chat_mutes is 'Users whose messages this user has muted.';

create index chat_mutes_muted_user_id_idx on public.chat_mutes (muted_user_id);

alter table public.chat_mutes enable row level security;
create policy "Users see their own mutes" on public.chat_mutes
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "Users mute others for themselves" on public.chat_mutes
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy "Users delete their own mutes" on public.chat_mutes
  for delete to authenticated
  using (user_id = (select auth.uid()));

create policy "Sessions without the second factor cannot insert" on public.chat_mutes
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot update" on public.chat_mutes
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot delete" on public.chat_mutes
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

create policy "Anonymous accounts and applications have no access to the chat" on public.chat_mutes
  as restrictive for all to authenticated
  using (not (select private.is_anonymous_or_application()))
  with check (not (select private.is_anonymous_or_application()));

grant select, delete on table public.chat_mutes to authenticated;
grant insert (user_id, muted_user_id) on table public.chat_mutes to authenticated;

create trigger chat_mutes_limit_mutes
  after insert on public.chat_mutes
  for each statement execute function private.limit_own_rows(
    1000, 'You can mute up to 1000 people: unmute one to mute another'
  );

create table public.chat_messages (
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  username text not null default '',
  message text not null default ''
    constraint chat_messages_message_has_1_to_1000_characters check (char_length(message) between 1 and 1000),
  created_at timestamptz not null default now(),
  phrase text,
  items text,
  trade text,
  reply_to uuid,
  mentions uuid[],
  constraint chat_messages_are_of_one_kind check (num_nonnulls(phrase, trade) < 2 and (items is null or phrase is not null))
);
comment on table public.chat_messages is 'Chat messages, trimmed; unknown words are replaced by ####.';
comment on column public.chat_messages.username is 'The author''s username when it was sent, regardless of what the client sent.';
comment on column public.chat_messages.message is 'The whole text; for quick talk the database generates it (quick-talk.sql).';
comment on column public.chat_messages.items is 'The items that fill the phrase, as slots of the calculator''s URL.';
comment on column public.chat_messages.trade is 'A trade card: the query of the calculator''s URL, from the author''s side.';
comment on column public.chat_messages.reply_to is 'The message that it replies to, which may have been deleted since.';

create index chat_messages_created_at_idx on public.chat_messages (created_at desc);
create index chat_messages_user_id_created_at_idx on public.chat_messages (user_id, created_at desc);

alter table public.chat_messages enable row level security;
create policy "Users write messages in their own name" on public.chat_messages
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy "Users delete their own messages; moderators delete any" on public.chat_messages
  for delete to authenticated
  using (user_id = (select auth.uid()) or (select private.is_moderator()));

create policy "Signed-in users see every message" on public.chat_messages
  for select to authenticated
  using (true);

create policy "Sessions without the second factor cannot insert" on public.chat_messages
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot update" on public.chat_messages
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot delete" on public.chat_messages
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

-- Does not restrict reading: read access is the same for everyone, so that realtime checks a message once per room
-- and not once per reader.
create policy "Anonymous accounts and applications cannot insert" on public.chat_messages
  as restrictive for insert to authenticated
  with check (not (select private.is_anonymous_or_application()));

create policy "Anonymous accounts and applications cannot delete" on public.chat_messages
  as restrictive for delete to authenticated
  using (not (select private.is_anonymous_or_application()));

grant select, delete on table public.chat_messages to authenticated;
grant insert (user_id, username, message) on table public.chat_messages to authenticated;

-- Makes sending idempotent: the browser chooses the message's id, so that a retry after a lost response is refused as
-- a duplicate and the message never appears twice.
grant insert (id) on table public.chat_messages to authenticated;
grant insert (phrase, items, trade, reply_to, mentions) on table public.chat_messages to authenticated;

-- The original text of messages with hidden words, for moderators who judge reports; kept for a day, like deleted
-- messages, and while a report of the message is open: its evidence contains only what others saw.
create table public.chat_originals (
  message_id uuid not null primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  message text not null,
  created_at timestamptz not null default now()
);
comment on table public.chat_originals is 'Original text of messages with hidden words; for moderators, kept for 24 hours and while a report is open.';

create index chat_originals_user_id_created_at_idx on public.chat_originals (user_id, created_at desc);
create index chat_originals_created_at_idx on public.chat_originals (created_at);

alter table public.chat_originals enable row level security;
-- In PL/pgSQL, because reports are created later.
create function private.is_message_under_report(message uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
    begin
      return exists (
        select from public.reports where subject_id = message and kind = 'message' and resolved_at is null
      );
    end
  $$;
revoke execute on function private.is_message_under_report(uuid) from public;
grant execute on function private.is_message_under_report(uuid) to authenticated, service_role;

create policy "Moderators see original texts for a day, or while reported" on public.chat_originals
  for select to authenticated
  using (
    (select private.is_moderator())
    and (created_at > now() - interval '24 hours' or private.is_message_under_report(message_id))
  );

grant select on table public.chat_originals to authenticated;

create function private.keep_original(id uuid, person uuid, value text) returns void
  language sql security definer
  set search_path = ''
  as $$
    insert into public.chat_originals (message_id, user_id, message) values (id, person, value)
      on conflict (message_id) do nothing
  $$;

-- A message without the names that address_message puts in front, which are not the writer's own words.
create function private.without_mentions(message text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$ select regexp_replace(message, '^(@[A-Za-z0-9_]{3,20} )+', '') $$;

-- Digits without letters.
create function private.is_figures(words text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$ select words ~ '^[^[:alpha:]]*[0-9][^[:alpha:]]*$' $$;

-- Judges text that is split across messages as a whole: together with the user's own short messages of the last two
-- minutes, in their original wording and including deleted ones, since others have read them. Digits-only messages in
-- a row are joined regardless of who in the room wrote them.
create function private.find_harm_in_pieces(person uuid, value text) returns text
  language plpgsql stable security definer
  set search_path = ''
  as $$
    declare
      span constant interval := '2 minutes';
      words constant text := private.without_mentions(value);
      pieces text;
      row_of_figures text;
      verdict private.verdict;
    begin
      if char_length(words) > 60 then
        return null;
      end if;
      select string_agg(private.without_mentions(coalesce(original.message, piece.message)), E'\n' order by piece.created_at)
        into pieces
        from (
          (
            select id, message, created_at from public.chat_messages
            where user_id = person and created_at > now() - span and char_length(private.without_mentions(message)) <= 60
            order by created_at desc limit 8
          ) union all (
            select id, message, created_at from public.deleted_chat_messages
            where user_id = person and created_at > now() - span and char_length(private.without_mentions(message)) <= 60
            order by created_at desc limit 8
          )
          order by created_at desc limit 8
        ) as piece
        left join public.chat_originals as original on original.message_id = piece.id;
      if pieces is not null then
        verdict := private.judge_text(pieces || E'\n' || words);
        -- Words hidden in a single message were handled there; this refuses letters that spell a word only together.
        if verdict.refusal is not null or private.holds_spelling(pieces || E'\n' || words) then
          return coalesce(verdict.refusal, 'Please write whole words: words that are spelled letter by letter are not shown');
        end if;
      end if;
      if private.is_figures(words) then
        select string_agg(message, ' ' order by created_at) into row_of_figures
          from (
            select message, created_at, bool_and(message ~ '^[^[:alpha:]]*$') over (order by created_at desc) as in_a_row
            from (
              select private.without_mentions(message) as message, created_at
              from (
                (
                  select message, created_at from public.chat_messages
                  where created_at > now() - span order by created_at desc limit 8
                ) union all (
                  select message, created_at from public.deleted_chat_messages
                  where created_at > now() - span order by created_at desc limit 8
                )
              ) as said
              order by created_at desc limit 8
            ) as latest
          ) as latest where in_a_row;
        return (private.judge_text(row_of_figures || ' ' || words)).refusal;
      end if;
      return null;
    end
  $$;

-- Sets what clients may not choose, the author and the time, and enforces the rate limit.
create function private.stamp_message(message public.chat_messages) returns public.chat_messages
  language plpgsql
  set search_path = ''
  as $$
    begin
      message.username := coalesce((select username from public.profiles where id = message.user_id), 'Anonymous');
      if row_security_active('public.chat_messages') then
        perform private.limit_rate(
          message.user_id, 'chat message', 5, interval '10 seconds',
          'You are sending messages too fast: at most 5 in 10 seconds'
        );
        message.created_at := clock_timestamp();
      end if;
      return message;
    end
  $$;

create function private.check_chat_message() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      original text;
      refusal text;
    begin
      -- Only the name of somebody whom it mentions changed.
      if tg_op = 'UPDATE' and private.without_mentions(new.message) = private.without_mentions(old.message) then
        return new;
      end if;
      new.message := private.trim_text(new.message);
      if char_length(new.message) > 1000 then
        raise exception using errcode = 'check_violation', message = 'Message too long (max 1000 characters)';
      end if;
      original := private.tidy_text(new.message);
      -- Invisible characters alone are not a message.
      if private.trim_text(private.plain_text(original)) = '' then
        raise exception using errcode = 'check_violation', message = 'Message cannot be empty';
      end if;
      -- Imports by the owner or a server are not refused, but unknown words are still hidden.
      new.message := left(
        case when row_security_active('public.chat_messages') then private.require_known_text(original)
          else private.show_text(original) end,
        1000
      );
      new := private.stamp_message(new);
      if row_security_active('public.chat_messages') then
        -- So that several people's digits at the same time are joined, too.
        if private.is_figures(private.without_mentions(original)) then
          perform pg_advisory_xact_lock(hashtextextended('figures', 0));
        end if;
        refusal := private.find_harm_in_pieces(new.user_id, original);
        if refusal is not null then
          raise exception using errcode = 'check_violation', message = refusal, constraint = 'safe_text';
        end if;
      end if;
      if new.message <> original then
        perform private.keep_original(new.id, new.user_id, original);
      end if;
      return new;
    end
  $$;

-- Only for text that a user wrote; the database generates the text of quick-talk messages itself.
create trigger chat_messages_check_message
  before insert or update of message on public.chat_messages
  for each row when (new.phrase is null and new.trade is null)
  execute function private.check_chat_message();

-- Deleting an offensive message before it is reported must not help its author: messages deleted by users are kept
-- for a day, for late reports and the admins who judge them, and then deleted permanently. Messages deleted with an
-- account or by the operator are not kept.
create table public.deleted_chat_messages (
  id uuid not null primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  username text not null,
  message text not null,
  created_at timestamptz not null,
  deleted_at timestamptz not null default now()
);
comment on table public.deleted_chat_messages is 'Chat messages that users deleted within the last 24 hours; for moderators.';

create index deleted_chat_messages_user_id_created_at_idx on public.deleted_chat_messages (user_id, created_at desc);
create index deleted_chat_messages_created_at_idx on public.deleted_chat_messages (created_at);
create index deleted_chat_messages_deleted_at_idx on public.deleted_chat_messages (deleted_at);

alter table public.deleted_chat_messages enable row level security;
create policy "Moderators see deleted messages for a day" on public.deleted_chat_messages
  for select to authenticated
  using (deleted_at > now() - interval '24 hours' and (select private.is_moderator()));

grant select on table public.deleted_chat_messages to authenticated;

-- Called at each deletion, and hourly by the server.
create function private.forget_deleted_messages() returns void
  language sql
  set search_path = ''
  as $$
    -- In the order in which deleting an account locks them.
    delete from public.chat_originals
      where created_at <= now() - interval '24 hours' and not private.is_message_under_report(message_id);
    delete from public.deleted_chat_messages where deleted_at <= now() - interval '24 hours'
  $$;
revoke execute on function private.forget_deleted_messages() from public;

create function private.keep_deleted_message() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.forget_deleted_messages();
      insert into public.deleted_chat_messages (id, user_id, username, message, created_at)
        values (old.id, old.user_id, old.username, old.message, old.created_at)
        on conflict (id) do nothing;
      return null;
    end
  $$;
revoke execute on function private.keep_deleted_message() from public;

-- Skips cascades: they run as the table's owner, to whom row-level security does not apply.
create trigger chat_messages_keep_deleted_message
  after delete on public.chat_messages
  for each row when (row_security_active('public.chat_messages'))
  execute function private.keep_deleted_message();

-- Browsers choose message ids, so the id of a deleted message must not be reused: a retry after a lost
-- acknowledgement must not bring the message back, and a harmless text under the same id must not replace it in the
-- admins' view.
-- A retry of a stored message is recognized before any other trigger judges or counts it; hence the name.
create function private.refuse_used_id() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if exists (select from public.chat_messages where id = new.id)
        or exists (select from public.deleted_chat_messages where id = new.id)
        -- Reports outlast them, and those who reported the message could not report another under its id.
        or exists (
          select from public.reports where subject_id = new.id and kind = 'message' and message_id is null
        )
      then
        raise exception using errcode = 'unique_violation', message = 'This message was sent already';
      end if;
      return new;
    end
  $$;
revoke execute on function private.refuse_used_id() from public;

create trigger chat_messages_admit_id
  before insert on public.chat_messages
  for each row execute function private.refuse_used_id();
