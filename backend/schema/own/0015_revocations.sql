-- Ended sessions and banned accounts, kept for as long as one of their tokens may still be valid. Every process
-- caches the table and refreshes its copy on each notification and by occasional polling, so that no request has to
-- query it.

create table if not exists backend.revocations (
  -- A session or an account: ids are random UUIDs, so one column can hold both.
  subject uuid not null primary key,
  until timestamptz not null default 'infinity',
  revoked_at timestamptz not null default now(),
  -- Readers find rows of transactions that committed after their last poll by this.
  written_by xid8 not null default pg_current_xact_id()
);
create index if not exists revocations_written_by_idx on backend.revocations (written_by);
create index if not exists revocations_revoked_at_idx on backend.revocations (revoked_at);

alter table backend.revocations enable row level security;
grant usage on schema backend to authenticator, supabase_auth_admin;
grant select on table backend.revocations to authenticator, supabase_auth_admin;
grant delete on table backend.revocations to supabase_auth_admin;

drop policy if exists "The services read what was revoked" on backend.revocations;
create policy "The services read what was revoked" on backend.revocations
  for select to authenticator, supabase_auth_admin using (true);
drop policy if exists "The auth service forgets what no token can name any more" on backend.revocations;
create policy "The auth service forgets what no token can name any more" on backend.revocations
  for delete to supabase_auth_admin using (revoked_at < now() - interval '8 days');

-- A token lives for at most a week, so a session without a newer one has no valid tokens left.
create or replace function backend.revoke_ended_sessions() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      insert into backend.revocations (subject)
        select id from ended
        where greatest(created_at, updated_at, refreshed_at at time zone 'utc') > now() - interval '8 days'
        on conflict (subject) do nothing;
      if found then
        notify backend_revocations;
      end if;
      return null;
    end
  $$;

create or replace function backend.revoke_banned_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      insert into backend.revocations as known (subject, until)
        values (
          new.id,
          case when new.deleted_at is not null then 'infinity' else coalesce(new.banned_until, now()) end
        )
        on conflict (subject) do update set
          until = excluded.until, revoked_at = excluded.revoked_at, written_by = excluded.written_by;
      notify backend_revocations;
      return null;
    end
  $$;

revoke execute on function backend.revoke_ended_sessions(), backend.revoke_banned_user() from public;

create or replace trigger revoke_ended_sessions
  after delete on auth.sessions
  referencing old table as ended
  for each statement execute function backend.revoke_ended_sessions();

create or replace trigger revoke_banned_user
  after update of banned_until, deleted_at on auth.users
  for each row
  when (old.banned_until is distinct from new.banned_until or old.deleted_at is distinct from new.deleted_at)
  execute function backend.revoke_banned_user();

-- Accounts that were banned before this table existed.
insert into backend.revocations (subject, until)
  select id, case when deleted_at is not null then 'infinity' else banned_until end
  from auth.users where banned_until > now() or deleted_at is not null
  on conflict (subject) do nothing;

-- Tells the realtime service that rights in private channels may have changed. For policies that read tables, whoever
-- changes those tables must notify: `notify realtime_rights, '<id of the user>'`, or no payload for all users. Only a
-- superuser may create the event trigger; without it, the service finds changed definitions by re-checking
-- periodically.
create or replace function backend.announce_rights() returns event_trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      notify realtime_rights;
    end
  $$;

do $$
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    return;
  end if;
  if not exists (select from pg_event_trigger where evtname = 'realtime_rights_watch') then
    create event trigger realtime_rights_watch on ddl_command_end
      when tag in (
        'CREATE POLICY', 'ALTER POLICY', 'DROP POLICY', 'GRANT', 'REVOKE', 'ALTER TABLE',
        'CREATE FUNCTION', 'ALTER FUNCTION', 'DROP FUNCTION'
      )
      execute function backend.announce_rights();
  end if;
end
$$;
