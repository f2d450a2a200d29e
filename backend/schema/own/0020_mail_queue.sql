-- Mail that no mail server has accepted yet. It contains codes and links that give access to accounts, so only the
-- auth service's own role reads it and it is not exposed through the API. A row is deleted as soon as its mail is
-- delivered or given up.

grant usage on schema backend to supabase_auth_admin;

create table if not exists backend.mail_queue (
  id uuid not null primary key default gen_random_uuid(),
  message jsonb not null,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  next_try_at timestamptz not null default now()
);
create index if not exists mail_queue_next_try_at_idx on backend.mail_queue (next_try_at);

alter table backend.mail_queue enable row level security;
revoke all on backend.mail_queue from public;
grant select, insert, update, delete on backend.mail_queue to supabase_auth_admin;
drop policy if exists "The auth service hands mails on" on backend.mail_queue;
create policy "The auth service hands mails on" on backend.mail_queue
  to supabase_auth_admin using (true) with check (true);
