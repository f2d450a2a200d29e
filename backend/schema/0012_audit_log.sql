-- The log of what was done to accounts: found by time and by person, and gone with the person.

create index if not exists audit_log_entries_created_at_idx on auth.audit_log_entries (created_at desc);
create index if not exists audit_log_entries_actor_id_idx on auth.audit_log_entries ((payload ->> 'actor_id'));

create or replace function auth.forget_acts_of_deleted_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from auth.audit_log_entries where payload ->> 'actor_id' = old.id::text;
      return null;
    end
  $$;
revoke execute on function auth.forget_acts_of_deleted_user() from public;

create or replace trigger forget_acts_of_deleted_user
  after delete on auth.users
  for each row execute function auth.forget_acts_of_deleted_user();
