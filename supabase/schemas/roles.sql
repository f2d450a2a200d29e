-- Who is an admin, who may do everything, who an editor, who looks after values, and who a moderator, who looks after people. Nobody gives themselves a role: only the operator's command and servers with the secret key write.
create table public.user_roles (
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null constraint user_roles_role_is_known check (role in ('admin', 'editor', 'moderator')),
  created_at timestamptz not null default now(),
  primary key (user_id, role)
);
comment on table public.user_roles is 'Roles beyond that of a signed-in person: admin, editor, moderator.';

alter table public.user_roles enable row level security;

revoke all on table public.user_roles from anon, authenticated;
grant select on table public.user_roles to authenticated;
grant all on table public.user_roles to service_role;

-- Whoever set up a second factor is known by both. Until it is given, a session (aal1) may read what every signed-in
-- person reads, and does nothing in its person's name. The site asks for the factor at sign-in; a caller with a stolen
-- password and curl does not ask.
create function private.owes_second_factor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(auth.jwt() ->> 'aal', 'aal1') <> 'aal2' and exists (
      select from auth.mfa_factors where user_id = (select auth.uid()) and status = 'verified'
    )
  $$;

-- An application that a person let act for them: it keeps their trades, and has no part in their account or their roles.
create function private.is_application() returns boolean
  language sql stable
  set search_path = ''
  as $$
    select auth.jwt() ->> 'client_id' is not null
  $$;

-- Who keeps trades and is nobody to others: an account without an address, that one browser made, until it becomes a full
-- one (the account's row says so, not the token, which may be older); and an application, which says nothing in its
-- person's name and hears nothing that is said to them.
create function private.is_bystander() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select private.is_application()
      or exists (select from auth.users where id = (select auth.uid()) and is_anonymous)
  $$;

-- An admin with half a sign-in is no admin, and no application is one.
create function private.is_admin() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role = 'admin'
    ) and not private.owes_second_factor() and not private.is_application()
  $$;

-- Who looks after people: moderators, and admins, who may do everything.
create function private.is_moderator() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role in ('admin', 'moderator')
    ) and not private.owes_second_factor() and not private.is_application()
  $$;

-- Who looks after values: editors, and admins. An editor writes them by public.publish_values alone.
create function private.is_editor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role in ('admin', 'editor')
    ) and not private.owes_second_factor() and not private.is_application()
  $$;

create policy "People see their own roles, admins all" on public.user_roles
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

-- What somebody may hear and say live follows from their roles: a role given or taken reaches open channels at once. Where
-- nobody listens, as on a hosted project, the notification is for nobody.
create function private.tell_role_change() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      perform pg_notify('realtime_rights', coalesce(new.user_id, old.user_id)::text);
      return null;
    end
  $$;
revoke execute on function private.tell_role_change() from public, anon, authenticated;

create trigger tell_role_change
  after insert or update or delete on public.user_roles
  for each row execute function private.tell_role_change();

-- For the server, which tells admins how it goes.
create function public.may_operate() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select private.is_admin()
  $$;
comment on function public.may_operate is 'Whether the caller may read how the site goes: an admin, with the second factor where there is one.';
revoke execute on function public.may_operate() from public, anon;
grant execute on function public.may_operate() to authenticated, service_role;
