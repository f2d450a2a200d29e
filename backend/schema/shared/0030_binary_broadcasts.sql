-- Binary broadcasts from the database, as in a hosted project.

alter table realtime.messages add column if not exists binary_payload bytea;

create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
  returns void
  language plpgsql
  set search_path = ''
  as $$
    begin
      perform set_config('realtime.topic', topic, true);
      insert into realtime.messages (binary_payload, event, topic, private, extension)
        values (payload, event, topic, private, 'broadcast');
    exception
      when others then
        raise warning 'realtime.send_binary: %', sqlerrm;
    end
  $$;
