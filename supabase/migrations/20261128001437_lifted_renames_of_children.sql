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
          if new.done_at is null and not private.is_child(person) then
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
      -- Lifted within ten minutes, it was a mistake: reopen the reports. Later, keep them resolved, without action;
      -- writing resolved_at would close their cases again.
      if new.created_at < now() - interval '10 minutes' then
        update public.reports set outcome = 'nothing' where sanction_id = new.id and resolved_at is not null;
      else
        update public.reports set resolved_at = null where sanction_id = new.id;
      end if;
      return null;
    end
  $function$;
