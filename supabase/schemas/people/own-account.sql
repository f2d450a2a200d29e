-- Users delete their own account with everything that belongs to it: profile, saved trades, ratings, messages, mutes,
-- reports. This requires a session that is still open and was signed in to within the last ten minutes, with the
-- second factor if there is one: a stolen token or an unattended device must not suffice, nor does an application's
-- token.
create function private.has_recent_sign_in(claims jsonb) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select claims ->> 'client_id' is null and exists (
      select from auth.sessions
      where id::text = claims ->> 'session_id' and user_id::text = claims ->> 'sub'
    ) and exists (
      select from jsonb_array_elements(claims -> 'amr') as proof
      where (proof ->> 'timestamp')::numeric > extract(epoch from now() - interval '10 minutes')
    ) and (
      claims ->> 'aal' = 'aal2'
      or not exists (
        select from auth.mfa_factors where user_id::text = claims ->> 'sub' and status = 'verified'
      )
    )
  $$;
revoke execute on function private.has_recent_sign_in(jsonb) from public;

create function public.delete_own_account() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if not private.has_recent_sign_in(auth.jwt()) then
        raise exception using
          errcode = 'PT403', message = 'Please log in again first: deleting an account needs a fresh sign-in';
      end if;
      delete from auth.users where id = (select auth.uid());
    end
  $$;
comment on function public.delete_own_account() is
  'Deletes the caller''s account and all its data; requires a sign-in within the last ten minutes.';
revoke execute on function public.delete_own_account() from public, anon, service_role;
grant execute on function public.delete_own_account() to authenticated;

create function public.list_own_account_log()
  returns table (created_at timestamptz, action text, ip text)
  language sql stable security definer
  set search_path = ''
  as $$
    select entries.created_at, entries.payload ->> 'action', entries.ip_address::text
    from auth.audit_log_entries as entries
    where entries.payload ->> 'actor_id' = (select auth.uid())::text
      and not (select private.owes_second_factor()) and not (select private.is_application())
    order by entries.created_at
  $$;
comment on function public.list_own_account_log() is
  'The caller''s entries in the account audit log, oldest first.';

-- What users asked for, kept in tables that nobody may read. In PL/pgSQL, because these are created later.
create function public.list_own_requests()
  returns table (kind text, what text, at timestamptz)
  language plpgsql stable security definer
  set search_path = ''
  as $$
    declare
      person constant uuid := (select auth.uid());
    begin
      if not private.owes_second_factor() and not private.is_application() then
        return query
          select 'word', asked.word, null::timestamptz from private.word_askers as asked where asked.user_id = person
          union all
          select 'permission', log.act, log.at from private.consent_log as log where log.child_id = person
          order by 1, 3, 2;
      end if;
    end
  $$;
comment on function public.list_own_requests() is
  'The words that the caller asked for, and the history of a parent''s permission.';

-- The auth service's data about a user besides the account itself: open sessions, for the account page and the data
-- export, and the audit log of the account. Users can read only their own, and not before giving the second factor.
create function public.list_own_sessions()
  returns table (
    created_at timestamptz,
    refreshed_at timestamptz,
    user_agent text,
    ip text,
    id uuid,
    is_current boolean,
    is_application boolean
  )
  language sql stable security definer
  set search_path = ''
  as $$
    select
      sessions.created_at, sessions.refreshed_at at time zone 'utc', sessions.user_agent, host(sessions.ip),
      sessions.id, sessions.id::text is not distinct from auth.jwt() ->> 'session_id', sessions.oauth_client_id is not null
    from auth.sessions as sessions
    where sessions.user_id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_application())
    order by sessions.created_at
  $$;
comment on function public.list_own_sessions() is 'The caller''s open sessions, oldest first.';

-- The auth service can end only this session, all others, or all. Every process learns of it from the deletion of the
-- row.
create function public.end_own_session(session_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from auth.sessions as sessions
      where sessions.id = session_id and sessions.user_id = (select auth.uid())
        and not (select private.owes_second_factor()) and not (select private.is_application());
      return found;
    end
  $$;
comment on function public.end_own_session(uuid) is
  'Ends one of the caller''s sessions; returns whether there was one.';
revoke execute on function
  public.list_own_sessions(), public.list_own_account_log(), public.list_own_requests(), public.end_own_session(uuid)
  from public, anon, service_role;
grant execute on function
  public.list_own_sessions(), public.list_own_account_log(), public.list_own_requests(), public.end_own_session(uuid)
  to authenticated;
