-- The storage service's additions to the tables of objects and buckets, as in a hosted project.

-- The service's current operation, for policies that treat reading and listing differently.
create or replace function storage.operation() returns text
  language sql stable
  set search_path = ''
  as $$ select current_setting('storage.operation', true) $$;

-- Deleting a row by SQL alone leaves its file behind. To do so deliberately, set storage.allow_delete_query for the
-- transaction; the service's sweeper removes the file later.
create or replace function storage.protect_delete() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
        raise exception using
          errcode = '42501',
          message = 'Direct deletion from storage tables is not allowed. Use the Storage API instead.',
          hint = 'This prevents accidental data loss from orphaned objects.';
      end if;
      return null;
    end
  $$;

create or replace trigger protect_objects_delete
  before delete on storage.objects
  for each statement execute function storage.protect_delete();

create or replace trigger protect_buckets_delete
  before delete on storage.buckets
  for each statement execute function storage.protect_delete();

create or replace function storage.enforce_bucket_name_length() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if char_length(new.name) > 100 then
        raise exception using message = format('bucket name "%s" is too long (%s characters). Max is 100.',
          new.name, char_length(new.name));
      end if;
      return new;
    end
  $$;

create or replace trigger enforce_bucket_name_length_trigger
  before insert or update of name on storage.buckets
  for each row execute function storage.enforce_bucket_name_length();

-- Lets the sweeper look up which files still belong to a row.
create index if not exists objects_version_idx on storage.objects (version);
