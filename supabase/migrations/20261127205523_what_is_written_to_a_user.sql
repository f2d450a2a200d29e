SET local check_function_bodies = off;

DROP POLICY "Users see their own silence; moderators see all" ON "public"."chat_silences";

DROP POLICY "Users see their own public name; editors see all" ON "public"."editor_names";

DROP POLICY "Users see their own mail subscription" ON "public"."notice_mails";

DROP POLICY "Users see their own proposals; editors see all" ON "public"."value_proposals";

CREATE OR REPLACE FUNCTION public.find_own_username_fault()
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select private.find_username_fault(username) from public.profiles
    where id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
  $function$;

CREATE OR REPLACE FUNCTION public.is_under_strikes()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    select coalesce(private.has_strikes(auth.uid()), false)
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
  $function$;

CREATE OR REPLACE FUNCTION public.list_received_ratings()
  RETURNS TABLE (
    id         uuid,
    rating     smallint,
    comment    text,
    created_at timestamp with time zone,
    rater      text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select ratings.id, ratings.rating, ratings.comment, ratings.created_at, raters.username
    from public.user_ratings as ratings
    left join public.profiles as raters on raters.id = ratings.rater_id and raters.listed
    where ratings.rated_user_id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
    order by ratings.created_at, ratings.id
  $function$;

CREATE OR REPLACE FUNCTION public.show_forced_name()
  RETURNS TABLE (
    reason       text,
    by_moderator boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select reason, by_moderator from (
      select sanctions.reason, true from public.sanctions
      where user_id = (select auth.uid()) and kind = 'rename' and done_at is null and lifted_at is null
      union all
      select fault, false from private.outgrown_names where user_id = (select auth.uid())
    ) as faults (reason, by_moderator)
    where not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
    limit 1
  $function$;

CREATE POLICY "Users see their own silence; moderators see all" ON "public"."chat_silences"
  FOR SELECT
  TO "authenticated"
  USING
    ((( SELECT private.is_moderator() AS is_moderator) OR ((user_id = ( SELECT auth.uid() AS uid)) AND (NOT ( SELECT private.owes_second_factor() AS owes_second_factor)) AND (NOT (
    SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)))));

CREATE POLICY "Users see their own public name; editors see all" ON "public"."editor_names"
  FOR SELECT
  TO "authenticated"
  USING
    ((( SELECT private.is_editor() AS is_editor) OR ((user_id = ( SELECT auth.uid() AS uid)) AND (NOT ( SELECT private.owes_second_factor() AS owes_second_factor)) AND (NOT (
    SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)))));

CREATE POLICY "Users see their own mail subscription" ON "public"."notice_mails"
  FOR SELECT
  TO "authenticated"
  USING
    (((user_id = ( SELECT auth.uid() AS uid)) AND (NOT ( SELECT private.owes_second_factor() AS owes_second_factor)) AND (NOT ( SELECT private.is_anonymous_or_application() AS
    is_anonymous_or_application))));

CREATE POLICY "Users see their own proposals; editors see all" ON "public"."value_proposals"
  FOR SELECT
  TO "authenticated"
  USING
    ((( SELECT private.is_editor() AS is_editor) OR ((proposed_by = ( SELECT auth.uid() AS uid)) AND (NOT ( SELECT private.owes_second_factor() AS owes_second_factor)) AND (NOT (
    SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)))));
