-- Proofs of who somebody is that are good once: signed messages of wallets, assertions of identity providers. A digest of
-- each is kept for as long as the proof itself would be good, so that whoever saw one pass cannot show it again.

create table if not exists backend.used_proofs (
  digest text not null primary key,
  until timestamptz not null
);
create index if not exists used_proofs_until_idx on backend.used_proofs (until);

alter table backend.used_proofs enable row level security;
grant select, insert, delete on table backend.used_proofs to supabase_auth_admin;
drop policy if exists "The auth service keeps it" on backend.used_proofs;
create policy "The auth service keeps it" on backend.used_proofs
  to supabase_auth_admin using (true) with check (true);
