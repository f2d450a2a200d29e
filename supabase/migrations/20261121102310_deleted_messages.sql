-- Whoever writes something bad and deletes it before anybody reports it does not get away with it: what people delete is
-- kept for a day, for reports that come late and for the admins who judge them. Then it goes for good. What goes with an
-- account, or by the hand of the operator, is not kept.

create table public.deleted_chat_messages (
  id uuid not null primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  username text not null,
  message text not null,
  created_at timestamptz not null,
  deleted_at timestamptz not null default now()
);
comment on table public.deleted_chat_messages is 'What people deleted from the chat within the last 24 hours, for the admins.';

create index deleted_chat_messages_user_id_idx on public.deleted_chat_messages (user_id);
create index deleted_chat_messages_created_at_idx on public.deleted_chat_messages (created_at);
create index deleted_chat_messages_deleted_at_idx on public.deleted_chat_messages (deleted_at);

alter table public.deleted_chat_messages enable row level security;

create policy "Admins see for a day what people deleted" on public.deleted_chat_messages
  for select to authenticated
  using (deleted_at > now() - interval '24 hours' and (select private.is_admin()));

revoke all on table public.deleted_chat_messages from anon, authenticated;
grant select on table public.deleted_chat_messages to authenticated;
grant all on table public.deleted_chat_messages to service_role;

-- Called at each deletion, and by the server every hour.
create function private.forget_deleted_messages() returns void
  language sql
  set search_path = ''
  as $$
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

-- A cascade runs as the table's owner, for whom row-level security is not active.
create trigger chat_messages_keep_deleted_message
  after delete on public.chat_messages
  for each row when (row_security_active('public.chat_messages'))
  execute function private.keep_deleted_message();

-- A browser chooses its messages' ids. One that was deleted is not written again: a lost acknowledgement must not bring
-- the message back, nor a harmless text under the same id take its place before the admins.
create function private.refuse_deleted_id() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if exists (select from public.deleted_chat_messages where id = new.id) then
        raise exception using errcode = 'unique_violation', message = 'This message was sent and deleted';
      end if;
      return new;
    end
  $$;
revoke execute on function private.refuse_deleted_id() from public;

create trigger chat_messages_ask_for_deleted_id
  before insert on public.chat_messages
  for each row execute function private.refuse_deleted_id();


-- Reports of what is deleted: the message they are about is known by a column of its own, so that one report a person
-- and message stays one.
alter table public.chat_reports add column reported_message_id uuid;
comment on column public.chat_reports.reported_message_id is 'Which message it is about, kept when it is deleted.';
update public.chat_reports set reported_message_id = message_id;

alter table public.chat_reports drop constraint chat_reports_one_per_reporter_and_message;
alter table public.chat_reports
  add constraint chat_reports_one_per_reporter_and_message unique (reported_message_id, reporter_id);
create index chat_reports_message_id_idx on public.chat_reports (message_id);

create or replace function private.fill_chat_report() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      reported record;
    begin
      -- The lock waits for a deletion that is under way, which the second look then finds.
      select user_id, message, created_at into reported
        from public.chat_messages where id = new.message_id for key share;
      new.reported_message_id := new.message_id;
      if not found then
        new.message_id := null;
        select user_id, message, created_at into reported
          from public.deleted_chat_messages
          where id = new.reported_message_id and deleted_at > now() - interval '24 hours';
      end if;
      if not found then
        raise exception using errcode = 'invalid_parameter_value', message = 'This message is gone';
      end if;
      new.message := reported.message;
      new.reported_user_id := reported.user_id;
      new.sent_at := reported.created_at;
      new.reason := nullif(private.trim_text(new.reason), '');
      return new;
    end
  $$;
