-- Who is an admin. Nobody gives themselves a role: only the operator's command and servers with the secret key write.

create table public.user_roles (
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null constraint user_roles_role_is_admin check (role = 'admin'),
  created_at timestamptz not null default now(),
  primary key (user_id, role)
);
comment on table public.user_roles is 'Roles beyond that of a signed-in person; the only one is admin.';

alter table public.user_roles enable row level security;

create policy "People see their own roles" on public.user_roles
  for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on table public.user_roles from anon, authenticated;
grant select on table public.user_roles to authenticated;
grant all on table public.user_roles to service_role;

-- Whether the person who asks is an admin. Security definer, so that a policy may ask it for everybody.
create function private.is_admin() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role = 'admin'
    )
  $$;
