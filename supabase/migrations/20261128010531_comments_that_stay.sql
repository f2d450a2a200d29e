SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.ask_for_age_before_rating()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if private.trim_text(new.comment) <> '' and new.comment is distinct from private.find_old_comment(new) then
        perform private.require_free_writing((select auth.uid()));
      else
        perform private.require_age_group((select auth.uid()), admits_children => true);
      end if;
      return new;
    end
  $function$;

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

CREATE OR REPLACE FUNCTION private.find_old_comment (
  rating public.user_ratings
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    select comment from public.user_ratings where rater_id = rating.rater_id and rated_user_id = rating.rated_user_id
  $function$;
