-- Passkeys: public keys for signing in without a password. Columns and indexes match a hosted project's, so that
-- exports are compatible. Only the auth service reads these tables.

create table if not exists auth.webauthn_credentials (
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  attestation_type text not null default '',
  aaguid uuid,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  backup_eligible boolean not null default false,
  backed_up boolean not null default false,
  friendly_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);
create unique index if not exists webauthn_credentials_credential_id_key on auth.webauthn_credentials (credential_id);
create index if not exists webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

-- A sign-in challenge has no user yet: the passkey identifies the user.
create table if not exists auth.webauthn_challenges (
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade,
  challenge_type text not null
    constraint webauthn_challenges_challenge_type_check
    check (challenge_type in ('signup', 'registration', 'authentication')),
  session_data jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index if not exists webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index if not exists webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);

do $$
declare
  kept text;
begin
  foreach kept in array array['webauthn_credentials', 'webauthn_challenges'] loop
    execute format('alter table auth.%I enable row level security', kept);
    execute format('revoke all on table auth.%I from public, anon, authenticated, service_role', kept);
    execute format('grant select, insert, update, delete on table auth.%I to supabase_auth_admin', kept);
    execute format(
      'create policy "The auth service keeps it" on auth.%I to supabase_auth_admin using (true) with check (true)', kept
    );
  end loop;
end
$$;
