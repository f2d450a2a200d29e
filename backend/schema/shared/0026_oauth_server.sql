-- OAuth 2.1 server: client applications, their authorization requests, and the consents that users gave. Columns and
-- indexes match a hosted project's, so that exports are compatible. Only the auth service reads these tables.

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('oauth_registration_type', array['dynamic', 'manual']),
      ('oauth_client_type', array['public', 'confidential']),
      ('oauth_response_type', array['code']),
      ('oauth_authorization_status', array['pending', 'approved', 'denied', 'expired'])
    ) as types (name, labels)
    where not exists (
      select from pg_type where typname = types.name and typnamespace = 'auth'::regnamespace
    )
  loop
    execute format('create type auth.%I as enum (%s)', wanted.name,
      (select string_agg(quote_literal(label), ', ') from unnest(wanted.labels) as label));
  end loop;
end
$$;

-- Lists are comma-separated text, as the hosted service writes them.
create table if not exists auth.oauth_clients (
  id uuid not null primary key,
  client_secret_hash text,
  registration_type auth.oauth_registration_type not null,
  redirect_uris text not null,
  grant_types text not null,
  client_name text constraint oauth_clients_client_name_length check (char_length(client_name) <= 1024),
  client_uri text constraint oauth_clients_client_uri_length check (char_length(client_uri) <= 2048),
  logo_uri text constraint oauth_clients_logo_uri_length check (char_length(logo_uri) <= 2048),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  client_type auth.oauth_client_type not null default 'confidential',
  token_endpoint_auth_method text not null
    constraint oauth_clients_token_endpoint_auth_method_check
    check (token_endpoint_auth_method in ('client_secret_basic', 'client_secret_post', 'none'))
);
create index if not exists oauth_clients_deleted_at_idx on auth.oauth_clients (deleted_at);

-- One authorization request of an application. Its `id` becomes the id of the session that its code is exchanged for,
-- so that replaying the code ends that session. Only a hash of the code is stored.
create table if not exists auth.oauth_authorizations (
  id uuid not null primary key,
  authorization_id text not null unique,
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  user_id uuid references auth.users (id) on delete cascade,
  redirect_uri text not null
    constraint oauth_authorizations_redirect_uri_length check (char_length(redirect_uri) <= 2048),
  scope text not null constraint oauth_authorizations_scope_length check (char_length(scope) <= 4096),
  state text constraint oauth_authorizations_state_length check (char_length(state) <= 4096),
  resource text constraint oauth_authorizations_resource_length check (char_length(resource) <= 2048),
  code_challenge text
    constraint oauth_authorizations_code_challenge_length check (char_length(code_challenge) <= 128),
  code_challenge_method auth.code_challenge_method,
  response_type auth.oauth_response_type not null default 'code',
  status auth.oauth_authorization_status not null default 'pending',
  authorization_code text unique
    constraint oauth_authorizations_authorization_code_length check (char_length(authorization_code) <= 255),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default (now() + interval '3 minutes'),
  approved_at timestamptz,
  nonce text constraint oauth_authorizations_nonce_length check (char_length(nonce) <= 255),
  constraint oauth_authorizations_expires_at_future check (expires_at > created_at)
);
create index if not exists oauth_auth_pending_exp_idx on auth.oauth_authorizations (expires_at)
  where status = 'pending';
create index if not exists oauth_authorizations_user_client_idx on auth.oauth_authorizations (user_id, client_id);
create index if not exists oauth_authorizations_client_idx on auth.oauth_authorizations (client_id);
create index if not exists oauth_authorizations_expires_at_idx on auth.oauth_authorizations (expires_at);

-- A user's consent to an application.
create table if not exists auth.oauth_consents (
  id uuid not null primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  scopes text not null
    constraint oauth_consents_scopes_length check (char_length(scopes) <= 2048)
    constraint oauth_consents_scopes_not_empty check (char_length(trim(scopes)) > 0),
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint oauth_consents_revoked_after_granted check (revoked_at is null or revoked_at >= granted_at),
  constraint oauth_consents_user_client_unique unique (user_id, client_id)
);
create index if not exists oauth_consents_active_client_idx on auth.oauth_consents (client_id)
  where revoked_at is null;
create index if not exists oauth_consents_active_user_client_idx on auth.oauth_consents (user_id, client_id)
  where revoked_at is null;
create index if not exists oauth_consents_user_order_idx on auth.oauth_consents (user_id, granted_at desc);

do $$
begin
  if not exists (
    select from pg_constraint where conname = 'sessions_oauth_client_id_fkey' and conrelid = 'auth.sessions'::regclass
  ) then
    alter table auth.sessions add constraint sessions_oauth_client_id_fkey
      foreign key (oauth_client_id) references auth.oauth_clients (id) on delete cascade;
  end if;
end
$$;
create index if not exists sessions_oauth_client_id_idx on auth.sessions (oauth_client_id);

do $$
declare
  kept text;
begin
  foreach kept in array array['oauth_clients', 'oauth_authorizations', 'oauth_consents'] loop
    execute format('alter table auth.%I enable row level security', kept);
    execute format('revoke all on table auth.%I from public, anon, authenticated, service_role', kept);
    execute format('grant select, insert, update, delete on table auth.%I to supabase_auth_admin', kept);
    execute format('drop policy if exists "The auth service keeps it" on auth.%I', kept);
    execute format(
      'create policy "The auth service keeps it" on auth.%I to supabase_auth_admin using (true) with check (true)', kept
    );
  end loop;
end
$$;
