CREATE TRIGGER appeals_wait_for_turn
  BEFORE UPDATE OF granted ON public.appeals
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.wait_for_turn();
