-- The live chat, and what protects the people in it: muting somebody for oneself, and reports to the admins.

create table public.chat_mutes (
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  muted_user_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, muted_user_id),
  constraint chat_mutes_nobody_mutes_themselves check (user_id <> muted_user_id)
);
comment on table public.chat_mutes is 'Whose messages a person does not want to see.';

create index chat_mutes_muted_user_id_idx on public.chat_mutes (muted_user_id);

alter table public.chat_mutes enable row level security;

create policy "People see whom they muted" on public.chat_mutes
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "People mute others for themselves" on public.chat_mutes
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy "People unmute for themselves" on public.chat_mutes
  for delete to authenticated
  using (user_id = (select auth.uid()));

revoke all on table public.chat_mutes from anon, authenticated;
grant select, delete on table public.chat_mutes to authenticated;
grant insert (user_id, muted_user_id) on table public.chat_mutes to authenticated;
grant all on table public.chat_mutes to service_role;


create table public.chat_messages (
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  username text not null default '',
  message text not null
    constraint chat_messages_message_has_1_to_1000_characters check (char_length(message) between 1 and 1000),
  created_at timestamptz not null default now()
);
comment on table public.chat_messages is 'Chat messages, trimmed and filtered.';
comment on column public.chat_messages.username is 'The writer''s profile name of that moment, whatever the client sent.';

create index chat_messages_created_at_idx on public.chat_messages (created_at desc);
create index chat_messages_user_id_created_at_idx on public.chat_messages (user_id, created_at desc);

alter table public.chat_messages enable row level security;

create policy "Signed-in people see the messages of those they did not mute" on public.chat_messages
  for select to authenticated
  using (
    user_id not in (
      select chat_mutes.muted_user_id from public.chat_mutes where chat_mutes.user_id = (select auth.uid())
    )
  );

create policy "People write messages in their own name" on public.chat_messages
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy "People delete their own messages, admins any" on public.chat_messages
  for delete to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

revoke all on table public.chat_messages from anon, authenticated;
grant select, delete on table public.chat_messages to authenticated;
grant insert (user_id, username, message) on table public.chat_messages to authenticated;
grant all on table public.chat_messages to service_role;

-- Five messages in ten seconds per person; imports by the owner and servers are not people typing. The lock makes
-- messages sent at the same moment wait for each other, so that they are counted.
create function private.limit_chat_rate(person uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
    declare
      sent integer;
    begin
      perform pg_advisory_xact_lock(hashtextextended('chat:' || person, 0));
      select count(*) into sent from public.chat_messages
        where user_id = person and created_at > clock_timestamp() - interval '10 seconds';
      if sent >= 5 then
        raise exception using
          errcode = 'PT429', message = 'You are sending messages too fast: at most 5 in 10 seconds';
      end if;
    end
  $$;

create function private.check_chat_message() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      new.message := private.trim_text(new.message);
      -- What cannot be seen is no message either.
      if private.trim_text(private.plain_text(new.message)) = '' then
        raise exception using errcode = 'check_violation', message = 'Message cannot be empty';
      end if;
      if char_length(new.message) > 1000 then
        raise exception using errcode = 'check_violation', message = 'Message too long (max 1000 characters)';
      end if;
      perform private.refuse_unsafe_text(new.message);
      new.username := coalesce((select username from public.profiles where id = new.user_id), 'Anonymous');
      if row_security_active('public.chat_messages') then
        perform private.limit_chat_rate(new.user_id);
        new.created_at := clock_timestamp();
      end if;
      return new;
    end
  $$;

create trigger chat_messages_check_message
  before insert or update on public.chat_messages
  for each row execute function private.check_chat_message();


create table public.chat_reports (
  id uuid not null primary key default gen_random_uuid(),
  message_id uuid references public.chat_messages (id) on delete set null,
  message text not null default '',
  reported_user_id uuid references public.profiles (id) on delete cascade,
  reporter_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  reason text constraint chat_reports_reason_has_at_most_500_characters check (char_length(reason) <= 500),
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by uuid references public.profiles (id) on delete set null,
  constraint chat_reports_one_per_reporter_and_message unique (message_id, reporter_id),
  constraint chat_reports_nobody_reports_themselves check (reporter_id <> reported_user_id)
);
comment on table public.chat_reports is 'Messages that people found bad, for the admins.';
comment on column public.chat_reports.message is 'What the message said, kept when it is deleted.';

create index chat_reports_created_at_idx on public.chat_reports (created_at desc);
create index chat_reports_reported_user_id_idx on public.chat_reports (reported_user_id);
create index chat_reports_reporter_id_idx on public.chat_reports (reporter_id);
create index chat_reports_resolved_by_idx on public.chat_reports (resolved_by);

alter table public.chat_reports enable row level security;

create policy "People see their own reports, admins all" on public.chat_reports
  for select to authenticated
  using (reporter_id = (select auth.uid()) or (select private.is_admin()));

create policy "People report messages in their own name" on public.chat_reports
  for insert to authenticated
  with check (reporter_id = (select auth.uid()));

create policy "Admins resolve reports" on public.chat_reports
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins delete reports" on public.chat_reports
  for delete to authenticated
  using ((select private.is_admin()));

revoke all on table public.chat_reports from anon, authenticated;
grant select, delete on table public.chat_reports to authenticated;
grant insert (message_id, reporter_id, reason) on table public.chat_reports to authenticated;
grant update (resolved_at) on table public.chat_reports to authenticated;
grant all on table public.chat_reports to service_role;

-- A report says what the message said and who wrote it by the database's knowledge, not by the reporter's.
create function private.fill_chat_report() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      reported public.chat_messages;
    begin
      select * into reported from public.chat_messages where id = new.message_id;
      if reported.id is null then
        raise exception using errcode = 'invalid_parameter_value', message = 'This message is gone';
      end if;
      new.message := reported.message;
      new.reported_user_id := reported.user_id;
      new.reason := nullif(private.trim_text(new.reason), '');
      return new;
    end
  $$;

create trigger chat_reports_fill_report
  before insert on public.chat_reports
  for each row execute function private.fill_chat_report();

create function private.sign_resolution() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      new.resolved_at := case when new.resolved_at is not null then now() end;
      new.resolved_by := case
        when new.resolved_at is not null then (select id from public.profiles where id = (select auth.uid()))
      end;
      return new;
    end
  $$;

create trigger chat_reports_sign_resolution
  before update of resolved_at on public.chat_reports
  for each row execute function private.sign_resolution();
