SET local check_function_bodies = off;

DROP FUNCTION "public"."allow_word"(text);

DROP FUNCTION "public"."refuse_word"(text);

DROP FUNCTION "public"."reopen_word"(text);

CREATE OR REPLACE FUNCTION private.is_word_decided (
  word   text,
  seen   text,
  wanted text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      state text;
    begin
      select case when allowed_at is not null then 'allowed' when refused_at is not null then 'refused' else 'asked' end
        into state from public.word_requests as request
        where request.word = is_word_decided.word for update;
      if state not in (seen, wanted) then
        raise exception using errcode = 'PT409', message = 'Somebody else decided about this word in the meantime';
      end if;
      return state = wanted and state <> seen;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.allow_word (
  word text,
  seen text DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      allowed constant text := private.word_as_read(word);
    begin
      perform private.require_admin();
      if private.is_word_decided(allowed, allow_word.seen, 'allowed') then
        return;
      end if;
      if exists (select from private.known_words as known where known.word = allowed and kind = 'unsaid') then
        raise exception using errcode = 'check_violation', message = 'This word is hidden for the safety of children';
      end if;
      perform private.add_words('site', array[allowed], 'word');
      update public.word_requests as request set allowed_at = now(), refused_at = null where request.word = allowed;
      perform private.record_word_act(allowed, 'insert');
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."allow_word"(text, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.refuse_word (
  word text,
  seen text DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      refused constant text := private.word_as_read(word);
    begin
      perform private.require_admin();
      if private.is_word_decided(refused, refuse_word.seen, 'refused') then
        return;
      end if;
      delete from private.known_words as known where known.word = refused and language = 'site';
      insert into public.word_requests as request (word, refused_at) values (refused, now())
        on conflict on constraint word_requests_pkey do update set refused_at = now(), allowed_at = null;
      perform private.record_word_act(refused, 'delete');
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."refuse_word"(text, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.reopen_word (
  word text,
  seen text DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      reopened constant text := private.word_as_read(word);
    begin
      perform private.require_admin();
      if private.is_word_decided(reopened, reopen_word.seen, 'asked') then
        return;
      end if;
      update public.word_requests as request set refused_at = null, allowed_at = null
        where request.word = reopened and num_nonnulls(refused_at, allowed_at) > 0;
      if found then
        delete from private.known_words as known where known.word = reopened and language = 'site';
        perform private.record_word_act(reopened, 'update');
      end if;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."reopen_word"(text, text) FROM PUBLIC, "anon";

COMMENT ON FUNCTION "public"."allow_word"(text, text) IS 'Adds a word to the vocabulary; for admins.';

COMMENT ON FUNCTION "public"."refuse_word"(text, text) IS 'Refuses a word permanently, including one that was added before; for admins.';

COMMENT ON FUNCTION "public"."reopen_word"(text, text) IS 'Reverts the decision about a word; for admins.';

REVOKE ALL ON FUNCTION "private"."is_word_decided"(text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."allow_word"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."allow_word"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."allow_word"(text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."allow_word"(text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."refuse_word"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."refuse_word"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."refuse_word"(text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."refuse_word"(text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."reopen_word"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reopen_word"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."reopen_word"(text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."reopen_word"(text, text) TO "service_role";
