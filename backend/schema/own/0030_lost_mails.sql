-- Undelivered mail, with a one-word reason but no recipient or content. For the operator, kept for 30 days.

create table if not exists backend.lost_mails (
  id bigint not null primary key generated always as identity,
  lost_at timestamptz not null default now(),
  why text not null constraint lost_mails_why_is_known check (why in ('refused', 'given up', 'no room'))
);
create index if not exists lost_mails_lost_at_idx on backend.lost_mails (lost_at);

alter table backend.lost_mails enable row level security;
revoke all on table backend.lost_mails from public, anon, authenticated, service_role;
grant select, insert, delete on table backend.lost_mails to supabase_auth_admin;
drop policy if exists "The auth service notes it" on backend.lost_mails;
create policy "The auth service notes it" on backend.lost_mails to supabase_auth_admin using (true) with check (true);
