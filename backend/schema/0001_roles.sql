-- The roles that requests run as. Roles belong to the whole cluster, so another database may have made them already,
-- or may be making them at this moment; then they are left as they are.

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      -- A visitor, and a person who is signed in.
      ('anon', 'nologin noinherit', '3s', null),
      ('authenticated', 'nologin noinherit', '8s', null),
      -- Servers with the secret key act as this role: it passes row-level security, not what was revoked from it.
      ('service_role', 'nologin noinherit bypassrls', null, null),
      -- Logs in and may become the three above, but has no right of its own: a request without a role gets nothing.
      ('authenticator', 'login noinherit', '8s', '8s')
    ) as roles (name, attributes, statement_timeout, lock_timeout)
    where not exists (select from pg_roles where rolname = roles.name)
  loop
    begin
      execute format('create role %I %s', wanted.name, wanted.attributes);
      -- No request may hold a connection, or wait for another one, for long: a hosted project's limits.
      if wanted.statement_timeout is not null then
        execute format('alter role %I set statement_timeout = %L', wanted.name, wanted.statement_timeout);
      end if;
      if wanted.lock_timeout is not null then
        execute format('alter role %I set lock_timeout = %L', wanted.name, wanted.lock_timeout);
      end if;
      if wanted.name = 'authenticator' then
        grant anon, authenticated, service_role to authenticator;
      end if;
    exception
      when duplicate_object or unique_violation then null;
    end;
  end loop;
end
$$;
