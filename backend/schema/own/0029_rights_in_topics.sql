-- For the realtime service: the rights of each user (a role and the claims of a token) in each topic, as two-letter
-- marks: b or p for broadcast and presence, r or w for reading and writing. The lists are JSON arrays of equal
-- length.
-- `pp`: presence may carry a payload, which a policy forbids by admitting only rows without one.
-- Inserts and selects real rows: the caller must roll back. A policy that raises an error grants nothing.
create or replace function backend.rights_in_topics(topics text, roles text, claims text) returns setof text
  language plpgsql
  -- The search path of client requests, on which policies' functions may rely.
  set search_path = "$user", public, extensions
  as $$
    declare
      names text[] := array(select jsonb_array_elements_text(topics::jsonb));
      all_roles text[] := array(select jsonb_array_elements_text(roles::jsonb));
      all_claims text[] := array(select jsonb_array_elements_text(claims::jsonb));
      probes uuid[] := array(select gen_random_uuid() from generate_series(1, 2 * cardinality(names)));
      marks text;
      i integer;
    begin
      perform set_config('role', 'service_role', true);
      insert into realtime.messages (id, topic, extension)
        select probes[2 * n - 1], names[n], 'broadcast' from generate_series(1, cardinality(names)) as n
        union all
        select probes[2 * n], names[n], 'presence' from generate_series(1, cardinality(names)) as n;
      for i in 1 .. cardinality(names) loop
        marks := '';
        -- If the identity cannot be assumed, no rights: continuing would test those of the previous one.
        begin
          perform set_config('role', all_roles[i], true), set_config('request.jwt.claims', all_claims[i], true),
            set_config('realtime.topic', names[i], true);
        exception
          when others then
            return next '';
            continue;
        end;
        begin
          select coalesce(string_agg(case extension when 'broadcast' then 'br ' else 'pr ' end, ''), '') into marks
            from realtime.messages where id in (probes[2 * i - 1], probes[2 * i]);
        exception
          when others then null;
        end;
        begin
          insert into realtime.messages (topic, extension) values (names[i], 'broadcast');
          marks := marks || 'bw ';
        exception
          when others then null;
        end;
        begin
          insert into realtime.messages (topic, extension) values (names[i], 'presence');
          marks := marks || 'pw ';
          insert into realtime.messages (topic, extension, payload) values (names[i], 'presence', '{"any": "payload"}');
          marks := marks || 'pp ';
        exception
          when others then null;
        end;
        return next marks;
      end loop;
    end
  $$;

revoke execute on function backend.rights_in_topics(text, text, text) from public;
grant execute on function backend.rights_in_topics(text, text, text) to authenticator;
