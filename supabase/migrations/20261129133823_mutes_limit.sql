SET local check_function_bodies = off;

DROP TRIGGER "trade_history_limit_trades" ON "public"."trade_history";

DROP FUNCTION "private"."limit_saved_trades"();

CREATE OR REPLACE FUNCTION private.limit_own_rows()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := (select auth.uid());
      kept bigint;
    begin
      if not row_security_active(tg_relid) then
        return null;
      end if;
      -- Serializes concurrent inserts, so that each is counted.
      perform pg_advisory_xact_lock(hashtextextended(tg_table_name || '/' || person, 0));
      execute format('select count(*) from %s where user_id = $1', tg_relid::regclass) into kept using person;
      if kept > tg_argv[0]::integer then
        raise exception using errcode = 'check_violation', message = tg_argv[1];
      end if;
      return null;
    end
  $function$;

CREATE TRIGGER chat_mutes_limit_mutes
  AFTER INSERT ON public.chat_mutes
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.limit_own_rows('1000', 'You can mute up to 1000 people: unmute one to mute another');

CREATE TRIGGER trade_history_limit_trades
  AFTER INSERT ON public.trade_history
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.limit_own_rows('5000', 'You can keep up to 5000 saved trades: delete one to save another');
