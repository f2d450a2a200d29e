-- Whoever writes too much to the operator closes the form for themselves, no longer for everybody. The sender is the
-- account, or the network address that the server names in a header. Neither is kept: a digest that nobody can turn back
-- without the database's own key, and only for the hour in which it counts.

alter table private.settings add column contact_key uuid not null default gen_random_uuid();
comment on column private.settings.contact_key is 'Keeps the digests of contact_paces from being guessed.';

create table private.contact_paces (
  sender bytea not null primary key,
  sent timestamptz[] not null
);
comment on table private.contact_paces is 'When each sender wrote to the operator within the last hour.';

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

-- Ten an hour from one sender, three an hour with one e-mail address for answers, and against a crowd of senders a
-- hundred in ten minutes in all. The lock makes messages sent at the same moment count each other.
create or replace function private.limit_contact_rate() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      hour_ago constant timestamptz := now() - interval '1 hour';
      me constant bytea := private.digest_contact_sender();
    begin
      perform pg_advisory_xact_lock(hashtextextended('contact_messages', 0));
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
