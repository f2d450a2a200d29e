-- Sending that survives lost answers: the browser chooses a message's id, so that the same message sent again is refused
-- as stored already and never stands there twice.
grant insert (id) on table public.chat_messages to authenticated;

-- How fast one may write is counted by itself and no longer by the messages that stand: whoever deletes what they wrote
-- does not get to write more. One row a person; its lock makes messages sent at the same moment wait for each other.
create table private.chat_paces (
  user_id uuid not null primary key references public.profiles (id) on delete cascade,
  sent timestamptz[] not null
);
comment on table private.chat_paces is 'When each person sent their latest messages, at most as many as one may send in ten seconds.';

create or replace function private.limit_chat_rate(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      most constant integer := 5;
      span constant interval := interval '10 seconds';
      recent timestamptz[];
    begin
      insert into private.chat_paces as pace (user_id, sent) values (person, '{}')
        on conflict (user_id) do update set sent = pace.sent
        returning array(select at from unnest(sent) as at where at > clock_timestamp() - span order by at) into recent;
      if cardinality(recent) >= most then
        raise exception using
          errcode = 'PT429',
          message = 'You are sending messages too fast: at most 5 in 10 seconds',
          hint = ceil(extract(epoch from recent[1] + span - clock_timestamp()))::text;
      end if;
      update private.chat_paces set sent = recent || clock_timestamp() where user_id = person;
    end
  $$;
