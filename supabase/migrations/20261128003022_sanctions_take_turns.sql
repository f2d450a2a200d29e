SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.set_ban (
  person uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      until constant timestamptz := (private.find_sanction_in_force(person, 'ban')).until;
    begin
      -- The auth service cannot parse infinity, nor years beyond 9999.
      update auth.users set banned_until = case when until is not null then least(until, '9999-01-01') end
        where id = person;
      if until is not null then
        delete from auth.sessions where user_id = person;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.wait_for_turn()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform pg_advisory_xact_lock(hashtextextended('sanctions', 0));
      return null;
    end
  $function$;

CREATE TRIGGER chat_silences_wait_for_turn
  BEFORE DELETE ON public.chat_silences
  FOR EACH STATEMENT
  WHEN ((pg_trigger_depth() = 0))
  EXECUTE FUNCTION private.wait_for_turn();

CREATE TRIGGER sanctions_wait_for_turn
  BEFORE INSERT OR UPDATE OF lifted_at ON public.sanctions
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.wait_for_turn();
