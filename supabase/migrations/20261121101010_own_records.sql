-- What the auth service keeps of a person besides the account itself, for the file of all their data: sign-ins that are
-- still open, and the log of what was done with the account. Nobody reads another's, and half a sign-in reads nothing.

create function public.list_own_sessions()
  returns table (created_at timestamptz, refreshed_at timestamptz, user_agent text, ip text)
  language sql stable security definer
  set search_path = ''
  as $$
    select sessions.created_at, sessions.refreshed_at at time zone 'utc', sessions.user_agent, host(sessions.ip)
    from auth.sessions as sessions
    where sessions.user_id = (select auth.uid()) and not (select private.owes_second_factor())
    order by sessions.created_at
  $$;
comment on function public.list_own_sessions() is 'The open sign-ins of whoever calls it, the oldest first.';

create function public.list_own_account_log()
  returns table (created_at timestamptz, action text, ip text)
  language sql stable security definer
  set search_path = ''
  as $$
    select entries.created_at, entries.payload ->> 'action', entries.ip_address::text
    from auth.audit_log_entries as entries
    where entries.payload ->> 'actor_id' = (select auth.uid())::text
      and not (select private.owes_second_factor())
    order by entries.created_at
  $$;
comment on function public.list_own_account_log() is
  'What the log of accounts holds of whoever calls it, the oldest first.';

revoke execute on function public.list_own_sessions(), public.list_own_account_log() from public, anon, service_role;
grant execute on function public.list_own_sessions(), public.list_own_account_log() to authenticated;
