-- Links that undo a change of an account's credentials, mailed to the address that the account had before. Stores
-- only hashes, so that a leaked table does not allow account takeover. Not exposed through the API.

create table if not exists backend.ways_back (
  token_hash text not null primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The credentials before the change.
  email text not null,
  phone text,
  -- Sign-in methods added since then are removed.
  since timestamptz not null,
  made_at timestamptz not null default now(),
  constraint ways_back_hold_hashes check (token_hash ~ '^[0-9a-f]{64}$')
);
create index if not exists ways_back_user_id_idx on backend.ways_back (user_id);

grant usage on schema backend to supabase_auth_admin;
alter table backend.ways_back enable row level security;
revoke all on table backend.ways_back from public, anon, authenticated, service_role;
grant select, insert, delete on table backend.ways_back to supabase_auth_admin;
create policy "The auth service keeps it" on backend.ways_back to supabase_auth_admin using (true) with check (true);
