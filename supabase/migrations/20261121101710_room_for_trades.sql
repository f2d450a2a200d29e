-- A person keeps five thousand trades at most: without an end one account could fill the disk, a thousand rows a request.
-- The owner and servers may bring over more.

create function private.require_room_for_trades() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      most constant integer := 5000;
      person constant uuid := (select auth.uid());
    begin
      if not row_security_active('public.trade_history') then
        return null;
      end if;
      -- Who saves at the same moment waits, so that each is counted.
      perform pg_advisory_xact_lock(hashtextextended('trades/' || person, 0));
      if (select count(*) from public.trade_history where user_id = person) > most then
        raise exception using
          errcode = 'check_violation',
          message = 'There is room for 5000 saved trades: delete one to save another';
      end if;
      return null;
    end
  $$;

create trigger trade_history_require_room
  after insert on public.trade_history
  for each statement execute function private.require_room_for_trades();
