-- Roles: admins may do everything, editors maintain values, moderators deal with users. Users cannot give themselves
-- a role: only the operator's command and servers with the secret key write here.
create table public.user_roles (
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null constraint user_roles_role_is_known check (role in ('admin', 'editor', 'moderator')),
  created_at timestamptz not null default now(),
  primary key (user_id, role)
);
comment on table public.user_roles is 'Roles beyond that of a signed-in user: admin, editor, moderator.';

alter table public.user_roles enable row level security;

grant select on table public.user_roles to authenticated;

-- A user with a second factor must give both. Until then the session (aal1) may read what every signed-in user can,
-- but not act in the user's name. The site asks for the factor at sign-in; a caller with a stolen password and curl
-- would skip that.
create function private.owes_second_factor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(auth.jwt() ->> 'aal', 'aal1') <> 'aal2' and exists (
      select from auth.mfa_factors where user_id = (select auth.uid()) and status = 'verified'
    )
  $$;

-- An OAuth application acting for a user: it may manage the user's trades, but has no access to the account or its
-- roles.
create function private.is_application() returns boolean
  language sql stable
  set search_path = ''
  as $$
    select auth.jwt() ->> 'client_id' is not null
  $$;

-- Callers who may keep trades but cannot be seen by or contact others: anonymous accounts, created by a browser
-- without an email address, until they become full accounts (according to the account's row, since the token may be
-- older); and applications, which can neither write in the user's name nor receive what is written to the user.
create function private.is_anonymous_or_application() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select private.is_application()
      or exists (select from auth.users where id = (select auth.uid()) and is_anonymous)
  $$;

-- Requires the second factor if there is one, and excludes applications.
create function private.is_admin() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role = 'admin'
    ) and not private.owes_second_factor() and not private.is_application()
  $$;

-- Moderators and admins.
create function private.is_moderator() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role in ('admin', 'moderator')
    ) and not private.owes_second_factor() and not private.is_application()
  $$;

create function private.has_other_moderator(person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles where role in ('admin', 'moderator') and user_id not in ((select auth.uid()), person)
    )
  $$;
comment on function private.has_other_moderator is 'Whether there is a moderator other than the caller and this user.';
revoke execute on function private.has_other_moderator(uuid) from public;
grant execute on function private.has_other_moderator(uuid) to authenticated, service_role;

-- Editors and admins. Editors write values only through public.publish_values.
create function private.is_editor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role in ('admin', 'editor')
    ) and not private.owes_second_factor() and not private.is_application()
  $$;

create policy "Users see their own roles; admins see all" on public.user_roles
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

-- Realtime rights depend on roles, so open channels are notified at once when a role is given or taken away. Where
-- nothing listens, as on a hosted project, the notification has no effect.
create function private.notify_role_change() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      perform pg_notify('realtime_rights', coalesce(new.user_id, old.user_id)::text);
      return null;
    end
  $$;
revoke execute on function private.notify_role_change() from public, anon, authenticated;

create trigger notify_role_change
  after insert or update or delete on public.user_roles
  for each row execute function private.notify_role_change();

-- For the server, which shows its health to admins.
create function public.may_operate() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select private.is_admin()
  $$;
comment on function public.may_operate is 'Whether the caller may read the site''s health: an admin, with the second factor if there is one.';
revoke execute on function public.may_operate() from public, anon;
grant execute on function public.may_operate() to authenticated, service_role;
