-- The roles that requests run as. Roles belong to the whole cluster, so another database may already have created
-- them, or may be creating them concurrently; existing roles are left as they are.

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      -- Visitors and signed-in users.
      (1, 'anon', 'nologin noinherit', '3s', null),
      (2, 'authenticated', 'nologin noinherit', '8s', null),
      -- Servers with the secret key: bypasses row-level security, but not missing grants.
      (3, 'service_role', 'nologin noinherit bypassrls', null, null),
      -- The login role: may switch to the three above but has no rights itself, so a request without a role gets nothing.
      (4, 'authenticator', 'login noinherit', '8s', '8s')
    ) as roles (place, name, attributes, statement_timeout, lock_timeout)
    where not exists (select from pg_roles where rolname = roles.name)
    order by place
  loop
    begin
      execute format('create role %I %s', wanted.name, wanted.attributes);
      -- Limits how long a request holds a connection or waits for a lock, as in a hosted project.
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
