SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.refuse_late_appeal()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform from public.sanctions where id = new.sanction_id and lifted_at is null for share;
      if not found and exists (select from public.sanctions where id = new.sanction_id) then
        raise exception using errcode = 'PT409', message = 'This was taken back in the meantime';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.sign_answer()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      judged public.sanctions;
    begin
      select * into judged from public.sanctions where id = new.sanction_id;
      if old.answered_at is not null or new.granted is null then
        raise exception using errcode = 'PT403', message = 'An appeal is answered once, with yes or no';
      end if;
      if judged.user_id = (select auth.uid())
        or judged.created_by = (select auth.uid()) and judged.lifted_at is null
          and private.has_other_moderator(judged.user_id)
      then
        raise exception using errcode = 'PT403', message = 'You acted here yourself: another moderator answers this appeal';
      end if;
      perform private.require_right_over(judged.user_id);
      new.answer := nullif(private.trim_text(new.answer), '');
      new.answered_at := now();
      new.answered_by := (select id from public.profiles where id = (select auth.uid()));
      return new;
    end
  $function$;

CREATE TRIGGER appeals_refuse_late
  BEFORE INSERT ON public.appeals
  FOR EACH ROW
  WHEN ((new.answered_at IS NULL))
  EXECUTE FUNCTION private.refuse_late_appeal();

REVOKE ALL ON FUNCTION "private"."refuse_late_appeal"() FROM PUBLIC;
