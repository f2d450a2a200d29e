-- Of one act of one person so many entries a day are kept; whether there are as many already is told by the index alone.
create index if not exists audit_log_entries_actor_action_idx
  on auth.audit_log_entries ((payload ->> 'actor_id'), (payload ->> 'action'), created_at desc);
drop index if exists auth.audit_log_entries_actor_id_idx;
