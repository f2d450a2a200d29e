-- Sign-in through external providers, in the hosted service's own columns: the state of pending sign-ins, and the
-- providers that an operator adds at run time. Both hold secrets, which are encrypted.

alter table auth.flow_state
  add column if not exists invite_token text,
  add column if not exists referrer text,
  add column if not exists oauth_client_state_id uuid,
  add column if not exists linking_target_id uuid,
  add column if not exists email_optional boolean not null default false;

create table if not exists auth.custom_oauth_providers (
  id uuid not null primary key default gen_random_uuid(),
  provider_type text not null,
  identifier text not null unique,
  name text not null,
  client_id text not null,
  client_secret text not null,
  acceptable_client_ids text[] not null default '{}',
  scopes text[] not null default '{}',
  pkce_enabled boolean not null default true,
  attribute_mapping jsonb not null default '{}',
  authorization_params jsonb not null default '{}',
  enabled boolean not null default true,
  email_optional boolean not null default false,
  issuer text,
  discovery_url text,
  skip_nonce_check boolean not null default false,
  cached_discovery jsonb,
  discovery_cached_at timestamptz,
  authorization_url text,
  token_url text,
  userinfo_url text,
  jwks_uri text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  custom_claims_allowlist text[] not null default '{}',
  constraint custom_oauth_providers_type_is_known check (provider_type in ('oauth2', 'oidc')),
  constraint custom_oauth_providers_identifier_is_custom check (identifier ~ '^custom:[a-z0-9][a-z0-9:-]{0,42}$')
);

alter table auth.custom_oauth_providers enable row level security;
revoke all on table auth.custom_oauth_providers from public, anon, authenticated, service_role;
grant select, insert, update, delete on table auth.custom_oauth_providers to supabase_auth_admin;
drop policy if exists "The auth service keeps it" on auth.custom_oauth_providers;
create policy "The auth service keeps it" on auth.custom_oauth_providers
  to supabase_auth_admin using (true) with check (true);
