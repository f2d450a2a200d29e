create function private.stores_contact_messages() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$ select stores_contact_messages from private.settings $$;

-- Messages from the contact form, if the operator wants them stored (settings.stores_contact_messages). By default
-- nothing leaves the browser and nothing is accepted.
create table public.contact_messages (
  id uuid not null primary key default gen_random_uuid(),
  name text not null
    constraint contact_messages_name_has_1_to_100_characters
    check (char_length(name) <= 100 and private.trim_text(name) <> ''),
  email text not null
    constraint contact_messages_email_has_at_most_255_characters check (char_length(email) <= 255)
    constraint contact_messages_email_is_an_address check (email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  subject text not null
    constraint contact_messages_subject_has_1_to_200_characters
    check (char_length(subject) <= 200 and private.trim_text(subject) <> ''),
  message text not null
    constraint contact_messages_message_has_1_to_2000_characters
    check (char_length(message) <= 2000 and private.trim_text(message) <> ''),
  created_at timestamptz not null default now(),
  mailed_at timestamptz
);
comment on table public.contact_messages is 'Messages to the operator; read by admins only.';
comment on column public.contact_messages.mailed_at is 'When it was queued for mailing.';

create index contact_messages_created_at_idx on public.contact_messages (created_at desc);
create index contact_messages_unmailed_idx on public.contact_messages (created_at) where mailed_at is null;
create index contact_messages_email_created_at_idx on public.contact_messages (lower(email), created_at);

alter table public.contact_messages enable row level security;
create policy "Everybody writes contact messages where they are stored" on public.contact_messages
  for insert to anon, authenticated
  with check ((select private.stores_contact_messages()));

create policy "Admins read contact messages" on public.contact_messages
  for select to authenticated
  using ((select private.is_admin()));

create policy "Admins delete contact messages" on public.contact_messages
  for delete to authenticated
  using ((select private.is_admin()));

grant insert (name, email, subject, message) on table public.contact_messages to anon, authenticated;
grant select, delete on table public.contact_messages to authenticated;

create table private.contact_paces (
  sender bytea not null primary key,
  sent timestamptz[] not null
);
comment on table private.contact_paces is 'Times of each sender''s contact messages within the last hour.';

create function private.digest_contact_sender() returns bytea
  language sql stable
  set search_path = ''
  as $$
    select sha256(convert_to(contact_key || coalesce(
        (select auth.uid())::text,
        nullif(current_setting('request.headers', true), '')::json ->> 'x-client-network'
      ), 'UTF8'))
    from private.settings
  $$;

-- Limits: ten an hour per sender, three an hour per reply address and, against many senders at once, a hundred per
-- ten minutes in total. The lock makes concurrent messages count each other. The same message again within an hour is a
-- repeat whose first answer was lost: it is taken, and neither stored nor counted a second time.
create function private.limit_contact_rate() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      hour_ago constant timestamptz := now() - interval '1 hour';
      me constant bytea := private.digest_contact_sender();
    begin
      perform pg_advisory_xact_lock(hashtextextended('contact_messages', 0));
      if exists (
        select from public.contact_messages
        where lower(email) = lower(new.email) and created_at > hour_ago
          and (name, email, subject, message) = (new.name, new.email, new.subject, new.message)
      ) then
        return null;
      end if;
      update private.contact_paces set sent = array(select at from unnest(sent) as at where at > hour_ago);
      delete from private.contact_paces where sent = '{}';
      if (select cardinality(sent) from private.contact_paces where sender = me) >= 10
        or (select count(*) from public.contact_messages
          where lower(email) = lower(new.email) and created_at > hour_ago) >= 3
        or (select count(*) from public.contact_messages
          where created_at > now() - interval '10 minutes') >= 100
      then
        raise exception using errcode = 'PT429', message = 'Too many messages right now, please try again later';
      end if;
      if me is not null then
        insert into private.contact_paces as pace (sender, sent) values (me, array[now()])
          on conflict (sender) do update set sent = pace.sent || now();
      end if;
      return new;
    end
  $$;

create trigger contact_messages_limit_rate
  before insert on public.contact_messages
  for each row execute function private.limit_contact_rate();

-- Notifies the listener that has the function `contact` mail the message.
create function private.announce_contact_message() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      notify contact_messages;
      return null;
    end
  $$;
revoke execute on function private.announce_contact_message() from public;

create trigger contact_messages_announce
  after insert on public.contact_messages
  for each statement execute function private.announce_contact_message();

-- Adds a stored message to the mail queue, once, and only to the operator's address from the settings: the caller
-- chooses the mail's wording and nothing else. Leaves most of the queue to mails that give access to accounts.
-- Returns whether the mail was queued.
create function public.mail_contact_message(message_id uuid, subject text, body_text text, body_html text)
  returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      operator constant text := (select contact_mail_to from private.settings);
      sender text;
    begin
      if operator is null or (select count(*) from backend.mail_queue) >= 1000 then
        return false;
      end if;
      update public.contact_messages set mailed_at = now()
        where id = message_id and mailed_at is null
        returning email into sender;
      if sender is null then
        return false;
      end if;
      insert into backend.mail_queue (message) values (jsonb_build_object(
        'to', operator,
        'replyTo', jsonb_build_object('name', '', 'address', sender),
        'subject', left(subject, 300),
        'text', left(body_text, 10000),
        'html', left(body_html, 20000)
      ));
      notify backend_mail;
      return true;
    end
  $$;
revoke execute on function public.mail_contact_message(uuid, text, text, text) from public, anon, authenticated;
grant execute on function public.mail_contact_message(uuid, text, text, text) to service_role;
