-- Browsers and programs that signed in to an account, so that its owner can be notified of a new one. Stores only
-- hashes keyed with the service's own key and different for each account: a leaked table neither identifies a device
-- nor links it across accounts. Not exposed through the API. Our own feature: the hosted service has none.

create table if not exists backend.known_devices (
  user_id uuid not null references auth.users (id) on delete cascade,
  device_hash text not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (user_id, device_hash),
  constraint known_devices_are_hashes check (device_hash ~ '^[0-9a-f]{64}$')
);

alter table backend.known_devices enable row level security;
revoke all on table backend.known_devices from public, anon, authenticated, service_role;
grant select, insert, update, delete on table backend.known_devices to supabase_auth_admin;
create policy "The auth service keeps it" on backend.known_devices to supabase_auth_admin using (true) with check (true);
