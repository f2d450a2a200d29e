-- Proofs of identity that are valid once: messages signed by wallets, assertions of identity providers. A digest of
-- each is kept until the proof expires, so that an intercepted one cannot be replayed.

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
