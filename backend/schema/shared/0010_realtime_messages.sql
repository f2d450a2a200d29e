-- Messages sent on channels. The table's policies decide who may receive (SELECT) and send (INSERT) on a private
-- channel; without a policy nobody may. Rows are inserted by realtime.send(), broadcast on commit, and kept for three
-- days.

create table if not exists realtime.messages (
  id uuid not null primary key default gen_random_uuid(),
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  inserted_at timestamp not null default now(),
  updated_at timestamp not null default now()
);
create index if not exists messages_inserted_at_topic_index
  on realtime.messages (inserted_at desc, topic) where extension = 'broadcast' and private;

alter table realtime.messages enable row level security;
grant select, insert, update on table realtime.messages to anon, authenticated, service_role;
grant delete on table realtime.messages to service_role;

-- Separate from the publication that applications add tables to; each process listens to both.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime_messages_publication') then
    create publication supabase_realtime_messages_publication
      for table realtime.messages with (publish = 'insert');
  end if;
end
$$;

-- Sends a message on a channel from the database, with the caller's rights under the policies. A failure to send does
-- not roll back the caller's transaction.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
  returns void
  language plpgsql
  set search_path = ''
  as $$
    declare
      said uuid := gen_random_uuid();
    begin
      perform set_config('realtime.topic', topic, true);
      insert into realtime.messages (id, payload, event, topic, private, extension)
        values (
          said,
          case when jsonb_typeof(payload) = 'object' and not payload ? 'id'
            then payload || jsonb_build_object('id', said) else payload end,
          event, topic, private, 'broadcast'
        );
    exception
      when others then
        raise warning 'realtime.send: %', sqlerrm;
    end
  $$;

-- For triggers: broadcasts a row change on a channel.
create or replace function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text,
  new record, old record, level text default 'ROW'
) returns void
  language plpgsql
  set search_path = ''
  as $$
    begin
      if level = 'STATEMENT' then
        raise exception 'function can only be triggered for each row, not for each statement';
      end if;
      perform realtime.send(
        jsonb_build_object(
          'schema', table_schema, 'table', table_name, 'operation', operation,
          'record', to_jsonb(new), 'old_record', to_jsonb(old)
        ),
        event_name, topic_name
      );
    end
  $$;

grant usage on schema realtime to authenticator;
