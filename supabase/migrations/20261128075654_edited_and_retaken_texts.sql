SET local check_function_bodies = off;

ALTER TABLE "public"."reports"
  DROP CONSTRAINT "reports_one_per_reporter_and_subject";

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

CREATE OR REPLACE FUNCTION private.fill_report()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      known record;
    begin
      if new.kind = 'refusals' then
        return new;
      end if;
      new.subject_id := coalesce(new.message_id, new.subject_id);
      -- The lock waits for a concurrent deletion.
      perform from public.chat_messages where new.kind = 'message' and id = new.subject_id for key share;
      new.message_id := case when found then new.subject_id end;
      -- And this one for a concurrent change, which deletes a picture that nobody has reported.
      perform from public.profiles where new.kind in ('name', 'picture') and id = new.subject_id for share;
      select * into known from private.find_evidence(new.kind, new.subject_id);
      -- The reporter can read the evidence, so reporting must not reveal what they could not see.
      if known.person is null
        or new.kind in ('name', 'picture') and new.reporter_id = (select auth.uid())
          and known.person <> new.reporter_id and not private.is_known_by_name(known.person)
      then
        raise exception using
          errcode = 'invalid_parameter_value',
          message = case new.kind when 'message' then 'This message is gone' else 'This is gone already' end;
      end if;
      new.evidence := known.evidence;
      new.reported_user_id := known.person;
      new.sent_at := known.sent_at;
      new.reason := nullif(private.trim_text(new.reason), '');
      -- A digest, so that the same user may report the next name or picture too.
      if new.kind in ('name', 'picture') then
        new.subject_id := md5(known.person || known.evidence)::uuid;
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
      if new.id = (select auth.uid()) and private.lookalike_key(new.username) in (
        select private.lookalike_key(removed) from public.sanctions
        where user_id = new.id and kind = 'rename' and lifted_at is null
        union all
        select private.lookalike_key(evidence) from public.reports
        where reported_user_id = new.id and kind = 'name' and outcome is distinct from 'nothing'
      ) then
        raise exception using
          errcode = 'check_violation', message = 'This username is not allowed', constraint = 'safe_text';
      end if;
      return new;
    end
  $function$;

CREATE UNIQUE INDEX reports_one_per_reporter_and_subject ON public.reports USING btree (subject_id, kind, reporter_id, COALESCE(sent_at, '-infinity'::timestamp WITH time zone));

-- Existing ratings get the ids that they would have now, and so does what is about them. Nothing else changes, which no
-- trigger has to look at.
UPDATE public.reports SET subject_id = md5(rater_id || '/' || rated_user_id)::uuid
  FROM public.user_ratings WHERE kind IN ('rating', 'answer') AND subject_id = user_ratings.id;

UPDATE public.sanctions SET subject_id = md5(rater_id || '/' || rated_user_id)::uuid
  FROM public.user_ratings WHERE kind = 'comment' AND subject_id = user_ratings.id;

ALTER TABLE public.user_ratings DISABLE TRIGGER USER;
UPDATE public.user_ratings SET id = md5(rater_id || '/' || rated_user_id)::uuid;
ALTER TABLE public.user_ratings ENABLE TRIGGER USER;
