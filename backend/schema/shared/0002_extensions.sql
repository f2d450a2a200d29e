-- Extensions are kept out of the schemas that an API exposes.

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;

-- A hosted project has these two. They are optional on a PostgreSQL that lacks them, since nothing here needs them.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['pgcrypto', 'uuid-ossp'] loop
    if exists (select from pg_available_extensions where name = wanted and installed_version is null) then
      execute format('create extension if not exists %I with schema extensions', wanted);
    end if;
  end loop;
exception
  when insufficient_privilege or undefined_file then null;
end
$$;
