SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.check_rating()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if tg_op = 'UPDATE' then
        if (new.rater_id, new.rated_user_id) is distinct from (old.rater_id, old.rated_user_id) then
          raise exception using
            errcode = 'check_violation', message = 'A rating stays with its rater and its trader';
        end if;
        -- Removal by a moderator keeps the date; an edit by the rater clears the answer, which was to the old text.
        if row_security_active('public.user_ratings') then
          new.created_at := now();
          if (new.rating, new.comment) is distinct from (old.rating, old.comment) then
            new.answer := null;
            new.answered_at := null;
          end if;
        end if;
      elsif row_security_active('public.user_ratings') then
        -- One that is deleted and given again is still the one that was reported or sanctioned.
        new.id := md5(new.rater_id || '/' || new.rated_user_id)::uuid;
        -- Of two first ratings at once, the second changes the first, as an upsert does, instead of failing for its id.
        perform pg_advisory_xact_lock(hashtextextended('rating/' || new.id, 0));
      end if;
      new.comment := nullif(private.trim_text(new.comment), '');
      new.answer := nullif(private.trim_text(new.answer), '');
      -- Longer comments are left to the check constraint.
      if char_length(new.comment) <= 500 and new.comment is distinct from private.find_old_comment(new) then
        new.comment := nullif(private.tidy_text(new.comment), '');
        -- In imports by the owner or a server, unknown words are hidden, not refused.
        new.comment := left(
          case when row_security_active('public.user_ratings') then private.require_known_text(new.comment)
            else private.show_text(new.comment) end,
          500
        );
      end if;
      if char_length(new.answer) <= 500 and (tg_op = 'INSERT' or new.answer is distinct from old.answer) then
        new.answer := left(private.show_text(nullif(private.tidy_text(new.answer), '')), 500);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_removed_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.id = (select auth.uid())
        and private.lookalike_key(old.username) is distinct from private.lookalike_key(new.username)
        and private.lookalike_key(new.username) in (
        select private.lookalike_key(removed) from public.sanctions
        where user_id = new.id and kind = 'rename' and lifted_at is null
        union all
        select private.lookalike_key(evidence) from public.reports
        where reported_user_id = new.id and kind = 'name' and resolved_at is null
        union all
        select private.lookalike_key(reports.evidence)
        from public.reports join public.sanctions on sanctions.id = reports.sanction_id
        where reports.reported_user_id = new.id and reports.kind = 'name'
          and sanctions.kind = 'rename' and sanctions.lifted_at is null
      ) then
        raise exception using
          errcode = 'check_violation', message = 'This username is not allowed', constraint = 'safe_text';
      end if;
      return new;
    end
  $function$;

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
            where id = new.subject_id and rater_id = person and comment is null and created_at <= new.created_at;
          update public.user_ratings set answer = new.removed
            where id = new.subject_id and rated_user_id = person and answer is null and created_at <= new.created_at;
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
