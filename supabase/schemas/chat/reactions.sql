-- Reactions to messages: each user may give each emoji once. Everyone has the same read access, as for messages.
create table public.chat_reactions (
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  emoji text not null
    constraint chat_reactions_emoji_is_known check (emoji in ('👍', '❤️', '😂', '😮', '🔥', '🤝', '🎉', '👀')),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (message_id, emoji, user_id)
);
comment on table public.chat_reactions is 'Emoji reactions to chat messages.';

create index chat_reactions_user_id_idx on public.chat_reactions (user_id);

alter table public.chat_reactions enable row level security;
create policy "Signed-in users see every reaction" on public.chat_reactions
  for select to authenticated
  using (true);

create policy "Users react in their own name" on public.chat_reactions
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy "Users delete their own reactions" on public.chat_reactions
  for delete to authenticated
  using (user_id = (select auth.uid()));

create policy "Sessions without the second factor cannot insert" on public.chat_reactions
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot delete" on public.chat_reactions
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

create policy "Anonymous accounts and applications cannot insert" on public.chat_reactions
  as restrictive for insert to authenticated
  with check (not (select private.is_anonymous_or_application()));

create policy "Anonymous accounts and applications cannot delete" on public.chat_reactions
  as restrictive for delete to authenticated
  using (not (select private.is_anonymous_or_application()));

grant select, delete on table public.chat_reactions to authenticated;
grant insert (message_id, emoji, user_id) on table public.chat_reactions to authenticated;

-- A message lists the users of each emoji, so they are limited to a hundred.
create function private.check_reaction() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if row_security_active('public.chat_reactions') then
        perform private.limit_rate(
          new.user_id, 'reaction', 30, interval '1 minute', 'You are reacting too fast: at most 30 times a minute'
        );
      end if;
      -- So that concurrent reactions are counted.
      perform pg_advisory_xact_lock(hashtextextended('reactions/' || new.message_id || new.emoji, 0));
      if (select count(*) >= 100 from public.chat_reactions where message_id = new.message_id and emoji = new.emoji) then
        raise exception using errcode = 'check_violation', message = 'This message has enough of these';
      end if;
      return new;
    end
  $$;

create trigger chat_reactions_check_reaction
  before insert on public.chat_reactions
  for each row execute function private.check_reaction();

-- Silenced users may not react either.
create trigger chat_reactions_ask_for_silence
  before insert on public.chat_reactions
  for each row execute function private.refuse_silenced();

-- Chat messages as shown, with their reactions: {"👍": [user ids, oldest first]}.
create view public.shown_chat_messages
  with (security_invoker = true)
  as
    select id, user_id, username, message, created_at, phrase, items, trade, reply_to, mentions, (
      select jsonb_object_agg(emoji, people) from (
        select emoji, jsonb_agg(user_id order by created_at) as people
        from public.chat_reactions where message_id = chat_messages.id group by emoji
      ) as by_sign
    ) as reactions
    from public.chat_messages
    where user_id not in (
      select chat_mutes.muted_user_id from public.chat_mutes where chat_mutes.user_id = (select auth.uid())
    );
comment on view public.shown_chat_messages is 'Chat messages except those of users whom the reader muted.';
revoke all on public.shown_chat_messages from service_role;
grant select on public.shown_chat_messages to authenticated, service_role;
