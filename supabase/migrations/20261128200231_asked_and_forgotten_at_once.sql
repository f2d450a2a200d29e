SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.forget_deleted_messages()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    -- In the order in which deleting an account locks them.
    delete from public.chat_originals
      where created_at <= now() - interval '24 hours' and not private.is_message_under_report(message_id);
    delete from public.deleted_chat_messages where deleted_at <= now() - interval '24 hours'
  $function$;

CREATE OR REPLACE FUNCTION public.ask_parent (
  email text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      me constant uuid := (select auth.uid());
      address constant text := lower(private.trim_text(email));
    begin
      if me is null or private.owes_second_factor() or private.is_anonymous_or_application() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in first';
      end if;
      if not private.is_child(me) then
        raise exception using errcode = 'PT409', message = 'You do not need a parent''s permission here';
      end if;
      if (select site_url from private.settings) is null then
        raise exception using errcode = 'PT503', message = 'This site sends no email, so it cannot ask a parent';
      end if;
      if char_length(address) > 255 or address !~ '^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$' then
        raise exception using errcode = 'check_violation', message = 'Please enter an email address';
      end if;
      if address = (select lower(users.email) from auth.users where id = me) then
        raise exception using
          errcode = 'check_violation', message = 'This is the address of your own account. Please enter your parent''s.';
      end if;
      -- Repeated after a lost answer, even while the first is not committed: the mail is on its way, and another one
      -- would replace its link.
      perform pg_advisory_xact_lock(hashtextextended('ask parent/' || me, 0));
      if exists (
        select from private.parental_consents
        where child_id = me and state = 'asked' and parent_email = address and changed_at > now() - interval '1 minute'
      ) then
        return;
      end if;
      perform private.count_daily_act(me, 'ask_parent', 3, 'You can ask three times a day. Please try again tomorrow.');
      insert into private.parental_consents as consent (child_id, state, parent_email) values (me, 'asked', address)
        on conflict (child_id) do update set state = 'asked', parent_email = excluded.parent_email, changed_at = now();
      -- Revokes earlier links, which went to another address or were answered.
      delete from private.parent_links where child_id = me;
      insert into private.consent_log (child_id, act) values (me, 'asked');
      if not private.mail_parent(me, 'asked') then
        raise exception using
          errcode = 'PT429', message = 'This address cannot be written to right now. Please try again tomorrow.';
      end if;
    end
  $function$;

-- Reports and sanctions of ratings that were deleted before their ids were keyed: whoever wrote is known, the other is
-- whoever completes the old id.
WITH unkeyed AS (
  SELECT subject_id, reported_user_id AS author FROM public.reports WHERE kind IN ('rating', 'answer')
  UNION
  SELECT subject_id, user_id FROM public.sanctions WHERE kind = 'comment'
  EXCEPT
  SELECT id, author FROM public.user_ratings, unnest(ARRAY[rater_id, rated_user_id]) AS author
), keyed AS MATERIALIZED (
  SELECT unkeyed.subject_id AS old_id, private.derive_rating_id(rater, trader) AS new_id
    FROM (SELECT DISTINCT author FROM unkeyed) AS known
    CROSS JOIN public.profiles
    CROSS JOIN LATERAL (VALUES (known.author, profiles.id), (profiles.id, known.author)) AS pair (rater, trader)
    JOIN unkeyed ON unkeyed.author = known.author AND unkeyed.subject_id = md5(rater || '/' || trader)::uuid
), reported AS (
  UPDATE public.reports SET subject_id = new_id FROM keyed WHERE kind IN ('rating', 'answer') AND subject_id = old_id
)
UPDATE public.sanctions SET subject_id = new_id FROM keyed WHERE kind = 'comment' AND subject_id = old_id;
