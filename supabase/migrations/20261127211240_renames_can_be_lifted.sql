SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.undo_sanction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := new.user_id;
    begin
      case new.kind
        when 'rename' then
          if new.done_at is null then
            begin
              perform private.rename_person(person, new.removed);
            exception when unique_violation or check_violation then
              null;
            end;
          end if;
        when 'comment' then
          update public.user_ratings set comment = new.removed
            where id = new.subject_id and rater_id = person and comment is null;
          update public.user_ratings set answer = new.removed
            where id = new.subject_id and rated_user_id = person and answer is null;
        else null;
      end case;
      -- Lifted within ten minutes, it was a mistake: reopen the reports. Later, keep them resolved, without action.
      update public.reports
        set resolved_at = case when new.created_at < now() - interval '10 minutes' then resolved_at end,
          outcome = 'nothing'
        where sanction_id = new.id;
      return null;
    end
  $function$;
