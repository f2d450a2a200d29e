-- The remaining auth and storage tables of a hosted project, so that exports of rows are compatible both ways. The
-- backend uses none of them except those for multipart uploads (0031).

create table if not exists auth.instances (
  id uuid not null primary key,
  uuid uuid,
  raw_base_config text,
  created_at timestamptz,
  updated_at timestamptz
);

create table if not exists auth.oauth_client_states (
  id uuid not null primary key,
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null
);
create index if not exists idx_oauth_client_states_created_at on auth.oauth_client_states (created_at);

do $$
declare
  kept text;
begin
  foreach kept in array array['instances', 'oauth_client_states'] loop
    execute format('alter table auth.%I enable row level security', kept);
    execute format('revoke all on table auth.%I from public, anon, authenticated, service_role', kept);
    execute format('grant select, insert, update, delete on table auth.%I to supabase_auth_admin', kept);
  end loop;
end
$$;

alter table auth.users
  alter column phone set default null::varchar,
  alter column phone_change set default ''::varchar;

-- Object versions. The backend keeps only the current version of each object.
alter table storage.buckets
  add column if not exists versioning_status text not null default 'DISABLED'
    constraint buckets_versioning_status_check check (versioning_status in ('DISABLED', 'ENABLED', 'SUSPENDED'));
alter table storage.objects
  add column if not exists archived_at timestamptz,
  add column if not exists is_delete_marker boolean not null default false,
  add column if not exists is_versioned boolean not null default false;

create table if not exists storage.s3_multipart_uploads (
  id text not null primary key,
  in_progress_size bigint not null default 0,
  upload_signature text not null,
  bucket_id text not null references storage.buckets (id),
  key text collate "C" not null,
  version text not null,
  owner_id text,
  created_at timestamptz not null default now(),
  user_metadata jsonb,
  metadata jsonb
);
create index if not exists idx_multipart_uploads_list on storage.s3_multipart_uploads (bucket_id, key, created_at);

create table if not exists storage.s3_multipart_uploads_parts (
  id uuid not null primary key default gen_random_uuid(),
  upload_id text not null references storage.s3_multipart_uploads (id) on delete cascade,
  size bigint not null default 0,
  part_number integer not null,
  bucket_id text not null references storage.buckets (id),
  key text collate "C" not null,
  etag text not null,
  owner_id text,
  version text not null,
  created_at timestamptz not null default now()
);

create table if not exists storage.buckets_analytics (
  id uuid not null primary key default gen_random_uuid(),
  name text not null,
  type storage.buckettype not null default 'ANALYTICS',
  format text not null default 'ICEBERG',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index if not exists buckets_analytics_unique_name_idx on storage.buckets_analytics (name)
  where deleted_at is null;

create table if not exists storage.iceberg_namespaces (
  id uuid not null primary key default gen_random_uuid(),
  bucket_name text not null,
  name text collate "C" not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  metadata jsonb not null default '{}',
  catalog_id uuid not null references storage.buckets_analytics (id) on delete cascade
);
create unique index if not exists idx_iceberg_namespaces_bucket_id on storage.iceberg_namespaces (catalog_id, name);

create table if not exists storage.iceberg_tables (
  id uuid not null primary key default gen_random_uuid(),
  namespace_id uuid not null references storage.iceberg_namespaces (id) on delete cascade,
  bucket_name text not null,
  name text collate "C" not null,
  location text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  remote_table_id text,
  shard_key text,
  shard_id text,
  catalog_id uuid not null references storage.buckets_analytics (id) on delete cascade
);
create unique index if not exists idx_iceberg_tables_namespace_id
  on storage.iceberg_tables (catalog_id, namespace_id, name);
create unique index if not exists idx_iceberg_tables_location on storage.iceberg_tables (location);

create table if not exists storage.buckets_vectors (
  id text not null primary key,
  type storage.buckettype not null default 'VECTOR',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table if not exists storage.vector_indexes (
  id text not null primary key default gen_random_uuid(),
  name text collate "C" not null,
  bucket_id text not null references storage.buckets_vectors (id),
  data_type text not null,
  dimension integer not null,
  distance_metric text not null,
  metadata_configuration jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index if not exists vector_indexes_name_bucket_id_idx on storage.vector_indexes (name, bucket_id);

-- Privileges match the hosted service's.
do $$
declare
  kept text;
begin
  foreach kept in array array[
    's3_multipart_uploads', 's3_multipart_uploads_parts', 'buckets_analytics', 'iceberg_namespaces', 'iceberg_tables',
    'buckets_vectors', 'vector_indexes'
  ] loop
    execute format('alter table storage.%I enable row level security', kept);
    execute format('grant all on table storage.%I to service_role', kept);
    execute format('grant select on table storage.%I to anon, authenticated', kept);
  end loop;
end
$$;

-- The backend's own functions, now in the schema `backend`.
drop function if exists auth.forget_acts_of_deleted_user() cascade;
drop function if exists realtime.rights_in_topics(text, text, text);
