-- A limited number of entries per user and action is kept per day; an index-only scan tells whether the limit is
-- reached.
create index if not exists audit_log_entries_actor_action_idx
  on auth.audit_log_entries ((payload ->> 'actor_id'), (payload ->> 'action'), created_at desc);
drop index if exists auth.audit_log_entries_actor_id_idx;
