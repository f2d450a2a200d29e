-- Limits on what the auth service may store in an account. Other roles are exempt, so that imports are taken as they
-- are.

create or replace function backend.refuse_large_metadata() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      raise check_violation using
        message = 'user data and app data may have 8192 bytes at most each', constraint = 'metadata_is_small';
    end
  $$;
revoke execute on function backend.refuse_large_metadata() from public;

create or replace trigger refuse_large_metadata_of_new_users
  before insert on auth.users for each row
  when (
    current_user = 'supabase_auth_admin'
    and greatest(octet_length(new.raw_user_meta_data::text), octet_length(new.raw_app_meta_data::text)) > 8192
  )
  execute function backend.refuse_large_metadata();

-- Metadata that is already too large may stay or shrink, but not grow.
create or replace trigger refuse_large_metadata
  before update of raw_user_meta_data, raw_app_meta_data on auth.users for each row
  when (
    current_user = 'supabase_auth_admin'
    and (
      octet_length(new.raw_user_meta_data::text)
        > greatest(8192, coalesce(octet_length(old.raw_user_meta_data::text), 0))
      or octet_length(new.raw_app_meta_data::text)
        > greatest(8192, coalesce(octet_length(old.raw_app_meta_data::text), 0))
    )
  )
  execute function backend.refuse_large_metadata();
