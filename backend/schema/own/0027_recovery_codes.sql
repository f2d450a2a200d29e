-- Recovery codes for accounts whose second factor is lost; each works once. Stores only hashes keyed with the
-- service's own key, so that a leaked table is of no use. Not exposed through the API. Our own feature: the hosted
-- service has none.

create table if not exists backend.recovery_codes (
  code_hash text not null primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  made_at timestamptz not null default now(),
  used_at timestamptz,
  constraint recovery_codes_are_hashes check (code_hash ~ '^[0-9a-f]{64}$')
);
create index if not exists recovery_codes_user_id_idx on backend.recovery_codes (user_id);

alter table backend.recovery_codes enable row level security;
revoke all on table backend.recovery_codes from public, anon, authenticated, service_role;
grant select, insert, update, delete on table backend.recovery_codes to supabase_auth_admin;
create policy "The auth service keeps it" on backend.recovery_codes to supabase_auth_admin using (true) with check (true);

-- Deletes the codes when no second factor is left, whoever removed it.
create or replace function backend.drop_recovery_codes() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from backend.recovery_codes as code
      where code.user_id = old.user_id and not exists (
        select from auth.mfa_factors as factor where factor.user_id = old.user_id and factor.status = 'verified'
      );
      return null;
    end
  $$;
revoke execute on function backend.drop_recovery_codes() from public;

create or replace trigger drop_recovery_codes
  after delete on auth.mfa_factors
  for each row execute function backend.drop_recovery_codes();
