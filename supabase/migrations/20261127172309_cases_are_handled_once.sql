SET local check_function_bodies = off;

ALTER TABLE "public"."sanctions"
  ADD COLUMN "report_id" uuid;

CREATE OR REPLACE FUNCTION private.carry_out_sanction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      report_resolved_at timestamptz;
    begin
      perform private.require_right_over(new.user_id);
      -- Two moderators at one case would give two strikes for it: the second one waits for the first, and is refused.
      select resolved_at into report_resolved_at from public.reports where id = new.report_id for update;
      if report_resolved_at is not null then
        raise exception using errcode = 'PT409', message = 'This case was handled in the meantime';
      end if;
      new.reason := private.trim_text(new.reason);
      new.created_at := now();
      new.created_by := (select id from public.profiles where id = (select auth.uid()));
      new.counts_until := now() + case new.kind when 'ban' then interval '90 days' else interval '30 days' end;
      new.removed := private.apply_sanction(new);
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.settle_appeal()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      update public.appeals set granted = true where sanction_id = new.id and answered_at is null;
      return null;
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
      new.answer := nullif(private.trim_text(new.answer), '');
      new.answered_at := now();
      new.answered_by := (select id from public.profiles where id = (select auth.uid()));
      return new;
    end
  $function$;

CREATE TRIGGER sanctions_settle_appeal
  AFTER UPDATE OF lifted_at ON public.sanctions
  FOR EACH ROW
  EXECUTE FUNCTION private.settle_appeal();

COMMENT ON COLUMN "public"."sanctions"."report_id" IS 'The open report that it answers, if any; refused if somebody else has resolved it meanwhile.';

REVOKE ALL ON FUNCTION "private"."settle_appeal"() FROM PUBLIC;

REVOKE ALL ("report_id") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT INSERT ("report_id") ON TABLE "public"."sanctions" TO "authenticated";

-- Appeals whose sanction was lifted before this release, and that nobody has answered.
UPDATE public.appeals
SET granted = TRUE
WHERE
  answered_at IS NULL
  AND EXISTS (
    SELECT
    FROM public.sanctions
    WHERE
      id = sanction_id
      AND lifted_at IS NOT NULL
  );
