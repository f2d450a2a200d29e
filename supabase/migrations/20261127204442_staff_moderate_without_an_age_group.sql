SET local check_function_bodies = off;

DROP TRIGGER "user_ratings_ask_for_age" ON "public"."user_ratings";

DROP TRIGGER "user_ratings_ask_for_name" ON "public"."user_ratings";

CREATE OR REPLACE FUNCTION private.ask_for_age_before_rating()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if private.trim_text(new.comment) <> '' and (tg_op = 'INSERT' or new.comment is distinct from old.comment) then
        perform private.require_free_writing((select auth.uid()));
      else
        perform private.require_age_group((select auth.uid()), admits_children => true);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.answer_rating (
  rating_id uuid,
  answer    text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      said constant text := nullif(private.trim_text(answer_rating.answer), '');
    begin
      if private.owes_second_factor() or private.is_anonymous_or_application() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in to answer a rating';
      end if;
      perform private.require_chosen_name((select auth.uid()));
      if said is not null then
        perform private.require_free_writing((select auth.uid()));
      end if;
      update public.user_ratings set answer = said, answered_at = coalesce(answered_at, now())
        where id = rating_id and rated_user_id = (select auth.uid()) and (said is null or answered_at is null);
      if not found then
        raise exception using errcode = 'PT404', message = 'This rating is gone, or you answered it already';
      end if;
    end
  $function$;

CREATE TRIGGER user_ratings_ask_for_age
  BEFORE INSERT OR UPDATE OF rating, COMMENT ON public.user_ratings
  FOR EACH ROW
  WHEN (row_security_active('public.user_ratings'::text))
  EXECUTE FUNCTION private.ask_for_age_before_rating();

CREATE TRIGGER user_ratings_ask_for_name
  BEFORE INSERT OR UPDATE OF rating, COMMENT ON public.user_ratings
  FOR EACH ROW
  WHEN (row_security_active('public.user_ratings'::text))
  EXECUTE FUNCTION private.ask_for_name();
