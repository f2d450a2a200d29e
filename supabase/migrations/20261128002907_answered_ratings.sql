SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.list_ratings (
  trader  uuid,
  skipped integer,
  shown   integer
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select coalesce(jsonb_agg(to_jsonb(newest) order by newest.created_at desc, newest.id), '[]')
    from (
      select ratings.id, raters.username as rater, ratings.rating, ratings.comment, ratings.created_at,
        ratings.answer, ratings.answered_at
      from public.user_ratings as ratings
      left join public.profiles as raters on raters.id = ratings.rater_id and raters.listed
      where ratings.rated_user_id = trader
        and exists (select from public.profiles where profiles.id = trader and profiles.listed)
      order by ratings.created_at desc, ratings.id
      offset skipped limit shown
    ) as newest
  $function$;
