-- What columns.csv does not cover of a database created by the originals' migrations: privileges, keys, functions.

revoke create on schema auth, storage, realtime from public;
grant usage on schema auth, storage, realtime to anon, authenticated, service_role, authenticator;
grant all on schema auth to supabase_auth_admin;
grant all on schema storage to supabase_storage_admin;
grant usage on schema auth, storage, realtime to hosted_owner;
grant all on all tables in schema auth, storage to hosted_owner;
alter default privileges for role hosted_owner in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role hosted_owner in schema public grant all on functions to anon, authenticated, service_role;
grant usage on schema public to hosted_owner, anon, authenticated, service_role;

alter table auth.users alter column phone type text, add unique (phone),
  drop column confirmed_at,
  add column confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored;
alter table auth.identities drop column email,
  add column email text generated always as (lower(identity_data ->> 'email')) stored,
  add unique (provider_id, provider),
  add foreign key (user_id) references auth.users (id) on delete cascade;
create unique index users_email_partial_key on auth.users (email) where is_sso_user = false;
alter table auth.sessions add foreign key (user_id) references auth.users (id) on delete cascade;
alter table auth.refresh_tokens add unique (token),
  add foreign key (session_id) references auth.sessions (id) on delete cascade;
alter table auth.mfa_factors add unique (last_challenged_at),
  add foreign key (user_id) references auth.users (id) on delete cascade;
alter table auth.mfa_challenges add foreign key (factor_id) references auth.mfa_factors (id) on delete cascade;
alter table auth.mfa_amr_claims add unique (session_id, authentication_method),
  add foreign key (session_id) references auth.sessions (id) on delete cascade;
alter table auth.one_time_tokens add foreign key (user_id) references auth.users (id) on delete cascade;
create unique index on auth.one_time_tokens (user_id, token_type);
alter table auth.webauthn_credentials add foreign key (user_id) references auth.users (id) on delete cascade;
create unique index on auth.webauthn_credentials (credential_id);
alter table auth.saml_providers add unique (entity_id);
alter table auth.oauth_authorizations add unique (authorization_id), add unique (authorization_code);
alter table auth.oauth_consents add unique (user_id, client_id);

create unique index bname on storage.buckets (name);
alter table storage.objects drop column path_tokens,
  add column path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  add foreign key (bucket_id) references storage.buckets (id);
create unique index bucketid_objname on storage.objects (bucket_id, name);

create function auth.uid() returns uuid language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
create function auth.role() returns text language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role') $$;
create function auth.email() returns text language sql stable as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email' $$;
create function auth.jwt() returns jsonb language sql stable as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;
alter function auth.uid owner to supabase_auth_admin;
alter function auth.role owner to supabase_auth_admin;
alter function auth.email owner to supabase_auth_admin;
alter function auth.jwt owner to supabase_auth_admin;

create function storage.foldername(name text) returns text[] language plpgsql immutable as $$
  declare parts text[] := string_to_array(name, '/');
  begin return parts[1 : array_length(parts, 1) - 1]; end $$;
alter function storage.foldername owner to supabase_storage_admin;
grant all on table storage.objects, storage.buckets to anon, authenticated, service_role;

-- Messages partitioned by day, with a default partition.
create table realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  primary key (id, inserted_at)
) partition by range (inserted_at);
create table realtime.messages_default partition of realtime.messages default;
alter table realtime.messages owner to supabase_realtime_admin;
alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
create publication supabase_realtime;
alter publication supabase_realtime owner to hosted_owner;
create function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '') $$;
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language sql as $$ insert into realtime.messages (payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast') $$;
