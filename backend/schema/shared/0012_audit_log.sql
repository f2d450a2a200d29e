-- Audit log of account actions, indexed by time and by user.

create index if not exists audit_log_entries_created_at_idx on auth.audit_log_entries (created_at desc);
create index if not exists audit_log_entries_actor_id_idx on auth.audit_log_entries ((payload ->> 'actor_id'));
