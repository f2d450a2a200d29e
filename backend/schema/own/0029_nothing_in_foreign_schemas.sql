-- The backend's own objects live in its own schema, so that the other schemas hold only what a hosted project has.

grant select on table backend.schema_files to supabase_auth_admin;

-- Recent attempts per key. Unlogged: losing them in a crash is fine, so writes need not wait for the disk.
create unlogged table if not exists backend.rate_limits (
  key varchar(255) not null primary key,
  points integer not null default 0,
  expire bigint
);
create index if not exists rate_limits_expire_idx on backend.rate_limits (expire);

alter table backend.rate_limits enable row level security;
revoke all on table backend.rate_limits from public, anon, authenticated, service_role;
grant select, insert, update, delete on table backend.rate_limits to supabase_auth_admin;
drop policy if exists "The auth service keeps it" on backend.rate_limits;
create policy "The auth service keeps it" on backend.rate_limits to supabase_auth_admin using (true) with check (true);

do $$
begin
  if to_regclass('auth.rate_limits') is not null then
    insert into backend.rate_limits (key, points, expire) select key, points, expire from auth.rate_limits
      on conflict (key) do nothing;
    drop table auth.rate_limits;
  end if;
end
$$;

-- Deletes a user's audit log along with the account.
create or replace function backend.forget_acts_of_deleted_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from auth.audit_log_entries where payload ->> 'actor_id' = old.id::text;
      return null;
    end
  $$;
revoke execute on function backend.forget_acts_of_deleted_user() from public;

create or replace trigger forget_acts_of_deleted_user
  after delete on auth.users
  for each row execute function backend.forget_acts_of_deleted_user();
