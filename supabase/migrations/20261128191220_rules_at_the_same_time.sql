SET local check_function_bodies = off;

DROP FUNCTION "private"."set_ban"(uuid);

CREATE OR REPLACE FUNCTION private.check_chat_message()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      original text;
      refusal text;
    begin
      -- Only the name of somebody whom it mentions changed.
      if tg_op = 'UPDATE' and private.without_mentions(new.message) = private.without_mentions(old.message) then
        return new;
      end if;
      new.message := private.trim_text(new.message);
      if char_length(new.message) > 1000 then
        raise exception using errcode = 'check_violation', message = 'Message too long (max 1000 characters)';
      end if;
      original := private.tidy_text(new.message);
      -- Invisible characters alone are not a message.
      if private.trim_text(private.plain_text(original)) = '' then
        raise exception using errcode = 'check_violation', message = 'Message cannot be empty';
      end if;
      -- Imports by the owner or a server are not refused, but unknown words are still hidden.
      new.message := left(
        case when row_security_active('public.chat_messages') then private.require_known_text(original)
          else private.show_text(original) end,
        1000
      );
      new := private.stamp_message(new);
      if row_security_active('public.chat_messages') then
        -- So that several people's digits at the same time are joined, too.
        if private.is_figures(private.without_mentions(original)) then
          perform pg_advisory_xact_lock(hashtextextended('figures', 0));
        end if;
        refusal := private.find_harm_in_pieces(new.user_id, original);
        if refusal is not null then
          raise exception using errcode = 'check_violation', message = refusal, constraint = 'safe_text';
        end if;
      end if;
      if new.message <> original then
        perform private.keep_original(new.id, new.user_id, original);
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
      elsif row_security_active('public.user_ratings') then
        -- One that is deleted and given again is still the one that was reported or sanctioned.
        new.id := private.derive_rating_id(new.rater_id, new.rated_user_id);
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

CREATE OR REPLACE FUNCTION private.derive_rating_id (
  rater  uuid,
  trader uuid
)
  RETURNS uuid
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$ select md5(contact_key || '/' || rater || '/' || trader)::uuid from private.settings $function$;

CREATE OR REPLACE FUNCTION private.find_harm_in_pieces (
  person uuid,
  value  text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      span constant interval := '2 minutes';
      words constant text := private.without_mentions(value);
      pieces text;
      row_of_figures text;
      verdict private.verdict;
    begin
      if char_length(words) > 60 then
        return null;
      end if;
      select string_agg(private.without_mentions(coalesce(original.message, piece.message)), E'\n' order by piece.created_at)
        into pieces
        from (
          (
            select id, message, created_at from public.chat_messages
            where user_id = person and created_at > now() - span and char_length(private.without_mentions(message)) <= 60
            order by created_at desc limit 8
          ) union all (
            select id, message, created_at from public.deleted_chat_messages
            where user_id = person and created_at > now() - span and char_length(private.without_mentions(message)) <= 60
            order by created_at desc limit 8
          )
          order by created_at desc limit 8
        ) as piece
        left join public.chat_originals as original on original.message_id = piece.id;
      if pieces is not null then
        verdict := private.judge_text(pieces || E'\n' || words);
        -- Words hidden in a single message were handled there; this refuses letters that spell a word only together.
        if verdict.refusal is not null or private.holds_spelling(pieces || E'\n' || words) then
          return coalesce(verdict.refusal, 'Please write whole words: words that are spelled letter by letter are not shown');
        end if;
      end if;
      if private.is_figures(words) then
        select string_agg(message, ' ' order by created_at) into row_of_figures
          from (
            select message, created_at, bool_and(message ~ '^[^[:alpha:]]*$') over (order by created_at desc) as in_a_row
            from (
              select private.without_mentions(message) as message, created_at
              from (
                (
                  select message, created_at from public.chat_messages
                  where created_at > now() - span order by created_at desc limit 8
                ) union all (
                  select message, created_at from public.deleted_chat_messages
                  where created_at > now() - span order by created_at desc limit 8
                )
              ) as said
              order by created_at desc limit 8
            ) as latest
          ) as latest where in_a_row;
        return (private.judge_text(row_of_figures || ' ' || words)).refusal;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.is_figures (
  words text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$ select words ~ '^[^[:alpha:]]*[0-9][^[:alpha:]]*$' $function$;

CREATE OR REPLACE FUNCTION private.set_ban (
  changed public.sanctions
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      -- The auth service cannot parse infinity, nor years beyond 9999.
      latest constant timestamptz := '9999-01-01';
      until constant timestamptz := (private.find_sanction_in_force(changed.user_id, 'ban')).until;
    begin
      update auth.users set banned_until = case
          when banned_until > greatest(until, now()) and banned_until <> least(changed.until, latest) then banned_until
          when until is not null then least(until, latest)
        end
        where id = changed.user_id;
      if until is not null then
        delete from auth.sessions where user_id = changed.user_id;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.settle_silence_or_ban()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.kind = 'ban' then
        perform private.set_ban(new);
        return null;
      end if;
      if new.lifted_at is not null then
        delete from public.chat_silences
          where user_id = new.user_id and until = new.until and created_at = new.created_at;
      end if;
      perform private.set_silence(new.user_id);
      return null;
    end
  $function$;

COMMENT ON COLUMN "private"."settings"."contact_key" IS 'Key of the digests of addresses and ratings, so that they cannot be guessed.';

REVOKE ALL ON FUNCTION "private"."derive_rating_id"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."derive_rating_id"(uuid, uuid) TO "authenticated", "service_role";

REVOKE ALL ON FUNCTION "private"."set_ban"(public.sanctions) FROM PUBLIC;

UPDATE public.reports SET subject_id = private.derive_rating_id(rater_id, rated_user_id)
  FROM public.user_ratings WHERE kind IN ('rating', 'answer') AND subject_id = user_ratings.id;

UPDATE public.sanctions SET subject_id = private.derive_rating_id(rater_id, rated_user_id)
  FROM public.user_ratings WHERE kind = 'comment' AND subject_id = user_ratings.id;

UPDATE private.kept_sanctions SET subject_id = private.derive_rating_id(rater_id, rated_user_id)
  FROM public.user_ratings WHERE kind = 'comment' AND subject_id = user_ratings.id;

ALTER TABLE public.user_ratings DISABLE TRIGGER USER;
UPDATE public.user_ratings SET id = private.derive_rating_id(rater_id, rated_user_id);
ALTER TABLE public.user_ratings ENABLE TRIGGER USER;
