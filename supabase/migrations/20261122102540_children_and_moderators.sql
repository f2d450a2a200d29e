-- What was reported until now moves to the table of all reports.
create temporary table kept_reports as select * from public.chat_reports;

SET local check_function_bodies = off;

ALTER PUBLICATION "supabase_realtime" DROP TABLE "public"."chat_reports";

DROP POLICY "Admins see what admins did" ON "public"."admin_acts";

DROP POLICY "People delete their own messages, admins any" ON "public"."chat_messages";

DROP POLICY "Admins lift silences" ON "public"."chat_silences";

DROP POLICY "People see their own silence, admins all" ON "public"."chat_silences";

DROP POLICY "Admins see for a day what people deleted" ON "public"."deleted_chat_messages";

DROP POLICY "People see listed profiles and their own, admins all" ON "public"."profiles";

DROP POLICY "People delete their own ratings, admins any" ON "public"."user_ratings";

DROP POLICY "Admins follow what their panels show" ON "realtime"."messages";

DROP POLICY "People add avatars of their own" ON "storage"."objects";

DROP POLICY "People remove their own avatars, admins any" ON "storage"."objects";

DROP POLICY "People replace their own avatars" ON "storage"."objects";

DROP POLICY "People see their own avatars, admins all" ON "storage"."objects";

DROP TRIGGER "list_account_that_became_full" ON "auth"."users";

DROP TRIGGER "chat_messages_check_message" ON "public"."chat_messages";

DROP TRIGGER "chat_messages_record_act" ON "public"."chat_messages";

DROP TRIGGER "chat_silences_record_act" ON "public"."chat_silences";

DROP TRIGGER "avatars_are_few" ON "storage"."objects";

DROP TRIGGER "avatars_forget_removed" ON "storage"."objects";

DROP VIEW "public"."shown_chat_messages";

ALTER TABLE "private"."daily_acts"
  DROP CONSTRAINT "daily_acts_act_is_known";

ALTER TABLE "public"."chat_reports"
  DROP CONSTRAINT "chat_reports_message_id_fkey";

ALTER TABLE "public"."chat_reports"
  DROP CONSTRAINT "chat_reports_reported_user_id_fkey";

ALTER TABLE "public"."chat_reports"
  DROP CONSTRAINT "chat_reports_reporter_id_fkey";

ALTER TABLE "public"."chat_reports"
  DROP CONSTRAINT "chat_reports_resolved_by_fkey";

ALTER TABLE "public"."profiles"
  DROP CONSTRAINT "profiles_avatar_url_is_a_picture_of_their_own";

ALTER TABLE "public"."user_roles"
  DROP CONSTRAINT "user_roles_role_is_admin";

DROP FUNCTION "private"."find_unsafe"(text);

DROP FUNCTION "private"."find_unsafe_together"(uuid, text);

DROP FUNCTION "private"."find_username_fault"(text);

DROP FUNCTION "private"."holds_blocked_word"(text);

DROP FUNCTION "private"."holds_cut_word"(text);

DROP FUNCTION "private"."holds_handle"(text);

DROP FUNCTION "private"."holds_phone_number"(text);

DROP FUNCTION "private"."list_full_account"();

DROP FUNCTION "private"."reads_as_values"(text);

DROP FUNCTION "private"."refuse_unsafe_text"(text);

DROP FUNCTION "private"."spoken_figures"(text);

DROP FUNCTION "private"."stems_of"(text[], text[]);

DROP FUNCTION "private"."words_of"(text);

DROP FUNCTION "public"."list_own_sessions"();

DROP TABLE "private"."blocked_words";

DROP TABLE "public"."chat_reports";

DROP FUNCTION "private"."fill_chat_report"();

CREATE TABLE "private"."consent_log" (
  "id"       bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "child_id" uuid                     NOT NULL,
  "act"      text                     NOT NULL,
  "at"       timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "consent_log_act_is_known" CHECK ((act = ANY (ARRAY['asked'::text, 'allowed'::text, 'refused'::text, 'withdrawn'::text, 'exported'::text, 'forgotten'::text]))),
  CONSTRAINT "consent_log_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."harmful_phrases" (
  "key"      text    NOT NULL,
  "language" text    NOT NULL,
  "place"    integer NOT NULL,
  CONSTRAINT "harmful_phrases_pkey" PRIMARY KEY (key, LANGUAGE, place)
);

CREATE TABLE "private"."known_words" (
  "word"     text NOT NULL,
  "language" text NOT NULL,
  "kind"     text NOT NULL,
  "meaning"  text NOT NULL,
  CONSTRAINT "known_words_kind_is_known" CHECK ((kind = ANY (ARRAY['word'::text, 'trade'::text, 'slip'::text, 'near'::text, 'unsaid'::text, 'said'::text]))),
  CONSTRAINT "known_words_pkey" PRIMARY KEY (word, LANGUAGE)
);

CREATE TABLE "private"."outgrown_names" (
  "user_id" uuid NOT NULL,
  "fault"   text NOT NULL,
  CONSTRAINT "outgrown_names_pkey" PRIMARY KEY (user_id)
);

CREATE TABLE "private"."parent_links" (
  "token_hash" bytea                    NOT NULL,
  "child_id"   uuid                     NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "parent_links_pkey" PRIMARY KEY (token_hash)
);

CREATE TABLE "private"."parent_paces" (
  "address" bytea                      NOT NULL,
  "sent"    timestamp with time zone[] NOT NULL,
  CONSTRAINT "parent_paces_pkey" PRIMARY KEY (address)
);

CREATE TABLE "private"."parental_consents" (
  "child_id"     uuid                     NOT NULL,
  "state"        text                     NOT NULL,
  "parent_email" text,
  "changed_at"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "parental_consents_keep_no_address_without_need" CHECK (((parent_email IS NOT NULL) = (state = ANY (ARRAY['asked'::text, 'allowed'::text])))),
  CONSTRAINT "parental_consents_parent_email_has_at_most_255_characters" CHECK ((char_length(parent_email) <= 255)),
  CONSTRAINT "parental_consents_pkey" PRIMARY KEY (child_id),
  CONSTRAINT "parental_consents_state_is_known" CHECK ((state = ANY (ARRAY['asked'::text, 'allowed'::text, 'refused'::text, 'withdrawn'::text])))
);

CREATE TABLE "private"."reaction_paces" (
  "user_id" uuid                       NOT NULL,
  "sent"    timestamp with time zone[] NOT NULL,
  CONSTRAINT "reaction_paces_pkey" PRIMARY KEY (user_id)
);

CREATE TABLE "private"."refused_texts" (
  "user_id" uuid                     NOT NULL,
  "at"      timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "reason"  text                     NOT NULL
);

CREATE TABLE "private"."vocabularies" (
  "language"  text                     NOT NULL,
  "checksum"  text                     NOT NULL,
  "loaded_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "vocabularies_language_is_a_short_name" CHECK ((language ~ '^[a-z]{2,8}$'::text)),
  CONSTRAINT "vocabularies_pkey" PRIMARY KEY (LANGUAGE)
);

CREATE TABLE "private"."word_askers" (
  "word"    text NOT NULL,
  "user_id" uuid NOT NULL,
  CONSTRAINT "word_askers_pkey" PRIMARY KEY (word, user_id)
);

CREATE TABLE "public"."age_bands" (
  "user_id" uuid NOT NULL,
  "band"    text NOT NULL,
  CONSTRAINT "age_bands_pkey" PRIMARY KEY (user_id)
);

ALTER TABLE "public"."age_bands"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."age_bands" FROM "anon";

CREATE TABLE "public"."appeals" (
  "sanction_id" uuid                     NOT NULL,
  "message"     text                     NOT NULL,
  "created_at"  timestamp with time zone NOT NULL DEFAULT now(),
  "granted"     boolean,
  "answer"      text,
  "answered_at" timestamp with time zone,
  "answered_by" uuid,
  CONSTRAINT "appeals_answer_has_at_most_500_characters" CHECK ((char_length(answer) <= 500)),
  CONSTRAINT "appeals_pkey" PRIMARY KEY (sanction_id),
  CONSTRAINT "appeals_message_has_1_to_1000_characters" CHECK (((char_length(message) <= 1000) AND (private.trim_text(message) <> ''::text)))
);

ALTER TABLE "public"."appeals"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."appeals" FROM "anon";

CREATE TABLE "public"."case_notes" (
  "id"         uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "user_id"    uuid                     NOT NULL,
  "note"       text                     NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "case_notes_pkey" PRIMARY KEY (id),
  "author_id"  uuid                     DEFAULT auth.uid(),
  CONSTRAINT "case_notes_note_has_1_to_1000_characters" CHECK (((char_length(note) <= 1000) AND (private.trim_text(note) <> ''::text)))
);

ALTER TABLE "public"."case_notes"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."case_notes" FROM "anon";

CREATE TABLE "public"."chat_originals" (
  "message_id" uuid                     NOT NULL,
  "user_id"    uuid                     NOT NULL,
  "message"    text                     NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "chat_originals_pkey" PRIMARY KEY (message_id)
);

ALTER TABLE "public"."chat_originals"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."chat_originals" FROM "anon";

CREATE TABLE "public"."chat_reactions" (
  "message_id" uuid                     NOT NULL,
  "emoji"      text                     NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "chat_reactions_emoji_is_known" CHECK ((emoji = ANY (ARRAY['👍'::text, '❤️'::text, '😂'::text, '😮'::text, '🔥'::text, '🤝'::text, '🎉'::text, '👀'::text]))),
  "user_id"    uuid                     NOT NULL DEFAULT auth.uid(),
  CONSTRAINT "chat_reactions_pkey" PRIMARY KEY (message_id, emoji, user_id)
);

ALTER TABLE "public"."chat_reactions"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."chat_reactions" FROM "anon";

CREATE TABLE "public"."former_slugs" (
  "slug"    text                     NOT NULL,
  "item_id" uuid                     NOT NULL,
  "left_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "former_slugs_pkey" PRIMARY KEY (slug)
);

ALTER TABLE "public"."former_slugs"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."quick_phrases" (
  "id"     text    NOT NULL,
  "theme"  text    NOT NULL,
  "phrase" text    NOT NULL,
  "place"  integer NOT NULL DEFAULT 0,
  CONSTRAINT "quick_phrases_id_is_a_slug" CHECK ((id ~ '^[a-z0-9-]{1,40}$'::text)),
  CONSTRAINT "quick_phrases_phrase_has_1_to_80_characters" CHECK (((char_length(phrase) >= 1) AND (char_length(phrase) <= 80))),
  CONSTRAINT "quick_phrases_pkey" PRIMARY KEY (id),
  CONSTRAINT "quick_phrases_theme_is_known" CHECK ((theme = ANY (ARRAY['offer'::text, 'ask'::text, 'answer'::text, 'hello'::text])))
);

ALTER TABLE "public"."quick_phrases"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."quick_phrases" FROM "anon";

CREATE TABLE "public"."reports" (
  "id"               uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "kind"             text                     NOT NULL DEFAULT 'message'::text,
  "code"             text                     NOT NULL DEFAULT 'other'::text,
  "subject_id"       uuid                     NOT NULL,
  "message_id"       uuid,
  "evidence"         text                     NOT NULL DEFAULT ''::text,
  "sent_at"          timestamp with time zone,
  "reported_user_id" uuid,
  "reason"           text,
  "created_at"       timestamp with time zone NOT NULL DEFAULT now(),
  "resolved_at"      timestamp with time zone,
  "resolved_by"      uuid,
  "outcome"          text,
  "sanction_id"      uuid,
  CONSTRAINT "reports_have_an_outcome_when_they_are_resolved" CHECK (((outcome IS NULL) OR (resolved_at IS NOT NULL))),
  CONSTRAINT "reports_kind_is_known" CHECK ((kind = ANY (ARRAY['message'::text, 'name'::text, 'picture'::text, 'rating'::text, 'answer'::text, 'refusals'::text]))),
  CONSTRAINT "reports_outcome_is_known" CHECK ((outcome = ANY (ARRAY['nothing'::text, 'acted'::text]))),
  CONSTRAINT "reports_pkey" PRIMARY KEY (id),
  CONSTRAINT "reports_reason_has_at_most_500_characters" CHECK ((char_length(reason) <= 500)),
  "reporter_id"      uuid                     DEFAULT auth.uid(),
  CONSTRAINT "reports_nobody_reports_themselves" CHECK ((reporter_id <> reported_user_id)),
  CONSTRAINT "reports_one_per_reporter_and_subject" UNIQUE (subject_id, kind, reporter_id)
);

ALTER TABLE "public"."reports"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."reports" FROM "anon";

CREATE TABLE "public"."sanctions" (
  "id"           uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "user_id"      uuid                     NOT NULL,
  "kind"         text                     NOT NULL,
  "code"         text                     NOT NULL,
  "reason"       text                     NOT NULL,
  "subject_id"   uuid,
  "removed"      text,
  "until"        timestamp with time zone,
  "created_at"   timestamp with time zone NOT NULL DEFAULT now(),
  "created_by"   uuid,
  "counts_until" timestamp with time zone NOT NULL DEFAULT now(),
  "done_at"      timestamp with time zone,
  "lifted_at"    timestamp with time zone,
  "lifted_by"    uuid,
  "appeal_key"   uuid                     NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT "sanctions_about_a_text_name_it" CHECK (((subject_id IS NOT NULL) OR (kind <> ALL (ARRAY['message'::text, 'comment'::text])))),
  CONSTRAINT "sanctions_end_after_they_begin" CHECK ((until > created_at)),
  CONSTRAINT "sanctions_kind_is_known" CHECK ((kind = ANY (ARRAY['message'::text, 'silence'::text, 'rename'::text, 'picture'::text, 'comment'::text, 'ban'::text]))),
  CONSTRAINT "sanctions_pkey" PRIMARY KEY (id),
  CONSTRAINT "sanctions_that_last_have_an_end" CHECK (((until IS NOT NULL) = (kind = ANY (ARRAY['silence'::text, 'ban'::text])))),
  CONSTRAINT "sanctions_reason_has_1_to_200_characters" CHECK (((char_length(reason) <= 200) AND (private.trim_text(reason) <> ''::text)))
);

ALTER TABLE "public"."sanctions"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."sanctions" FROM "anon";

CREATE TABLE "public"."second_opinions" (
  "user_id"  uuid                     NOT NULL,
  "asked_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "second_opinions_pkey" PRIMARY KEY (user_id),
  "asked_by" uuid                     NOT NULL DEFAULT auth.uid(),
  CONSTRAINT "second_opinions_are_not_about_oneself" CHECK ((user_id <> asked_by))
);

ALTER TABLE "public"."second_opinions"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."second_opinions" FROM "anon";

CREATE TABLE "public"."word_requests" (
  "word"           text                     NOT NULL,
  "count"          integer                  NOT NULL DEFAULT 0,
  "first_asked_at" timestamp with time zone NOT NULL DEFAULT now(),
  "refused_at"     timestamp with time zone,
  "last_asked_at"  timestamp with time zone NOT NULL DEFAULT now(),
  "allowed_at"     timestamp with time zone,
  CONSTRAINT "word_requests_are_decided_one_way" CHECK ((num_nonnulls(refused_at, allowed_at) < 2)),
  CONSTRAINT "word_requests_pkey" PRIMARY KEY (word),
  CONSTRAINT "word_requests_word_has_2_to_30_letters" CHECK ((word ~ '^[a-z0-9]{2,30}$'::text))
);

ALTER TABLE "public"."word_requests"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."word_requests" FROM "anon";

ALTER TABLE "private"."settings"
  ADD COLUMN "age_limit" integer NOT NULL DEFAULT 13;

ALTER TABLE "private"."settings"
  ADD COLUMN "new_account_hours" integer NOT NULL DEFAULT 0;

ALTER TABLE "private"."settings"
  ADD COLUMN "takes_uploads" boolean NOT NULL DEFAULT false;

ALTER TABLE "private"."settings"
  ADD COLUMN "site_url" text;

ALTER TABLE "private"."settings"
  ADD COLUMN "names_judged_to" uuid;

ALTER TABLE "public"."chat_messages"
  ADD COLUMN "phrase" text;

ALTER TABLE "public"."chat_messages"
  ADD COLUMN "items" text;

ALTER TABLE "public"."chat_messages"
  ADD COLUMN "trade" text;

ALTER TABLE "public"."chat_messages"
  ADD COLUMN "reply_to" uuid;

ALTER TABLE "public"."chat_messages"
  ADD COLUMN "mentions" uuid[];

ALTER TABLE "public"."user_ratings"
  ADD COLUMN "answer" text;

ALTER TABLE "public"."user_ratings"
  ADD COLUMN "answered_at" timestamp WITH time zone;

ALTER TABLE "public"."chat_messages"
  ALTER COLUMN "message" SET DEFAULT ''::text;

ALTER TABLE "public"."profiles"
  ALTER COLUMN "listed" SET DEFAULT false;

CREATE TYPE "private"."phrase_step" AS (
  "options" text[],
  "firsts"  text[],
  "longest" integer,
  "least"   integer,
  "most"    integer,
  "special" text
);

ALTER TABLE "private"."harmful_phrases"
  ADD COLUMN "steps" private.phrase_step[] NOT NULL;

ALTER TABLE "private"."harmful_phrases"
  ADD COLUMN "refusal" text NOT NULL;

CREATE TYPE "private"."verdict" AS (
  "shown"   text,
  "hidden"  text[],
  "refusal" text
);

CREATE OR REPLACE FUNCTION private.add_words (
  language   text,
  words      text[],
  kind       text,
  meaning    text    DEFAULT NULL::text,
  with_slips boolean DEFAULT false
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    insert into private.known_words as known (word, language, kind, meaning)
    select distinct on (word) word, add_words.language, add_words.kind, coalesce(add_words.meaning, word)
    from unnest(words) as written, private.plain_text(written) as word where word <> ''
    on conflict on constraint known_words_pkey do update set kind = excluded.kind, meaning = excluded.meaning;
    insert into private.known_words (word, language, kind, meaning)
    select distinct on (slip) slip, add_words.language, case add_words.kind when 'trade' then 'slip' else 'near' end, word
    from unnest(words) as written, private.plain_text(written) as word, private.slips_of(word) as slip where with_slips
    on conflict do nothing
  $function$;

CREATE OR REPLACE FUNCTION private.address_message()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      people text[];
    begin
      new.reply_to := (select id from public.chat_messages where id = new.reply_to);
      if cardinality(new.mentions) > 3 then
        raise exception using errcode = 'check_violation', message = 'You can mention 3 people at once';
      end if;
      select array_agg(id order by place), array_agg('@' || name order by place)
        into new.mentions, people
        from (
          select id, min(place) as place, coalesce(
            (select username from public.profiles where profiles.id = mentioned.id),
            (select username from public.chat_messages where user_id = mentioned.id order by created_at desc limit 1)
          ) as name
          from unnest(new.mentions) with ordinality as mentioned (id, place)
          where id <> new.user_id group by id
        ) as named
        where name is not null;
      new.message := array_to_string(people || new.message, ' ');
      if char_length(new.message) > 1000 then
        raise exception using errcode = 'check_violation', message = 'Message too long (max 1000 characters)';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.apply_sanction (
  sanction public.sanctions
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := sanction.user_id;
      removed text;
    begin
      case sanction.kind
        when 'message' then
          delete from public.chat_messages where id = sanction.subject_id and user_id = person
            returning message into removed;
        when 'silence' then
          insert into public.chat_silences as silence (user_id, until, reason, created_by)
            values (person, sanction.until, sanction.reason, sanction.created_by)
            on conflict (user_id) do update set until = excluded.until, reason = excluded.reason,
              created_by = excluded.created_by, created_at = now();
        when 'rename' then
          select username into removed from public.profiles where id = person;
          perform private.rename_person(person, private.generate_username(''));
        when 'picture' then
          select substring(avatar_url from '/avatars/(.+)$') into removed from public.profiles where id = person;
          update public.profiles set avatar_url = null where id = person;
        when 'comment' then
          select case person when rater_id then comment when rated_user_id then answer end into removed
            from public.user_ratings where id = sanction.subject_id;
          update public.user_ratings
            set comment = case when rater_id <> person then comment end,
              answer = case when rated_user_id <> person then answer end
            where id = sanction.subject_id and person in (rater_id, rated_user_id);
        when 'ban' then
          perform private.set_ban(person, sanction.until);
      end case;
      return removed;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.ask_for_age_before_message()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      -- Quick talk is a child's, too.
      if new.phrase is null and new.trade is null then
        perform private.refuse_without_voice((select auth.uid()));
      else
        perform private.refuse_unasked((select auth.uid()), admits_children => true);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.ask_for_age_before_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if row_security_active('public.profiles') and (
        new.listed and not old.listed
        or new.username is distinct from old.username and not private.must_choose_name(new.id)
      ) then
        perform private.refuse_unasked(new.id, admits_children => false);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.ask_for_age_before_rating()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      said constant boolean := case tg_op
        when 'INSERT' then private.trim_text(new.comment) <> ''
        else new.comment is distinct from old.comment and private.trim_text(new.comment) <> ''
          or new.answer is distinct from old.answer and private.trim_text(new.answer) <> ''
      end;
    begin
      if said then
        perform private.refuse_without_voice((select auth.uid()));
      else
        perform private.refuse_unasked((select auth.uid()), admits_children => true);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.ask_for_age_before_reaction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform private.refuse_unasked((select auth.uid()), admits_children => true);
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.ask_for_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform private.refuse_unnamed((select auth.uid()));
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.carry_out_sanction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.require_right_over(new.user_id);
      new.reason := private.trim_text(new.reason);
      new.created_at := now();
      new.created_by := (select id from public.profiles where id = (select auth.uid()));
      new.counts_until := now() + case new.kind when 'ban' then interval '90 days' else interval '30 days' end;
      new.removed := private.apply_sanction(new);
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.change_in_percent (
  old_value text,
  new_value text
)
  RETURNS numeric
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO ''
  AS $function$
    select round(100 * (private.parse_value_text(new_value) - old_number) / nullif(old_number, 0), 2)
    from private.parse_value_text(old_value) as old_number
  $function$;

CREATE OR REPLACE FUNCTION private.check_chat_message()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      original text;
      refusal text;
    begin
      new.message := private.trim_text(new.message);
      if char_length(new.message) > 1000 then
        raise exception using errcode = 'check_violation', message = 'Message too long (max 1000 characters)';
      end if;
      original := private.tidy_text(new.message);
      -- What cannot be seen is no message either.
      if private.trim_text(private.plain_text(original)) = '' then
        raise exception using errcode = 'check_violation', message = 'Message cannot be empty';
      end if;
      -- What the owner or a server brings is not refused; what is not known of it is hidden all the same.
      new.message := left(
        case when row_security_active('public.chat_messages') then private.require_known_text(original)
          else private.show_text(original) end,
        1000
      );
      new := private.stamp_message(new);
      if row_security_active('public.chat_messages') then
        refusal := private.find_harm_in_pieces(new.user_id, original);
        if refusal is not null then
          raise exception using errcode = 'check_violation', message = refusal;
        end if;
      end if;
      if new.message <> original then
        perform private.keep_original(new.id, new.user_id, original);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_drawing()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if not exists (select from public.items where image_url = substring(new.avatar_url from '^[^#]+')) then
        raise exception using errcode = 'check_violation', message = 'Please choose a picture of the catalogue';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_quick_message()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      new.message := case
        when new.trade is null then private.compose_phrase(new.phrase, new.items)
        else private.compose_trade(new.trade)
      end;
      return private.stamp_message(new);
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
        -- What a moderator takes away makes no new rating of it, and an answer goes with what it answers.
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
      -- The table refuses a longer one.
      if char_length(new.comment) <= 500 and (tg_op = 'INSERT' or new.comment is distinct from old.comment) then
        new.comment := nullif(private.tidy_text(new.comment), '');
        -- What a server or the owner brings over is hidden, and not refused.
        new.comment := left(
          case when row_security_active('public.user_ratings') then private.require_known_text(new.comment)
            else private.show_text(new.comment) end,
          500
        );
      end if;
      if char_length(new.answer) <= 500 and (tg_op = 'INSERT' or new.answer is distinct from old.answer) then
        new.answer := left(private.require_known_text(nullif(private.tidy_text(new.answer), '')), 500);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_reaction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if row_security_active('public.chat_reactions') then
        perform private.limit_reaction_rate(new.user_id);
      end if;
      if (select count(*) >= 100 from public.chat_reactions where message_id = new.message_id and emoji = new.emoji) then
        raise exception using errcode = 'check_violation', message = 'This message has enough of these';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_username()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      fault text;
    begin
      -- The table refuses what is no name by its form.
      if new.username ~ '^[A-Za-z0-9_]{3,20}$' then
        fault := case
          when private.looks_like_admin(new.id, new.username) then 'This username is reserved'
          when row_security_active('public.profiles') then private.find_username_fault(new.username)
          when private.passes_for_operator(new.username) or private.passes_for_site(new.username) then 'This username is reserved'
        end;
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault;
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.close_case()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      delete from public.second_opinions where user_id = new.reported_user_id;
      if new.kind = 'picture' and not private.is_evidence(new.evidence) and not exists (
        select from public.profiles where avatar_url = '/storage/v1/object/public/avatars/' || new.evidence
      ) then
        -- A hosted project asks for this before it lets SQL remove the row of a file.
        perform set_config('storage.allow_delete_query', 'true', true);
        delete from storage.objects where bucket_id = 'avatars' and name = new.evidence;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.close_reports()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      update public.reports set resolved_at = now(), outcome = 'acted', sanction_id = new.id
        where reported_user_id = new.user_id and resolved_at is null and not exists (
          select from public.second_opinions
          where user_id = new.user_id and asked_by = (select auth.uid())
        );
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.compose_parent_mail (
  kind     text,
  username text,
  site     text
)
  RETURNS text[]
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select case kind
      when 'asked' then array[
        format('%s asks for your permission at %s', username, site),
        format('A child who is called %s at %s entered your address as that of a parent.', username, site),
        'Without your permission the child reads values, keeps trades, and talks with others by ready-made phrases only.'
          ' With it the child may write short messages, which are checked word by word, and be found by other traders.',
        'This page says what the site keeps, and asks for your answer:',
        'If you are not the parent of this child, ignore this mail: without an answer your address is deleted within 14 days.'
      ]
      when 'allowed' then array[
        format('You allowed %s to take part at %s', username, site),
        format('You allowed the child who is called %s to write to others at %s.', username, site),
        'If this was not you, or if you think otherwise one day, withdraw it on this page:',
        'There you also see, export and delete what the site keeps of the child. When the link is too old, the same page sends a new one.'
      ]
      else array[
        format('Your link for %s at %s', username, site),
        format('Here is the new link that was asked for, for the child who is called %s at %s.', username, site),
        'On this page you see, export and delete what the site keeps, and allow or withdraw:',
        'If you did not ask for it, ignore this mail.'
      ]
    end
  $function$;

CREATE OR REPLACE FUNCTION private.compose_phrase (
  phrase_id text,
  slots     text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    declare
      composed text := (select phrase from public.quick_phrases where id = phrase_id);
      names constant text[] := case when slots <> '' then private.name_slots(slots) else '{}' end;
      name text;
    begin
      if composed is null then
        raise exception using errcode = 'check_violation', message = 'This phrase is no longer available';
      end if;
      if cardinality(names) <> (select count(*) from regexp_matches(composed, '\{item\}', 'g')) then
        raise exception using errcode = 'check_violation', message = 'Choose an item for each gap of the phrase';
      end if;
      foreach name in array names loop
        composed := regexp_replace(composed, '\{item\}', replace(name, '\', '\\'));
      end loop;
      return composed;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.compose_trade (
  trade text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    declare
      sides constant text[] := regexp_match(trade, '^(?:you=([^&=]+))?(?:(?:^|&)them=([^&=]+))?$');
      yours text;
      theirs text;
    begin
      if coalesce(sides[1], sides[2]) is null then
        raise exception using errcode = 'check_violation', message = 'This trade has no items';
      end if;
      yours := case when sides[1] is not null then private.list_slots(sides[1]) end;
      theirs := case when sides[2] is not null then private.list_slots(sides[2]) end;
      return left(case
        when theirs is null then 'Offering ' || yours
        when yours is null then 'Looking for ' || theirs
        else 'Offering ' || yours || ' for ' || theirs
      end, 900);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.create_profile()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      loop
        insert into public.profiles (id, username) values (new.id, private.generate_username(new.email))
          on conflict do nothing;
        exit when exists (select from public.profiles where id = new.id);
      end loop;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.cut_into_words (
  letters text
)
  RETURNS text[]
  LANGUAGE plpgsql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    declare
      -- The fewest words that the first letters make, kept apart by blanks: at 0 letters none.
      ways text[] := array_fill(null::text, array[length(letters)]);
      word text;
      way text;
    begin
      if private.is_known_in_names(letters) then
        return array[letters];
      end if;
      for ending in 1 .. length(letters) loop
        for beginning in 1 .. ending loop
          word := substr(letters, beginning, ending - beginning + 1);
          continue when length(word) < 3 and word not in ('of', 'my', 'mr', 'xx', 'op')
            or beginning > 1 and ways[beginning - 1] is null or not private.is_known_in_names(word);
          way := concat_ws(' ', case when beginning > 1 then ways[beginning - 1] end, word);
          if ways[ending] is null or array_length(string_to_array(way, ' '), 1) < array_length(string_to_array(ways[ending], ' '), 1) then
            ways[ending] := way;
          end if;
        end loop;
      end loop;
      return string_to_array(ways[length(letters)], ' ');
    end
  $function$;

CREATE OR REPLACE FUNCTION private.digits_of (
  figure text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$ select regexp_replace(figure, '[^0-9]', '', 'g') $function$;

CREATE OR REPLACE FUNCTION private.escape_html (
  value text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$ select replace(replace(replace(value, '&', '&amp;'), '<', '&lt;'), '"', '&quot;') $function$;

CREATE OR REPLACE FUNCTION private.explain_ban (
  event jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      ban public.sanctions;
    begin
      if (event ->> 'valid')::boolean then
        ban := private.find_ban((event ->> 'user_id')::uuid);
      end if;
      if ban.id is null then
        return '{"decision": "continue"}';
      end if;
      return jsonb_build_object(
        'decision', 'reject',
        'message', format('%s%s To appeal: /appeal?key=%s', private.tell_ban(ban),
          case when ban.reason ~ '[.!?]$' then '' else '.' end, ban.appeal_key)
      );
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
      -- The lock waits for a deletion that is under way.
      perform from public.chat_messages where new.kind = 'message' and id = new.subject_id for key share;
      new.message_id := case when found then new.subject_id end;
      select * into known from private.find_evidence(new.kind, new.subject_id);
      if not found then
        raise exception using
          errcode = 'invalid_parameter_value',
          message = case new.kind when 'message' then 'This message is gone' else 'This is gone already' end;
      end if;
      new.evidence := known.evidence;
      new.reported_user_id := known.person;
      new.sent_at := known.sent_at;
      new.reason := nullif(private.trim_text(new.reason), '');
      -- Another name, and another picture, may be reported by the same person again.
      if new.kind in ('name', 'picture') then
        new.subject_id := md5(known.person || known.evidence)::uuid;
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_ban (
  person uuid
)
  RETURNS public.sanctions
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select * from public.sanctions
    where user_id = person and kind = 'ban' and lifted_at is null and until > now()
    order by until desc limit 1
  $function$;

CREATE OR REPLACE FUNCTION private.find_evidence (
  kind    text,
  subject uuid
)
  RETURNS TABLE (
    person   uuid,
    evidence text,
    sent_at  timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select user_id, message, created_at from public.chat_messages where kind = 'message' and id = subject
    union all
    select user_id, message, created_at from public.deleted_chat_messages
      where kind = 'message' and id = subject and deleted_at > now() - interval '24 hours'
    union all
    select id, username, null from public.profiles where kind = 'name' and id = subject
    union all
    select id, substring(avatar_url from '/avatars/(.+)$'), null from public.profiles
      where kind = 'picture' and id = subject and avatar_url like '/storage/%'
    union all
    select rater_id, rating || ' of 5 stars' || coalesce(': ' || comment, ''), created_at from public.user_ratings
      where kind = 'rating' and id = subject
    union all
    select rated_user_id, answer, answered_at from public.user_ratings
      where kind = 'answer' and id = subject and answer is not null
    limit 1
  $function$;

CREATE OR REPLACE FUNCTION private.find_form_fault (
  username text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select case
      when private.passes_for_operator(username) or private.passes_for_site(username) then 'This username is reserved'
      when length(regexp_replace(username, '[^0-9]', '', 'g')) > 6 then 'A username may not be a phone number'
      when length(regexp_replace(username, '[^0-9]', '', 'g')) > 4 then 'A username has at most four figures'
      when exists (
        select from regexp_matches(username, '[0-9]+', 'g') as match
        where match[1]::integer between 8 and 17 or match[1]::integer between 1990 and 2030
      ) then 'A username may not tell how old you are: please take another number'
      when username ~ '(^|[^0-9])(69|420|88|666|1488)([^0-9]|$)' then 'This username is not allowed'
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_harm (
  words     text[],
  are_trade boolean[]
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    declare
      phrase record;
      keys constant text[] := words || case when array_to_string(words, ' ') ~ '[0-9#]' then '{<age>,<figure>}'::text[] end;
    begin
      for phrase in
        select harmful.steps, harmful.refusal from private.harmful_phrases as harmful
        where harmful.key = any (keys)
          and not exists (
            select from unnest(harmful.steps) as step
            where step.least > 0 and step.firsts is not null and not step.firsts && keys
          )
        order by harmful.place
      loop
        if private.holds_phrase(words, are_trade, phrase.steps) then
          return phrase.refusal;
        end if;
      end loop;
      return null;
    end
  $function$;

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
      pieces text;
      row_of_figures text;
      verdict private.verdict;
    begin
      if char_length(value) > 60 then
        return null;
      end if;
      select string_agg(coalesce(original.message, piece.message), ' ' order by piece.created_at)
        into pieces
        from (
          select id, message, created_at from public.chat_messages
          where user_id = person and created_at > now() - span and char_length(message) <= 60
          order by created_at desc limit 8
        ) as piece
        left join public.chat_originals as original on original.message_id = piece.id;
      if pieces is not null then
        verdict := private.judge_text(pieces || ' ' || value);
        -- What was hidden in one of them by itself is no news; letters that only together spell are.
        if verdict.refusal is not null or private.holds_spelling(pieces || ' ' || value) then
          return coalesce(verdict.refusal, 'Please write whole words: words that are spelled letter by letter are not shown');
        end if;
      end if;
      if value ~ '^[^[:alpha:]]*[0-9][^[:alpha:]]*$' then
        select string_agg(message, ' ' order by created_at) into row_of_figures
          from (
            select message, created_at, bool_and(message ~ '^[^[:alpha:]]*$') over (order by created_at desc) as in_a_row
            from (
              select message, created_at from public.chat_messages
              where created_at > now() - span order by created_at desc limit 8
            ) as latest
          ) as latest where in_a_row;
        return (private.judge_text(row_of_figures || ' ' || value)).refusal;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_linked_child (
  key text
)
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      child constant uuid := (
        select child_id from private.parent_links
        where token_hash = sha256(convert_to(key, 'UTF8')) and expires_at > now()
      );
    begin
      if child is null then
        raise exception using errcode = 'PT404', message = 'This link is no longer valid';
      end if;
      return child;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_standing (
  person uuid
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select case
      when not exists (select from public.age_bands where user_id = person) then 'unasked'
      when private.is_child(person) then 'child'
      when private.has_strikes(person) then 'strikes'
      when private.is_new(person) then 'new'
      else 'free'
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_username_fault (
  username text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      fault text := private.find_form_fault(username);
      words text[];
    begin
      if fault is not null then
        return fault;
      end if;
      fault := case private.unsaid_in_name(username)
        when 'foulword' then 'This username is not allowed'
        when 'kys' then 'This username is not allowed'
        when 'elsewhere' then 'A username may not say where to find you elsewhere'
      end;
      if fault is not null then
        return fault;
      end if;
      words := private.words_of_name(username);
      return case
        -- A word of Portuguese, but here the end of an address.
        when cardinality(words) > 1 and words[cardinality(words)] = 'com' then 'A username may not say where to find you elsewhere'
        when words is null then 'A username is made of words that the site knows: try one of the suggestions'
        when private.makes_rude_word(words)
          or private.find_harm(array(
            select coalesce((select meaning from private.known_words where known_words.word = part order by private.rank_of_word(known_words) limit 1), part)
            from unnest(words) with ordinality as parts (part, place) order by place
          ), array_fill(false, array[cardinality(words)])) is not null then 'This username is not allowed'
      end;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.forget_deleted_messages()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    delete from public.deleted_chat_messages where deleted_at <= now() - interval '24 hours';
    delete from public.chat_originals where created_at <= now() - interval '24 hours'
  $function$;

CREATE OR REPLACE FUNCTION private.forget_parents()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    delete from private.parent_links where expires_at < now();
    with forgotten as (
      delete from private.parental_consents
      where state = 'asked' and changed_at < now() - interval '14 days' returning child_id
    )
    insert into private.consent_log (child_id, act) select child_id, 'forgotten' from forgotten;
    delete from private.parent_paces
      where not exists (select from unnest(sent) as at where at > now() - interval '24 hours');
  $function$;

CREATE OR REPLACE FUNCTION private.forget_removed_avatar()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person uuid;
    begin
      update public.profiles set avatar_url = null
        where avatar_url = '/storage/v1/object/public/avatars/' || old.name and id = private.owner_of_avatar(old.name);
      select id into person from public.profiles where id = private.owner_of_avatar(old.name);
      -- Those of an account that was deleted go with it.
      if person is null or person = auth.uid() then
        return null;
      end if;
      -- What a sanction removes is that act already.
      if pg_trigger_depth() = 1 and (private.is_moderator() or auth.role() = 'service_role') then
        insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'delete', 'avatars', person, person);
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.generate_username (
  email text
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      adjectives constant text[] := array[
        'Amber', 'Azure', 'Bold', 'Brave', 'Breezy', 'Bright', 'Calm', 'Clever', 'Coral', 'Cosmic', 'Cozy', 'Crimson',
        'Daring', 'Dashing', 'Eager', 'Electric', 'Fearless', 'Gentle', 'Glowing', 'Golden', 'Happy', 'Hidden', 'Jade',
        'Jolly', 'Keen', 'Kind', 'Lively', 'Lucky', 'Lunar', 'Merry', 'Mighty', 'Misty', 'Noble', 'Patient', 'Polite',
        'Proud', 'Quick', 'Quiet', 'Rapid', 'Royal', 'Ruby', 'Salty', 'Shiny', 'Silver', 'Solar', 'Steady', 'Stormy',
        'Sunny', 'Swift', 'Tidal', 'Tropical', 'Velvet', 'Vivid', 'Wandering', 'Wild', 'Windy', 'Wise', 'Witty', 'Zesty'
      ];
      nouns constant text[] := array[
        'Albatross', 'Anchor', 'Badger', 'Beacon', 'Captain', 'Clipper', 'Comet', 'Compass', 'Corsair', 'Crab', 'Crane',
        'Dolphin', 'Falcon', 'Fox', 'Galleon', 'Gull', 'Harbor', 'Heron', 'Island', 'Kraken', 'Lagoon', 'Lantern',
        'Lemur', 'Lobster', 'Manta', 'Mango', 'Marlin', 'Narwhal', 'Navigator', 'Octopus', 'Orca', 'Osprey', 'Otter',
        'Panda', 'Papaya', 'Parrot', 'Pearl', 'Pelican', 'Penguin', 'Phoenix', 'Pirate', 'Puffin', 'Raven', 'Reef',
        'Sailor', 'Schooner', 'Seahorse', 'Seal', 'Sparrow', 'Starfish', 'Tiger', 'Toucan', 'Turtle', 'Voyager',
        'Walrus', 'Whale', 'Wolf', 'Yak'
      ];
      address constant text := lower(coalesce(email, ''));
      adjective text;
      noun text;
      candidate text;
    begin
      for attempt in 1..200 loop
        adjective := adjectives[1 + floor(random() * cardinality(adjectives))::integer];
        noun := nouns[1 + floor(random() * cardinality(nouns))::integer];
        candidate := adjective || noun || (100 + floor(random() * 9900)::integer)::text;
        continue when char_length(candidate) > 20
          or position(lower(adjective) in address) > 0
          or position(lower(noun) in address) > 0
          or (char_length(split_part(address, '@', 1)) > 2
            and position(split_part(address, '@', 1) in lower(candidate)) > 0)
          or exists (select from public.profiles where lower(username) = lower(candidate))
          or private.find_form_fault(candidate) is not null
          or private.makes_rude_word(array[lower(adjective), lower(noun)]);
        return candidate;
      end loop;
      -- The words are used up, or the address holds them all.
      return 'Trader' || substr(md5(random()::text), 1, 12);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.grant_appeal()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      update public.sanctions set lifted_at = now() where id = new.sanction_id and lifted_at is null;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.has_other_moderator (
  person uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.user_roles where role in ('admin', 'moderator') and user_id not in ((select auth.uid()), person)
    )
  $function$;

CREATE OR REPLACE FUNCTION private.has_strikes (
  person uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select count(*) >= 3 from public.sanctions
    where user_id = person and lifted_at is null and counts_until > now()
  $function$;

CREATE OR REPLACE FUNCTION private.hide_child (
  person  uuid,
  renames boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      update public.profiles set listed = false where id = person and listed;
      -- Drawings of the catalogue may stay.
      update public.profiles set avatar_url = null where id = person and avatar_url like '/storage/%';
      if renames then
        update public.profiles set username = private.generate_username('') where id = person;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.holds_glued_dot (
  plain text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select plain ~ '[a-z0-9-][.,]+[a-z]' and plain ~
      '(^|[^a-z0-9])(?!(ok|okay|no|yes|ye|yea|yeah|ya|lol|ty|thx|bro|nah|np|gg|nvm|wait|hm|hmm|sry|idk|oh|pls|plz|fr|k|w|l|f)[.,])[a-z0-9-]+[.,]+[a-z]{2,3}([^a-z]|$)|[a-z0-9-][.,]+(com|net|org|info|shop|store|site|live|online|club|link|free|game|games|fun|app|website|world|zone|team|pro|vip|top|win|trade|page|space|tech|cool|chat|gift|gifts|click|codes|life|space)([^a-z]|$)'
  $function$;

CREATE OR REPLACE FUNCTION private.holds_parted_dot (
  value text
)
  RETURNS boolean
  LANGUAGE plpgsql
  IMMUTABLE
  STRICT
  SET search_path TO ''
  AS $function$
    begin
      return strpos(value, '.') > 0 and lower(value) ~
        '(^|\s)[.]\s*(me|gg|com|net|org|io|co|shop|store|site|xyz|ly|fun|club|info|tv|app|live|online|trade|win|vip|link|free|uk|de|us)([^a-z]|$)';
    end
  $function$;

CREATE OR REPLACE FUNCTION private.holds_phrase (
  words     text[],
  are_trade boolean[],
  steps     private.phrase_step[]
)
  RETURNS boolean
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
    declare
      count constant integer := cardinality(words);
      places integer[] := array(select generate_series(1, count));
      reached integer[];
      next integer[];
      step private.phrase_step;
      at integer;
      fits boolean;
    begin
      foreach step in array steps loop
        if step.special = 'start' then
          places := '{1}';
          continue;
        end if;
        reached := case when step.least = 0 then places else '{}' end;
        for turn in 1 .. step.most loop
          next := '{}';
          foreach at in array places loop
            if at > count then
              if step.special = 'end' or '<end>' = any (step.options) then next := next || at; end if;
              continue;
            end if;
            fits := case step.special
              when 'gap' then true
              when 'plain' then not are_trade[at]
              when 'end' then false
              else words[at] = any (step.options)
                or '<age>' = any (step.options) and words[at] ~ '^([5-9]|1[0-9])$'
                or '<figure>' = any (step.options) and words[at] ~ '^([0-9]+|#)$'
                or '<plain>' = any (step.options) and not are_trade[at]
            end;
            if fits then
              next := next || (at + 1);
            end if;
            for width in 2 .. step.longest loop
              if array_to_string(words[at : at + width - 1], ' ') = any (step.options) then next := next || (at + width); end if;
            end loop;
          end loop;
          exit when next = '{}';
          reached := reached || next;
          places := next;
        end loop;
        if reached = '{}' then
          return false;
        end if;
        places := array(select distinct unnest(reached));
      end loop;
      return true;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.holds_spelling (
  value text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select exists (
      select from regexp_matches(
        regexp_replace(private.plain_text(value), '[^a-z0-9 ]+', ' ', 'g'), '(?:^| )((?:[a-z] +){2,}[a-z])(?= |$)', 'g'
      ) as match where private.is_spelling(replace(match[1], ' ', ''))
    )
  $function$;

CREATE OR REPLACE FUNCTION private.is_child (
  person uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.age_bands
      where user_id = person and private.lowest_age(band) < (select age_limit from private.settings)
    ) and not exists (
      select from private.parental_consents where child_id = person and state = 'allowed'
    )
  $function$;

CREATE OR REPLACE FUNCTION private.is_evidence (
  name text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.reports where kind = 'picture' and resolved_at is null and evidence = is_evidence.name
    )
  $function$;

CREATE OR REPLACE FUNCTION private.is_figure (
  part text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select part ~ '^[#xv]?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)([.,][0-9]{1,2})?(k|m|b|t|kk|bn|x|s|%|st|nd|rd|th|r|h)?$'
  $function$;

CREATE OR REPLACE FUNCTION private.is_in_the_room (
  name text
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    begin
      return exists (
        select from public.profiles
        join public.chat_messages on chat_messages.user_id = profiles.id
        where lower(profiles.username) = lower(rtrim(name, '.,!?:;')) and chat_messages.created_at > now() - interval '24 hours'
      );
    end
  $function$;

CREATE OR REPLACE FUNCTION private.is_known_in_names (
  word text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select word in ('x', 'xx', 'i', 'a') or coalesce(
      (select bool_or(kind in ('word', 'trade')) and bool_and(kind <> 'unsaid') from private.known_words where known_words.word = is_known_in_names.word), false
    )
  $function$;

CREATE OR REPLACE FUNCTION private.is_moderator()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role in ('admin', 'moderator')
    ) and not private.owes_second_factor() and not private.is_application()
  $function$;

CREATE OR REPLACE FUNCTION private.is_new (
  person uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select coalesce(
      (
        select users.created_at + make_interval(hours => settings.new_account_hours) > now()
        from auth.users, private.settings
        where users.id = person and settings.new_account_hours > 0
      ),
      false
    )
  $function$;

CREATE OR REPLACE FUNCTION private.is_report_code (
  code text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select code in ('insult', 'personal', 'scam', 'sexual', 'meeting', 'spam', 'impersonation', 'other')
  $function$;

CREATE OR REPLACE FUNCTION private.is_spelling (
  letters text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$ select length(letters) >= 3 and letters !~ '^([wlf]+|w[oul]l|[xv]+|lol|y?ru[a]?[wlf]?|icu|ura?[wlf]?|[nyk]{3,4}|x[dx]+)$' $function$;

CREATE OR REPLACE FUNCTION private.is_trade_figure (
  figure     text,
  is_counted boolean
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    with read as (
      select private.digits_of(figure) as digits, figure !~ '^[0-9.,]+$' as has_unit
    )
    select case
      when digits ~ '^0[0-9]' and figure !~ '^[#xv]?0[.,]' then false
      when has_unit or figure ~ '[.,][0-9]{1,2}$' then length(rtrim(digits, '0')) <= 4 and length(digits) <= 10
      when length(digits) <= 2 then true
      when length(digits) = 3 then is_counted or right(digits, 1) in ('0', '5')
      when length(digits) = 4 then is_counted or digits ~ '(00|50)$' or digits ~ '^(1[0-8]|2[1-9])(25|75)$'
      else length(rtrim(digits, '0')) <= 3
    end
    from read
  $function$;

CREATE OR REPLACE FUNCTION private.judge_figures (
  figures text[]
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    with read as (
      select private.digits_of(figure) as digits, figure ~ '^[0-9.,]+$' as is_bare
      from unnest(figures) as figure
    ),
    taken as (
      select sum(length(digits)) as length, bool_and(is_bare) as all_bare, array_agg(digits::numeric) as list,
        bool_and(digits !~ '^0[0-9]') and bool_and(length(digits) >= 2 and right(digits, 1) in ('0', '5')) as are_prices,
        count(*) filter (where not is_bare and length(rtrim(digits, '0')) <= 2) as round_ones,
        count(*) as count
      from read
    )
    select case
      when are_prices or length < 5 or count = 1 and length < 7 or private.has_even_steps(list) then 'fine'
      when all_bare and length >= 7 or length >= 9 and round_ones < count - 1 then 'refused'
      when all_bare then 'hidden'
      else 'fine'
    end
    from taken
  $function$;

CREATE OR REPLACE FUNCTION private.judge_rows (
  parts    text[],
  kinds    text[],
  meanings text[],
  OUT      hidden boolean[],
  OUT      pieces text[],
  OUT      may_be_number boolean
)
  RETURNS record
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
    declare
      count constant integer := cardinality(parts);
      run integer[] := '{}';
      letters integer[] := '{}';
      loose text[] := '{}';
      all_figures text[] := '{}';
      figure text;
      at integer;
      outcome text;
      is_beside_trade boolean;
      is_beside_for boolean;
    begin
      hidden := array_fill(false, array[count]);
      pieces := '{}';
      may_be_number := false;
      for i in 1 .. count + 1 loop
        continue when i <= count and kinds[i] is null;
        if i <= count and length(parts[i]) = 1 and parts[i] between 'a' and 'z' then
          letters := letters || i;
        elsif letters <> '{}' then
          if private.is_spelling(array_to_string(parts[letters[1] : i - 1], '')) then
            foreach at in array letters loop hidden[at] := true; end loop;
          end if;
          letters := '{}';
        end if;
        if i <= count and (kinds[i] = 'figure' or left(meanings[i], 1) between '0' and '9') then
          run := run || i;
          is_beside_trade := coalesce(kinds[i - 1] = 'trade', false) or coalesce(kinds[i + 1] = 'trade', false);
          if kinds[i] = 'figure' and not private.is_trade_figure(parts[i], is_beside_trade) then
            hidden[i] := true;
          end if;
          if kinds[i] = 'figure' and meanings[i] <> '#' then all_figures := all_figures || parts[i]; end if;
          if kinds[i] = 'figure' and meanings[i] <> '#' and not is_beside_trade then
            is_beside_for := coalesce(meanings[i - 1] in ('for', 'v', 'vs', 'x'), false)
              or coalesce(meanings[i + 1] in ('for', 'v', 'vs', 'x'), false);
            if not is_beside_for then loose := loose || parts[i]; end if;
          end if;
        elsif run <> '{}' then
          outcome := private.judge_figures(array(
            select case when kinds[n] = 'figure' then parts[n] else meanings[n] end from unnest(run) as n
          ));
          may_be_number := may_be_number or outcome = 'refused';
          if outcome <> 'fine' or cardinality(run) > 1 and true = any (hidden[run[1] : run[cardinality(run)]]) then
            foreach at in array run loop hidden[at] := true; end loop;
          end if;
          run := '{}';
        end if;
        if i <= count and kinds[i] in ('unknown', 'figure') or hidden[i] or length(parts[i]) = 1 then
          pieces := pieces || parts[i];
        elsif i <= count and pieces <> '{}' then
          pieces := pieces || ' '::text;
        end if;
      end loop;
      may_be_number := may_be_number or loose <> '{}' and private.judge_figures(loose) = 'refused'
        or length(private.digits_of(array_to_string(all_figures, ''))) >= 10 and private.judge_figures(all_figures) = 'refused';
    end
  $function$;

CREATE OR REPLACE FUNCTION private.judge_standing_names (
  most integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      judged integer := 0;
      reached uuid := (select coalesce(names_judged_to, '00000000-0000-0000-0000-000000000000') from private.settings for update);
      person record;
      found_fault text;
    begin
      -- Without words every name would fail.
      if not exists (select from private.vocabularies where language not in ('items', 'site')) then
        return 0;
      end if;
      for person in select id, username from public.profiles where id > reached order by id limit most loop
        judged := judged + 1;
        reached := person.id;
        continue when exists (select from public.user_roles where user_id = person.id);
        found_fault := private.find_username_fault(person.username);
        continue when found_fault is null;
        insert into private.outgrown_names (user_id, fault) values (person.id, found_fault) on conflict do nothing;
        perform private.rename_person(person.id, private.generate_username(''));
      end loop;
      update private.settings set names_judged_to =
        case when judged < most then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else reached end;
      return judged;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.judge_text (
  written text
)
  RETURNS private.verdict
  LANGUAGE plpgsql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      verdict private.verdict;
      read record;
      found record;
      is_empty boolean;
      names_address boolean;
      words text[];
      are_trade boolean[];
      -- '1 000 000' is one figure.
      value constant text := regexp_replace(written, '(?<=[0-9]) (?=000(?![0-9]))', ',', 'g');
    begin
      -- One sign can stand for a whole sentence: a thousand times U+FDFA is eighteen thousand letters.
      if octet_length(value) > char_length(value) and char_length(normalize(value, nfkd)) > 4 * char_length(value) + 100 then
        verdict.refusal := 'Please write with letters: too many signs of this text stand for whole words';
        return verdict;
      end if;
      read := private.read_parts(value);
      if read.ats is null then
        verdict.shown := value;
        return verdict;
      end if;
      found := private.judge_rows(read.parts, read.kinds, read.meanings);
      with chunks as (
        select at, gap, chunk, coalesce(bool_or(kind in ('unknown', 'unsaid') or hide), false) as is_hidden,
          bool_or(kind is not null) or chunk !~ '^[[:punct:]]+$' as says_something
        from unnest(read.ats, read.gaps, read.chunks, read.kinds, found.hidden) as part (at, gap, chunk, kind, hide)
        group by at, gap, chunk
      )
      select string_agg(gap || case when is_hidden then '####' else chunk end, '' order by at),
        array_agg(chunk order by at) filter (where is_hidden),
        bool_or(is_hidden) and not bool_or(says_something and not is_hidden)
        into verdict.shown, verdict.hidden, is_empty
        from chunks;
      select array_agg(meaning order by place), array_agg(kind = 'trade' or meaning = '#' order by place)
        into words, are_trade
        from unnest(read.kinds, read.meanings) with ordinality as part (kind, meaning, place) where kind is not null;
      -- What is hidden anyway is refused where a sentence can say why. A long run without a blank is no address, and costs
      -- such expressions seconds.
      names_address := verdict.hidden is not null and value !~ '\S{100}';
      verdict.refusal := case
        when names_address and private.holds_email_address(value) then 'E-mail addresses are not allowed here'
        when names_address and private.holds_link(value) then 'Links are not allowed here'
        when private.holds_parted_dot(value) then 'Links are not allowed here'
        when found.may_be_number then 'Phone numbers are not allowed here'
        else coalesce(
          private.find_harm(coalesce(words, '{}'), are_trade),
          case when verdict.hidden is not null then private.find_harm(array[private.meaning_of_pieces(found.pieces)], '{false}') end,
          case when is_empty then 'Please use words that the site knows: nothing of this text could be shown' end
        )
      end;
      return verdict;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.keep_former_slug()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      delete from public.former_slugs where slug = new.slug and item_id = new.id;
      insert into public.former_slugs (slug, item_id) values (old.slug, new.id)
      on conflict (slug) do update set item_id = excluded.item_id, left_at = now();
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.keep_item_record()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person_column constant text := tg_argv[0];
      person constant uuid := (to_jsonb(old) ->> person_column)::uuid;
      -- They are not yet computed in the new row.
      generated constant text[] := array(
        select attname from pg_catalog.pg_attribute where attrelid = tg_relid and attgenerated <> ''
      );
      before constant jsonb := to_jsonb(old) - generated;
      after constant jsonb := to_jsonb(new) - generated;
    begin
      if tg_op = 'DELETE' and not exists (select from public.items where id = old.item_id) then
        return old;
      end if;
      if tg_op = 'UPDATE'
        and person is not null
        and after = before || jsonb_build_object(person_column, null)
        and not exists (select from public.profiles where id = person) then
        return new;
      end if;
      raise exception using
        errcode = 'insufficient_privilege',
        message = format('Rows of %I are never changed or deleted', tg_table_name);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.keep_original (
  id     uuid,
  person uuid,
  value  text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    insert into public.chat_originals (message_id, user_id, message) values (id, person, value)
      on conflict (message_id) do nothing
  $function$;

CREATE OR REPLACE FUNCTION private.latin_text (
  value text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select translate(
      lower(regexp_replace(
        replace(replace(replace(normalize(value, nfkd), 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae'),
        -- Marks on letters, and what takes no room or shows nothing.
        '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5'
          || '\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb'
          || '\U0001d173-\U0001d17a\U000e0000-\U000e007f\U000e0100-\U000e01ef]',
        '', 'g'
      )),
      'аеорсухікмтнвӏѕјԁһԛԝгɡıøłđŧαοερτυνκιχηωᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ'
        || '🇦🇧🇨🇩🇪🇫🇬🇭🇮🇯🇰🇱🇲🇳🇴🇵🇶🇷🇸🇹🇺🇻🇼🇽🇾🇿🅰🅱🅲🅳🅴🅵🅶🅷🅸🅹🅺🅻🅼🅽🅾🅿🆀🆁🆂🆃🆄🆅🆆🆇🆈🆉'
        || '🅐🅑🅒🅓🅔🅕🅖🅗🅘🅙🅚🅛🅜🅝🅞🅟🅠🅡🅢🅣🅤🅥🅦🅧🅨🅩'
        || '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙❶❷❸❹❺❻❼❽❾⓿'
        || '。·•∙⋅٫․‚⁄∕⧸꞉∶ː',
      'aeopcyxikmthblsjdhqwrgioldtaoeptuvkixnwabcdefghijklmnoprstuvwyz'
        || 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz'
        || 'abcdefghijklmnopqrstuvwxyz'
        || '012345678901234567890123456789012345678901234567891234567890'
        || '.......,///:::'
    )
  $function$;

CREATE OR REPLACE FUNCTION private.learn_item_names()
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      insert into private.vocabularies (language, checksum) values ('items', '') on conflict do nothing;
      delete from private.known_words where language = 'items';
      perform private.add_words('items', array(
        select distinct word || ending
        from public.items,
          regexp_split_to_table(private.plain_text(items.name || ' ' || items.aliases), '[^a-z]+') as word,
          unnest('{"",s}'::text[]) as ending
        where length(word) >= 2
      ), 'trade', with_slips => true);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.learn_items()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.learn_item_names();
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.lift_silence_sanction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      update public.sanctions set lifted_at = now()
        where user_id = old.user_id and kind = 'silence' and until = old.until and lifted_at is null;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.limit_reaction_rate (
  person uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      most constant integer := 30;
      span constant interval := interval '1 minute';
      recent timestamptz[];
    begin
      insert into private.reaction_paces as pace (user_id, sent) values (person, '{}')
        on conflict (user_id) do update set sent = pace.sent
        returning array(select at from unnest(sent) as at where at > clock_timestamp() - span order by at) into recent;
      if cardinality(recent) >= most then
        raise exception using
          errcode = 'PT429',
          message = 'You are reacting too fast: at most 30 times a minute',
          hint = ceil(extract(epoch from recent[1] + span - clock_timestamp()))::text;
      end if;
      update private.reaction_paces set sent = recent || clock_timestamp() where user_id = person;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.limit_renames()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      -- One that a moderator made somebody choose does not count.
      if new.id = (select auth.uid()) and not private.must_choose_name(new.id) then
        perform private.count_daily_act(
          new.id, 'rename', 3, 'You can change your username 3 times a day. Please try again tomorrow.'
        );
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.limit_reports()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.reporter_id = (select auth.uid()) then
        perform private.count_daily_act(
          new.reporter_id, 'report', 50, 'You can send 50 reports a day. Please try again tomorrow.'
        );
      end if;
      return null;
    end
  $function$;

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
      select ratings.id, raters.username as rater, ratings.rating, ratings.comment, ratings.created_at, ratings.answer
      from public.user_ratings as ratings
      left join public.profiles as raters on raters.id = ratings.rater_id and raters.listed
      where ratings.rated_user_id = trader
        and exists (select from public.profiles where profiles.id = trader and profiles.listed)
      order by ratings.created_at desc, ratings.id
      offset skipped limit shown
    ) as newest
  $function$;

CREATE OR REPLACE FUNCTION private.list_slots (
  slots text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    select string_agg(name || case when times > 1 then ' ×' || times else '' end, ', ' order by first)
    from (
      select name, count(*) as times, min(place) as first
      from unnest(private.name_slots(slots)) with ordinality as named (name, place) group by name
    ) as counted
  $function$;

CREATE OR REPLACE FUNCTION private.load_phrases (
  language text,
  file     text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      part text;
      line text;
      at integer := 0;
      steps private.phrase_step[];
    begin
      delete from private.harmful_phrases as loaded where loaded.language = load_phrases.language;
      foreach line in array regexp_split_to_array(file, '\s*\n') loop
        at := at + 1;
        if line like '[%]' then
          part := btrim(line, '[]');
        elsif part like 'phrases: %' and line <> '' and line not like '#%' then
          steps := private.phrase_steps(private.plain_text(line));
          insert into private.harmful_phrases (key, language, place, steps, refusal)
            select distinct key, load_phrases.language, at, steps, substr(part, 10)
            from unnest(private.phrase_keys(steps)) as key;
        end if;
      end loop;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.load_vocabulary (
  language text,
  file     text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      sum constant text := md5(file);
      part text;
      line text;
    begin
      if exists (select from private.vocabularies as loaded where loaded.language = load_vocabulary.language and checksum = sum) then
        return false;
      end if;
      delete from private.vocabularies as loaded where loaded.language = load_vocabulary.language;
      insert into private.vocabularies (language, checksum) values (load_vocabulary.language, sum);
      foreach line in array regexp_split_to_array(file, '\s*\n') loop
        if line like '[%]' then
          part := btrim(line, '[]');
        elsif line = '' or line like '#%' or part like 'phrases: %' then
          continue;
        elsif part in ('means', 'unsaid', 'said') then
          perform private.add_words(
            load_vocabulary.language,
            regexp_split_to_array(btrim(split_part(line, ':', 2)), ' +'),
            case part when 'means' then 'word' else part end,
            split_part(line, ':', 1)
          );
        else
          perform private.add_words(
            load_vocabulary.language, regexp_split_to_array(line, ' +'), case part when 'trade' then 'trade' else 'word' end,
            with_slips => part in ('trade', 'often')
          );
        end if;
      end loop;
      perform private.learn_item_names();
      return true;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.lowest_age (
  band text
)
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select case band when 'under-13' then 0 when '13-15' then 13 when '16-17' then 16 when '18-or-older' then 18 end
  $function$;

CREATE OR REPLACE FUNCTION private.mail_parent (
  child uuid,
  kind  text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      key constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
      email constant text := (select parent_email from private.parental_consents where child_id = child);
      base constant text := (select site_url from private.settings);
      link constant text := base || '/parents/consent#key=' || key;
      note constant text := 'The link works for 7 days.';
      texts constant text[] := private.compose_parent_mail(
        kind,
        (select username from public.profiles where id = child),
        (select coalesce(site_name, base) from private.settings)
      );
    begin
      if link is null or email is null or not private.may_mail_parent(email) then
        return false;
      end if;
      insert into private.parent_links (token_hash, child_id, expires_at)
        values (sha256(convert_to(key, 'UTF8')), child, now() + interval '7 days');
      insert into backend.mail_queue (message) values (jsonb_build_object(
        'to', email,
        'subject', texts[1],
        'text', array_to_string(texts[2:cardinality(texts) - 1] || link || texts[cardinality(texts)] || note, E'\n\n'),
        'html', (
          select string_agg('<p>' || private.escape_html(line) || '</p>', '' order by place)
            filter (where place < cardinality(texts))
            || format('<p><a href="%s">%1$s</a></p>', private.escape_html(link))
            || '<p>' || private.escape_html(texts[cardinality(texts)]) || '</p><p>' || note || '</p>'
          from unnest(texts) with ordinality as lines (line, place) where place > 1
        )
      ));
      notify backend_mail;
      return true;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.makes_rude_word (
  words text[]
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select exists (
      select from private.known_words as rude
      where rude.kind = 'unsaid' and length(rude.word) >= case when rude.meaning in ('foulword', 'kys', 'elsewhere') then 4 else 5 end
        and position(rude.word in array_to_string(words, '')) > 0
        and not exists (select from unnest(words) as word where position(rude.word in word) > 0)
    )
  $function$;

CREATE OR REPLACE FUNCTION private.may_mail_parent (
  email text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      digest constant bytea := (select sha256(convert_to(contact_key || lower(email), 'UTF8')) from private.settings);
      recent integer;
    begin
      if (select count(*) from backend.mail_queue) >= 1000 then
        return false;
      end if;
      insert into private.parent_paces as pace (address, sent) values (digest, array[now()])
        on conflict (address) do update
          set sent = array(select at from unnest(pace.sent) as at where at > now() - interval '24 hours') || now()
        returning cardinality(sent) into recent;
      if recent > 3 then
        update private.parent_paces set sent = sent[1:3] where address = digest;
      end if;
      return recent <= 3;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.may_upload()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select (select takes_uploads from private.settings) and private.may_write_freely(auth.uid())
  $function$;

CREATE OR REPLACE FUNCTION private.may_write_freely (
  person uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$ select private.find_standing(person) = 'free' $function$;

CREATE OR REPLACE FUNCTION private.meaning_of_pieces (
  pieces text[]
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select words.meaning
    from generate_subscripts(pieces, 1) as first, generate_series(first + 1, least(first + 11, cardinality(pieces))) as last,
      lateral (select translate(array_to_string(pieces[first : last], ''), '013457@$!', 'oieastasi') as whole) as joined,
      private.known_words as words
    where words.kind = 'unsaid' and length(whole) between 3 and 14
      and words.word in (whole, regexp_replace(whole, '([a-z])\1+', '\1', 'g'))
    limit 1
  $function$;

CREATE OR REPLACE FUNCTION private.must_choose_name (
  person uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.sanctions
      where user_id = person and kind = 'rename' and done_at is null and lifted_at is null
    ) or exists (select from private.outgrown_names where user_id = person)
  $function$;

CREATE OR REPLACE FUNCTION private.name_slots (
  slots text
)
  RETURNS text[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    declare
      most constant integer := 9;
      names text[];
    begin
      if slots !~ '^[a-z0-9-]{1,100}(\.p)?(,[a-z0-9-]{1,100}(\.p)?)*$'
        or cardinality(string_to_array(slots, ',')) > most then
        raise exception using errcode = 'check_violation', message = format('Choose 1 to %s items', most);
      end if;
      select array_agg(case when slot like '%.p' then 'Permanent ' else '' end || item.name order by place) into names
        from regexp_split_to_table(slots, ',') with ordinality as slots (slot, place)
        left join public.items as item on item.slug = split_part(slot, '.', 1);
      if array_position(names, null) is not null then
        raise exception using
          errcode = 'check_violation', message = 'One of these items is no longer listed here';
      end if;
      return names;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.note_refusal (
  person uuid,
  reason text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      enough constant integer := 5;
      today constant uuid := md5(person || to_char(now() at time zone 'UTC', 'YYYYMMDD'))::uuid;
      found_reasons text;
    begin
      delete from private.refused_texts where at < now() - interval '1 day';
      insert into private.refused_texts (user_id, reason) select id, note_refusal.reason from public.profiles where id = person;
      select string_agg(times || ' × ' || why, E'\n' order by times desc, why) into found_reasons
        from (
          select refused.reason as why, count(*) as times, sum(count(*)) over () as total
          from private.refused_texts as refused where user_id = person group by refused.reason
        ) as counted
        where total >= enough;
      if found_reasons is null then
        return;
      end if;
      update public.reports set evidence = found_reasons
        where subject_id = today and kind = 'refusals' and resolved_at is null;
      if not exists (select from public.reports where subject_id = today and kind = 'refusals') then
        insert into public.reports (kind, code, subject_id, reported_user_id, reporter_id, evidence)
          values ('refusals', 'personal', today, person, null, found_reasons);
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.passes_for_operator (
  username text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    with read as (
      select translate(lower(username), '01345789l', 'oieastbgi') as plain,
        -- The words of 'ModTeam', 'mod_team' and 'MOD7'.
        regexp_split_to_array(
          lower(regexp_replace(username, '([a-z])([A-Z])', '\1 \2', 'g')), '[^a-z]+'
        ) as words
    )
    select replace(plain, '_', '') ~ 'admin(?!ton)|moderat|officiai|robiox|robiux|buiiderman|gamerrobot|ripindra|^indra|indra$|bioxfruit|deveioper'
      or words && '{mod,mods,staff,support,dev,devs,owner,official,system,helper}'
      or replace(plain, '_', '') ~ '^(the|reai)?(mod|staff|support|system|owner|anonymous)s?[0-9oieastbg]*$'
    from read
  $function$;

CREATE OR REPLACE FUNCTION private.phrase_keys (
  steps private.phrase_step[]
)
  RETURNS text[]
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select step.firsts from unnest(steps) as step
    where step.least > 0 and step.firsts is not null
    order by (
      select sum(case when word = any ('{you,your,me,i,im,my,the,a,to,it,is,are,and,for,in,on,or,give,send,get,have,want,can,will,go,do,dont,no,at,with,from,that,what,be,by,of,so,just,we,add,not,who,first,trade,up,this,if}')
        then 10 else 1 end)
      from unnest(step.firsts) as word
    ) limit 1
  $function$;

CREATE OR REPLACE FUNCTION private.phrase_steps (
  phrase text
)
  RETURNS private.phrase_step[]
  LANGUAGE plpgsql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    declare
      steps private.phrase_step[] := '{}';
      step private.phrase_step;
      token text[];
    begin
      for token in select regexp_matches(phrase, '(\([^)]*\)|[^\s?*]+|\*)([?*]?)', 'g') loop
        step := null;
        step.least := case when token[2] <> '' or token[1] = '*' then 0 else 1 end;
        step.most := case when token[1] = '*' then 3 when token[2] = '*' then 4 else 1 end;
        step.special := case token[1] when '*' then 'gap' when '<start>' then 'start' when '<end>' then 'end' when '<plain>' then 'plain' end;
        step.longest := 1;
        if step.special is null then
          step.options := array(
            select (
              select string_agg(coalesce((
                select meaning from private.known_words
                where known_words.word = piece and kind not in ('slip', 'near') order by private.rank_of_word(known_words) limit 1
              ), piece), ' ' order by number)
              from unnest(string_to_array(option, ' ')) with ordinality as pieces (piece, number)
            ) from unnest(string_to_array(btrim(token[1], '()'), '|')) as option
          );
          step.longest := (select max(cardinality(string_to_array(option, ' '))) from unnest(step.options) as option);
          if not step.options && '{<end>,<plain>}' then
            step.firsts := array(select distinct split_part(option, ' ', 1) from unnest(step.options) as option);
          end if;
        end if;
        steps := steps || step;
      end loop;
      return steps;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.rank_of_word (
  known private.known_words
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select case known.kind when 'said' then '0' when 'unsaid' then '1' when 'slip' then '5' when 'near' then '5'
      else case when left(known.meaning, 1) between '0' and '9' then '2' when known.meaning <> known.word then '3' else '4' end
    end || known.language
  $function$;

CREATE OR REPLACE FUNCTION private.read_parts (
  value text,
  OUT   ats bigint[],
  OUT   gaps text[],
  OUT   chunks text[],
  OUT   parts text[],
  OUT   kinds text[],
  OUT   meanings text[]
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    begin
      with split as (
        select match[1] as gap, match[2] as chunk, place,
          case when octet_length(match[2]) = char_length(match[2]) then lower(match[2])
            else private.without_emoji(private.plain_text(match[2])) end as plain
        from regexp_matches(value, '(\s*)(\S+)', 'g') with ordinality as split (match, place)
      ),
      pieces as (
        select place, gap, chunk, number, piece, plain like '@%' as is_mention,
          plain ~ '[.,].' and private.holds_glued_dot(plain) as is_glued,
          -- No word is longer, and letters that stand again cost seconds to find in a long run.
          case when length(piece) <= 40 and piece ~ '([a-z])\1\1' then array[
            regexp_replace(piece, '([a-z])\1{2,}', '\1', 'g'), regexp_replace(piece, '([a-z])\1{2,}', '\1\1', 'g')
          ] else array[piece] end as spellings
        from split, unnest(string_to_array(
          case when plain ~ '^[a-z]+[?!.,]*$' then rtrim(plain, '?!.,') else private.separate_parts(plain) end, ' '
        ) || case when plain ~ '^[^a-z0-9]*$' then array[''] end) with ordinality as listed (piece, number)
        where number = 1 or piece <> ''
      ),
      looked_up as (
        select pieces.*, known.kind, coalesce(known.meaning, guessed.meaning, piece) as meaning,
          guessed.meaning is not null as is_guessed, known.kind is null and piece ~ '[0-9]' and private.is_figure(piece) as is_figure
        from pieces
        left join lateral (
          select words.kind, words.meaning from private.known_words as words
          where words.word = any (spellings)
          order by words.kind in ('unsaid', 'said') desc, words.word = piece desc, private.rank_of_word(words) limit 1
        ) as known on true
        left join lateral (
          -- 'sh1t', 'fuuck', 'd1sc0rd': only what is not known may be meant for something else.
          select words.meaning from private.known_words as words
          where known.kind is null and length(piece) <= 40 and piece ~ '[a-z]' and words.kind = 'unsaid' and words.word = any (array[
            translate(piece, '013457@$!89', 'oieastasibg'),
            regexp_replace(translate(piece, '013457@$!89', 'oieastasibg'), '([a-z])\1+', '\1', 'g')
          ]) limit 1
        ) as guessed on true
      )
      select array_agg(place order by place, number), array_agg(gap order by place, number), array_agg(chunk order by place, number),
        array_agg(piece order by place, number),
        array_agg(case
          when piece = '' then null
          when is_glued then 'unknown'
          when is_mention and private.is_in_the_room(substr(chunk, 2)) then 'mention'
          when is_figure then 'figure'
          when kind = 'unsaid' or is_guessed then 'unsaid'
          when kind = 'slip' then 'trade'
          when kind in ('near', 'said') then 'word'
          else coalesce(kind, 'unknown')
        end order by place, number),
        array_agg(case
          when not is_figure then meaning
          when piece ~ '^[0-9]+$' then coalesce(nullif(ltrim(piece, '0'), ''), '0')
          else '#'
        end order by place, number)
        into ats, gaps, chunks, parts, kinds, meanings
        from looked_up;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.record_act()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      unkept constant text[] := coalesce(tg_argv, '{}');
      before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - unkept end;
      after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - unkept end;
      known constant jsonb := coalesce(before, after);
      whole constant jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
    begin
      if tg_table_name <> 'user_roles' and not private.is_moderator() and auth.role() is distinct from 'service_role' then
        return null;
      end if;
      if tg_op = 'UPDATE' then
        select jsonb_object_agg(key, before -> key), jsonb_object_agg(key, value) into before, after
          from jsonb_each(after) where value is distinct from before -> key;
        if after is null then
          return null;
        end if;
      end if;
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id, title, old, new)
      values (
        (select auth.uid()), lower(tg_op), tg_table_name,
        -- A check has no id that others know: it is about its item.
        coalesce(whole ->> 'item_id', whole ->> 'id', whole ->> 'sanction_id', whole ->> 'user_id')::uuid,
        coalesce(
          whole ->> 'reported_user_id', whole ->> 'rater_id', whole ->> 'user_id',
          (select user_id from public.sanctions where id = (whole ->> 'sanction_id')::uuid)::text
        )::uuid,
        coalesce(
          known ->> 'label', known ->> 'name', known ->> 'page_name', known ->> 'placement',
          (select name from public.items where id = (whole ->> 'item_id')::uuid)
        ),
        before, after
      );
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.record_word_act (
  word text,
  act  text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    insert into public.admin_acts (admin_id, act, table_name, row_id, title)
      values ((select auth.uid()), act, 'word_requests', md5(word)::uuid, word)
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_removed_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.id = (select auth.uid()) and exists (
        select from public.sanctions
        where user_id = new.id and kind = 'rename' and lifted_at is null
          and private.look_of_name(removed) = private.look_of_name(new.username)
      ) then
        raise exception using errcode = 'check_violation', message = 'This username is not allowed';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_unasked (
  person          uuid,
  admits_children boolean
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    declare
      standing constant text := private.find_standing(person);
    begin
      if (standing = 'unasked' or standing = 'child' and not admits_children) and not private.is_bystander() then
        raise exception using
          errcode = 'PT403',
          message = case standing
            when 'child' then 'A parent has to allow this first'
            else 'Choose your age group first'
          end,
          detail = standing;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_unnamed (
  person uuid
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    begin
      if private.must_choose_name(person) then
        raise exception using
          errcode = 'PT403', message = 'Please choose a new username first, on your account page', hint = 'username';
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_without_voice (
  person uuid
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    declare
      standing constant text := private.find_standing(person);
    begin
      if standing <> 'free' and not private.is_bystander() then
        raise exception using errcode = 'PT403', message = private.tell_standing(standing), detail = standing;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.remove_avatars()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      -- A hosted project asks for this before it lets SQL remove the row of a file.
      perform set_config('storage.allow_delete_query', 'true', true);
      if tg_op = 'DELETE' then
        delete from storage.objects
        where bucket_id in ('avatars', 'avatar-uploads') and starts_with(name, old.id::text || '/');
      else
        delete from storage.objects
        where bucket_id = 'avatars' and name = substring(old.avatar_url from '/avatars/(.+)$')
          -- Somebody has to judge it first.
          and not private.is_evidence(name);
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.remove_waiting_avatars()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      -- A hosted project asks for this before it lets SQL remove the row of a file.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'avatar-uploads' and starts_with(name, new.child_id::text || '/');
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.rename_person (
  person uuid,
  name   text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      update public.profiles set username = name where id = person;
      update public.chat_messages set username = name where id in (
        select id from public.chat_messages where user_id = person order by created_at desc limit 500
      );
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_admin()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    begin
      if not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins decide about words';
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_few_avatars()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant text := split_part(new.name, '/', 1);
      -- The one that is shown, the one that takes its place, and what a lost connection may have left.
      most constant integer := 4;
    begin
      perform pg_advisory_xact_lock(hashtextextended('avatars/' || person, 0));
      if (select count(*) from storage.objects
        where bucket_id = new.bucket_id and starts_with(name, person || '/') and not private.is_evidence(name)) > most then
        raise exception using errcode = '42501', message = format('There is room for %s pictures per person', most);
      end if;
      -- Who signed may have left since.
      if not exists (select from public.profiles where id = private.owner_of_avatar(new.name)) then
        raise exception using errcode = '42501', message = 'There is no such person';
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_known_text (
  value text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      verdict constant private.verdict := private.judge_text(value);
    begin
      if verdict.refusal is not null then
        raise exception using errcode = 'check_violation', message = verdict.refusal;
      end if;
      return verdict.shown;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_right_over (
  person uuid
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      me constant uuid := auth.uid();
    begin
      if me = person or me is not null and not private.is_moderator() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only moderators act, and only about others';
      end if;
      if not private.is_admin() and me is not null and exists (select from public.user_roles where user_id = person) then
        raise exception using errcode = 'PT403', message = 'Only an admin can act about a moderator or an admin';
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_room_for_trades()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      most constant integer := 5000;
      person constant uuid := (select auth.uid());
    begin
      if not row_security_active('public.trade_history') then
        return null;
      end if;
      -- Who saves at the same moment waits, so that each is counted.
      perform pg_advisory_xact_lock(hashtextextended('trades/' || person, 0));
      if (select count(*) from public.trade_history where user_id = person) > most then
        raise exception using
          errcode = 'check_violation',
          message = 'You can keep up to 5000 saved trades: delete one to save another';
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.separate_parts (
  plain text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select case
      when plain ~ '^[a-z]*$' then plain
      when plain in ('@everyone', '@here') then substr(plain, 2)
      when plain ~ '^[:;=][-'']?[()dpo03/\\|*s>\[\]]+$|^([xd:]d+|<3+|\^[._]?\^|[(:]3|t[_.]t|>[:;][()]|-[._]-|[o0][_.][o0]|:v)$' then ''
      -- Stars in a word stand for letters that everybody adds.
      when plain ~ '[a-z][*]+[a-z]' then replace(plain, '*', '~')
      else btrim(regexp_replace(regexp_replace(regexp_replace(
        regexp_replace(translate(plain, '’‘´`''', ''), '[][!"&()*/:;<=>?\\^{|}~_+…–—−¿¡«»“”„-]+|(?<![0-9])#+(?![0-9])', ' ', 'g'),
        '[.,]+(?![0-9])|(?<![0-9])[.,]+|(?<=[.,])[.,]+', ' ', 'g'
      ), '(?<![a-z0-9])([0-9.,]+)([a-z]{3,}|yo|yrs?|y)(?![a-z0-9])', '\1 \2', 'g'), ' +', ' ', 'g'))
    end
  $function$;

CREATE OR REPLACE FUNCTION private.set_ban (
  person uuid,
  until  timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      -- The auth service counts in years of four digits.
      update auth.users set banned_until = case when until < 'infinity' then until when until = 'infinity' then '9999-01-01' end
        where id = person;
      if until > now() then
        delete from auth.sessions where user_id = person;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.settle_age_band()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if private.is_child(new.user_id) then
        perform private.hide_child(new.user_id, tg_op = 'UPDATE');
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.settle_forced_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.id = (select auth.uid()) then
        update public.sanctions set done_at = now()
          where user_id = new.id and kind = 'rename' and done_at is null and lifted_at is null;
        delete from private.outgrown_names where user_id = new.id;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.show_allowed_avatar()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := private.owner_of_avatar(new.name);
    begin
      update public.profiles set avatar_url = '/storage/v1/object/public/avatars/' || new.name where id = person;
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'update', 'avatars', person, person);
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.show_text (
  value text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$ select coalesce((private.judge_text(value)).shown, '####') $function$;

CREATE OR REPLACE FUNCTION private.sign_answer()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      judged public.sanctions;
    begin
      select * into judged from public.sanctions where id = new.sanction_id;
      if old.answered_at is not null or new.granted is null then
        raise exception using errcode = 'PT403', message = 'An appeal is answered once, by yes or no';
      end if;
      if judged.user_id = (select auth.uid())
        or judged.created_by = (select auth.uid()) and private.has_other_moderator(judged.user_id)
      then
        raise exception using errcode = 'PT403', message = 'You acted here yourself: another moderator answers this appeal';
      end if;
      new.answer := nullif(private.trim_text(new.answer), '');
      new.answered_at := now();
      new.answered_by := (select id from public.profiles where id = (select auth.uid()));
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.sign_lifting()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if old.lifted_at is not null or new.lifted_at is null then
        raise exception using errcode = 'PT403', message = 'What was taken back stays taken back';
      end if;
      perform private.require_right_over(new.user_id);
      new.lifted_at := now();
      new.lifted_by := (select id from public.profiles where id = (select auth.uid()));
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.sign_resolution()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.resolved_at is null then
        new.resolved_by := null;
        new.outcome := null;
        new.sanction_id := null;
        return new;
      end if;
      if exists (
        select from public.second_opinions where user_id = new.reported_user_id and asked_by = (select auth.uid())
      ) then
        raise exception using
          errcode = 'PT403', message = 'You asked for a second opinion: another moderator closes this case';
      end if;
      new.resolved_at := now();
      new.resolved_by := (select id from public.profiles where id = (select auth.uid()));
      new.outcome := coalesce(new.outcome, 'nothing');
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.slips_of (
  word text
)
  RETURNS SETOF text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select unnest(array[
      left(word, at - 1) || substr(word, at + 1),
      left(word, at - 1) || substr(word, at + 1, 1) || substr(word, at, 1) || substr(word, at + 2),
      left(word, at) || substr(word, at)
    ])
    from generate_series(2, length(word)) as at
    where length(word) >= 5
  $function$;

CREATE OR REPLACE FUNCTION private.stamp_message (
  message public.chat_messages
)
  RETURNS public.chat_messages
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      message.username := coalesce((select username from public.profiles where id = message.user_id), 'Anonymous');
      if row_security_active('public.chat_messages') then
        perform private.limit_chat_rate(message.user_id);
        message.created_at := clock_timestamp();
      end if;
      return message;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.tell_ban (
  ban public.sanctions
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select case
      when isfinite(ban.until) then format('This account is suspended until %s UTC. Reason: %s',
        to_char(ban.until at time zone 'UTC', 'Mon FMDD, YYYY, FMHH12:MI AM'), ban.reason)
      else format('This account is suspended for good. Reason: %s', ban.reason)
    end
  $function$;

CREATE OR REPLACE FUNCTION private.tell_full_account()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform pg_notify('realtime_rights', new.id::text);
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.tell_silence (
  silence public.chat_silences
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select case
      when isfinite(silence.until) then format('You can''t write in the chat for %s, until %s UTC. Reason: %s',
        private.name_time_left(silence.until - now()),
        to_char(silence.until at time zone 'UTC', 'Mon FMDD, YYYY, FMHH12:MI AM'),
        silence.reason)
      else format('You can no longer write in the chat. Reason: %s', silence.reason)
    end
  $function$;

CREATE OR REPLACE FUNCTION private.tell_standing (
  standing text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select case standing
      when 'unasked' then 'Choose your age group before you write to others'
      when 'child' then 'You can use quick talk. A parent can allow more.'
      when 'strikes' then 'You can use quick talk for now, because of what moderators had to remove'
      when 'new' then 'You can use quick talk. New accounts can write freely a little later.'
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
        when 'silence' then
          delete from public.chat_silences where user_id = person and until = new.until;
        when 'rename' then
          if new.done_at is null and not exists (
            select from public.profiles where lower(username) = lower(new.removed)
          ) then
            perform private.rename_person(person, new.removed);
          end if;
        when 'comment' then
          update public.user_ratings set comment = new.removed
            where id = new.subject_id and rater_id = person and comment is null;
          update public.user_ratings set answer = new.removed
            where id = new.subject_id and rated_user_id = person and answer is null;
        when 'ban' then
          perform private.set_ban(person, (
            select max(until) from public.sanctions where user_id = person and kind = 'ban' and lifted_at is null
          ));
        else null;
      end case;
      -- Taken back at once it was a slip: the reports wait again. Later, the judgment was wrong, and nothing was done.
      update public.reports
        set resolved_at = case when new.created_at < now() - interval '10 minutes' then resolved_at end,
          outcome = 'nothing'
        where sanction_id = new.id;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.unsaid_in_name (
  username text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    with pieces as (
      select string_to_array(btrim(lower(regexp_replace(
        regexp_replace(spelling, '([a-z])([A-Z])', '\1 \2', 'g'), '[_0-9]+', ' ', 'g'
      ))), ' ') as list
      -- Three figures and more in a row are figures: 6455 is no word.
      from unnest(array[username, translate(regexp_replace(username, '[0-9]{3,}', '_', 'g'), '013457', 'oieast')]) as spelling
    )
    select meaning from (
      select words.meaning from pieces, unnest(list) as piece, private.known_words as words
      where words.word = piece and words.kind = 'unsaid'
      union all
      select private.meaning_of_pieces(list) from pieces
    ) as found where meaning in ('foulword', 'kys', 'elsewhere') limit 1
  $function$;

CREATE OR REPLACE FUNCTION private.without_emoji (
  plain text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select case when octet_length(plain) = char_length(plain) then plain else translate(
      plain,
      '😀😃😄😁😆😅😂🤣😭😊🙂🙃😉😎🤩🤔🤨😐😑😶🙄😬😮😯😲😳🥺😥😢😞😔😟😕🙁☹😖😫😩🥱😴😤😠😡😱😨😰🤯🥳🤠🤑🤗🤫🤭🤓😇🥹🫡🫠😵🤷🤦🙋🙌👏👍👎👌🤝🙏💪👋✌🤞👀💀☠'
        || '🔥💯✅❌✔✖❎⭕⭐🌟✨💫🎉🎊🎁🎃🎄🏆🥇🥈🥉💎💰🪙👑⚔🗡🛡⚡❄🌊🌋🌀🌪☁☀🌙🌈💨💧☄💥🧊🪨🕊'
        || '🐉🐲🦊🐯🐅🐆🦁🐺🦅🦜🐦🕷🕸👻👾🤖🦖🦕🐘🦣🦈🐍🐢🐙🦑🦀🐟🐠🐬🐳🐋🐶🐕🐱🍎🍏🍐🍊🍋🍌🍇🍓🍉🍍🥭🍩🍪🎂🍿🥥'
        || '❤🧡💛💚💙💜🖤🤍🤎💔➕➖✚➡⬅⬆⬇→←↑↓↔🔄🔁🔃❓❗‼⁉⏳⌛⏰🚀🚪🎮🎯🎲🧡🟢🔴🟡🔵🟣🟠⚪⚫🟥🟩🟦🟨🔺🔻📈📉🏻🏼🏽🏾🏿♂♀×÷',
      ''
    ) end
  $function$;

CREATE OR REPLACE FUNCTION private.word_as_read (
  word text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$ select regexp_replace(private.plain_text(left(word, 100)), '[^a-z0-9]', '', 'g') $function$;

CREATE OR REPLACE FUNCTION private.words_of_name (
  username text
)
  RETURNS text[]
  LANGUAGE plpgsql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    declare
      words text[] := '{}';
      piece text;
    begin
      foreach piece in array regexp_split_to_array(
        lower(regexp_replace(regexp_replace(username, '([a-z])([A-Z])', '\1 \2', 'g'), '([A-Z])([A-Z][a-z])', '\1 \2', 'g')),
        '[ _0-9]+'
      ) loop
        continue when piece = '';
        words := words || private.cut_into_words(piece);
        if private.cut_into_words(piece) is null then
          return null;
        end if;
      end loop;
      return nullif(words, '{}');
    end
  $function$;

CREATE OR REPLACE FUNCTION public.allow_word (
  word text
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
      if exists (select from private.known_words as known where known.word = allowed and kind = 'unsaid') then
        raise exception using errcode = 'check_violation', message = 'This word is hidden for the safety of children';
      end if;
      perform private.add_words('site', array[allowed], 'word');
      update public.word_requests as request set allowed_at = now(), refused_at = null where request.word = allowed;
      perform private.record_word_act(allowed, 'insert');
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."allow_word"(text) FROM PUBLIC, "anon";

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
      if private.owes_second_factor() or private.is_bystander() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in to answer a rating';
      end if;
      perform private.refuse_unnamed((select auth.uid()));
      update public.user_ratings set answer = said, answered_at = coalesce(answered_at, now())
        where id = rating_id and rated_user_id = (select auth.uid()) and (said is null or answered_at is null);
      if not found then
        raise exception using errcode = 'PT404', message = 'This rating is gone, or you answered it already';
      end if;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."answer_rating"(uuid, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.appeal_ban (
  key     uuid,
  message text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      insert into public.appeals (sanction_id, message)
        select id, appeal_ban.message from public.sanctions
        where appeal_key = key and kind = 'ban' and lifted_at is null;
      if not found then
        raise exception using errcode = 'PT404', message = 'This suspension no longer exists';
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.ask_for_word (
  word text
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      asked constant text := private.word_as_read(word);
      person constant uuid := (select auth.uid());
    begin
      if person is null or private.is_bystander() or private.owes_second_factor() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in to ask for a word';
      end if;
      if asked is null or asked !~ '^[a-z0-9]{2,30}$' or asked ~ '[0-9]{3}' then
        raise exception using errcode = 'check_violation', message = 'A word has 2 to 30 letters';
      end if;
      if exists (select from private.known_words as known where known.word = asked and kind <> 'unsaid') then
        return 'known';
      end if;
      if exists (select from private.known_words as known where known.word = asked)
        or exists (select from public.word_requests as request where request.word = asked and refused_at is not null) then
        return 'refused';
      end if;
      perform private.count_daily_act(person, 'ask', 10, 'You can ask for 10 words a day. Please try again tomorrow.');
      insert into public.word_requests (word) values (asked) on conflict do nothing;
      insert into private.word_askers (word, user_id) values (asked, person) on conflict do nothing;
      update public.word_requests as request
        set count = (select count(*) from private.word_askers as asker where asker.word = asked),
          last_asked_at = now(), allowed_at = null
        where request.word = asked;
      return 'asked';
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."ask_for_word"(text) FROM PUBLIC, "anon";

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
      if me is null or private.owes_second_factor() or private.is_bystander() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in first';
      end if;
      if not private.is_child(me) then
        raise exception using errcode = 'PT409', message = 'You need no parent''s permission here';
      end if;
      if (select site_url from private.settings) is null then
        raise exception using errcode = 'PT503', message = 'This site sends no mail, so it can ask no parent';
      end if;
      if char_length(address) > 255 or address !~ '^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$' then
        raise exception using errcode = 'check_violation', message = 'Please enter an email address';
      end if;
      if address = (select lower(users.email) from auth.users where id = me) then
        raise exception using
          errcode = 'check_violation', message = 'This is the address of your own account. Please enter your parent''s.';
      end if;
      perform private.count_daily_act(me, 'ask_parent', 3, 'You can ask three times a day. Please try again tomorrow.');
      insert into private.parental_consents as consent (child_id, state, parent_email) values (me, 'asked', address)
        on conflict (child_id) do update set state = 'asked', parent_email = excluded.parent_email, changed_at = now();
      -- Who had a link before has it no more: it was sent to another, or answered.
      delete from private.parent_links where child_id = me;
      insert into private.consent_log (child_id, act) values (me, 'asked');
      if not private.mail_parent(me, 'asked') then
        raise exception using
          errcode = 'PT429', message = 'This address cannot be written to right now. Please try again tomorrow.';
      end if;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."ask_parent"(text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.choose_age_band (
  band    text,
  list_me boolean DEFAULT false
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      me constant uuid := (select auth.uid());
    begin
      if me is null or private.owes_second_factor() or private.is_bystander() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in first';
      end if;
      if private.lowest_age(choose_age_band.band) is null then
        raise exception using errcode = 'invalid_parameter_value', message = 'Please choose one of the age groups';
      end if;
      insert into public.age_bands (user_id, band) values (me, choose_age_band.band) on conflict do nothing;
      if not found then
        raise exception using
          errcode = 'PT409', message = 'You chose your age group already. Write to us if it is wrong.';
      end if;
      if list_me and not private.is_child(me) then
        update public.profiles set listed = true where id = me;
      end if;
      return private.find_standing(me);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."choose_age_band"(text, boolean) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.count_moderation()
  RETURNS TABLE (
    month           date,
    reports         integer,
    acted_on        integer,
    median_minutes  integer,
    appeals         integer,
    appeals_granted integer
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    with months as (
      select date_trunc('month', now() at time zone 'UTC')::date - make_interval(months => ago) as month
      from generate_series(0, 11) as ago
    ),
    counted as (
      select date_trunc('month', created_at at time zone 'UTC') as month, count(*) as reports,
        count(*) filter (where outcome = 'acted') as acted_on, count(resolved_at) as resolved,
        percentile_cont(0.5) within group (order by extract(epoch from resolved_at - created_at) / 60) as minutes
      from public.reports where reporter_id is not null group by 1
    ),
    appealed as (
      select date_trunc('month', created_at at time zone 'UTC') as month, count(*) as appeals,
        count(*) filter (where granted) as granted
      from public.appeals group by 1
    )
    select months.month::date, nullif(greatest(counted.reports, 4), 4)::integer,
      nullif(greatest(counted.acted_on, 4), 4)::integer,
      case when counted.resolved >= 5 then ceil(counted.minutes)::integer end,
      nullif(greatest(appealed.appeals, 4), 4)::integer, nullif(greatest(appealed.granted, 4), 4)::integer
    from months
    left join counted on counted.month = months.month
    left join appealed on appealed.month = months.month
    order by months.month desc
  $function$;

CREATE OR REPLACE FUNCTION public.decide_as_parent (
  key      text,
  decision text
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      child constant uuid := private.find_linked_child(key);
      known private.parental_consents;
      answer constant text :=
        case decision when 'allow' then 'allowed' when 'refuse' then 'refused' when 'withdraw' then 'withdrawn' end;
    begin
      select * into known from private.parental_consents where child_id = child for update;
      if answer is null or known.child_id is null
        or (known.state, answer) not in (('asked', 'allowed'), ('asked', 'refused'), ('allowed', 'withdrawn'))
      then
        raise exception using errcode = 'PT409', message = 'This was answered already. Your child can ask again.';
      end if;
      update private.parental_consents
        set state = answer, changed_at = now(), parent_email = case answer when 'allowed' then known.parent_email end
        where child_id = child;
      insert into private.consent_log (child_id, act) values (child, answer);
      if answer = 'allowed' then
        -- The second step: whoever allowed it in the parent's name is found out.
        perform private.mail_parent(child, 'allowed');
      elsif private.is_child(child) then
        perform private.hide_child(child, renames => answer = 'withdrawn');
      end if;
      return answer;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.delete_as_parent (
  key text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      delete from auth.users where id = private.find_linked_child(key);
    end
  $function$;

CREATE OR REPLACE FUNCTION public.end_own_session (
  session_id uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      delete from auth.sessions as sessions
      where sessions.id = session_id and sessions.user_id = (select auth.uid())
        and not (select private.owes_second_factor()) and not (select private.is_application());
      return found;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."end_own_session"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.export_as_parent (
  key text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      child constant uuid := private.find_linked_child(key);
    begin
      insert into private.consent_log (child_id, act) values (child, 'exported');
      return jsonb_build_object(
        'exported_at', now(),
        'profile', (select jsonb_build_object('username', username, 'listed', listed, 'picture', avatar_url)
          from public.profiles where id = child),
        'age_group', (select band from public.age_bands where user_id = child),
        'account', (select jsonb_build_object('created_at', created_at, 'last_sign_in_at', last_sign_in_at)
          from auth.users where id = child),
        'saved_trades', (select coalesce(jsonb_agg(to_jsonb(rows) - 'user_id' order by created_at), '[]')
          from public.trade_history as rows where user_id = child),
        'chat_messages', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'message', message)
          order by created_at), '[]') from public.chat_messages where user_id = child),
        'ratings_given', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'stars', rating,
          'comment', comment) order by created_at), '[]') from public.user_ratings where rater_id = child),
        'ratings_received', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'stars', rating,
          'comment', comment, 'answer', answer) order by created_at), '[]')
          from public.user_ratings where rated_user_id = child),
        'people_muted', (select count(*) from public.chat_mutes where user_id = child),
        'reports_sent', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'kind', kind, 'reason', reason)
          order by created_at), '[]') from public.reports where reporter_id = child),
        'sanctions', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'kind', kind, 'reason', reason)
          order by created_at), '[]') from public.sanctions where user_id = child),
        'permissions', (select coalesce(jsonb_agg(jsonb_build_object('at', at, 'act', act) order by id), '[]')
          from private.consent_log where child_id = child)
      );
    end
  $function$;

CREATE OR REPLACE FUNCTION public.find_own_username_fault()
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select private.find_username_fault(username) from public.profiles where id = (select auth.uid())
  $function$;

REVOKE ALL ON FUNCTION "public"."find_own_username_fault"() FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.import_items (
  changes   jsonb,
  reason    text  DEFAULT NULL::text,
  import_id uuid  DEFAULT gen_random_uuid()
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      stale text;
      before jsonb;
      changed public.items[];
      added public.items[];
      written public.items[];
    begin
      if row_security_active('public.items') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins import items';
      end if;
      if jsonb_array_length(changes) > 5000 then
        raise exception using
          errcode = 'check_violation', message = 'Too many items at once: at most 5000';
      end if;

      -- In one order for everybody, so that two imports wait for each other and never for themselves.
      perform from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(changes) as element)
        order by id for update;
      select string_agg(coalesce(items.name, expected.name, expected.id::text), ', ' order by items.name) into stale
        from jsonb_to_recordset(changes) as expected (id uuid, updated_at timestamptz, name text)
        left join public.items on items.id = expected.id
        where expected.id is not null and items.updated_at is distinct from expected.updated_at;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by someone else in the meantime: %s', left(stale, 300)),
          hint = 'Nothing was imported. Choose the file again to compare it with what is there now.';
      end if;
      select coalesce(jsonb_object_agg(items.id, to_jsonb(items)), '{}') into before from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(changes) as element);

      with changed as (
        update public.items set
          name = change.name, slug = change.slug, aliases = coalesce(change.aliases, items.aliases),
          category_id = change.category_id, image_url = change.image_url,
          rarity = change.rarity, demand = change.demand, type = change.type, is_permanent = change.is_permanent,
          current_value = change.current_value,
          -- A whole item says nothing of what was meant: a previous value that it leaves as it is follows.
          previous_value = case
            when change.previous_value = items.previous_value
              and private.parse_value_text(change.current_value) is distinct from items.current_value_number
            then items.current_value else change.previous_value end,
          permanent_value = change.permanent_value,
          permanent_previous_value = case
            when change.permanent_previous_value is not distinct from items.permanent_previous_value
              and private.parse_value_text(change.permanent_value) is distinct from items.permanent_value_number
            then items.permanent_value else change.permanent_previous_value end,
          beli_price = change.beli_price, robux_price = change.robux_price, custom_fields = change.custom_fields,
          change_reason = import_items.reason
        from jsonb_populate_recordset(null::public.items, changes) as change
        where items.id = change.id
        returning items as item
      )
      select array_agg(item) into changed from changed as done;

      with added as (
        insert into public.items (
          name, slug, aliases, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, change_reason
        )
        select
          name, slug, coalesce(aliases, ''), category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, import_items.reason
        from jsonb_populate_recordset(null::public.items, changes)
        where id is null
        returning items as item
      )
      select array_agg(item) into added from added as done;

      written := coalesce(changed, '{}') || coalesce(added, '{}');
      insert into public.item_imports (id, rows)
        select import_items.import_id, coalesce(
          jsonb_agg(jsonb_build_object('id', item.id, 'updated_at', item.updated_at, 'before', before -> item.id::text)),
          '[]')
        from unnest(written) as item;
      return query select * from unnest(written);
    end
  $function$;

CREATE OR REPLACE FUNCTION public.is_under_strikes()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$ select coalesce(private.has_strikes(auth.uid()), false) $function$;

REVOKE ALL ON FUNCTION "public"."is_under_strikes"() FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.list_chat_faces (
  people uuid[]
)
  RETURNS TABLE (
    id         uuid,
    avatar_url text,
    listed     boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select writers.id, writers.avatar_url, writers.listed
    from public.profiles as writers
    where writers.id = any (people[1:200]) and (writers.listed or writers.avatar_url is not null)
      and exists (select from public.chat_messages where user_id = writers.id)
      and not (select private.is_bystander())
  $function$;

REVOKE ALL ON FUNCTION "public"."list_chat_faces"(uuid[]) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.list_known_words (
  known_version text DEFAULT NULL::text
)
  RETURNS TABLE (
    version text,
    words   text,
    often   text
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      version := md5(
        (select string_agg(language || checksum || loaded_at, ',' order by language) from private.vocabularies)
        -- Of what is not loaded from a file, the words themselves.
        || (select count(*) || ',' || coalesce(md5(string_agg(word, ' ' order by word)), '')
          from private.known_words where language in ('items', 'site'))
      );
      if known_version is distinct from version then
        select string_agg(word, ' ' order by word), string_agg(word, ' ' order by word) filter (where has_slips)
          into words, often
          from (
            select word, exists (
              select from private.known_words as slips where slips.kind in ('slip', 'near') and slips.meaning = known.word
            ) as has_slips
            from private.known_words as known where kind not in ('slip', 'near')
            group by word having bool_and(kind <> 'unsaid')
          ) as known;
      end if;
      return next;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_known_words"(text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.list_own_sessions()
  RETURNS TABLE (
    created_at     timestamp with time zone,
    refreshed_at   timestamp with time zone,
    user_agent     text,
    ip             text,
    id             uuid,
    is_current     boolean,
    is_application boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select
      sessions.created_at, sessions.refreshed_at at time zone 'utc', sessions.user_agent, host(sessions.ip),
      sessions.id, sessions.id::text is not distinct from auth.jwt() ->> 'session_id', sessions.oauth_client_id is not null
    from auth.sessions as sessions
    where sessions.user_id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_application())
    order by sessions.created_at
  $function$;

REVOKE ALL ON FUNCTION "public"."list_own_sessions"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_silence_makers (
  people uuid[]
)
  RETURNS TABLE (
    user_id  uuid,
    username text
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not private.is_moderator() then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only moderators are told who silenced somebody';
      end if;
      return query
        select silence.user_id, person.username
        from public.chat_silences as silence
        join public.profiles as person on person.id = silence.created_by
        where silence.user_id = any (people);
    end
  $function$;

CREATE OR REPLACE FUNCTION public.order_categories (
  ids uuid[]
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if not (select private.is_admin()) then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins order categories';
      end if;
      perform from public.categories order by id for update;
      if (select array_agg(id order by id) from public.categories)
        is distinct from (select array_agg(each order by each) from unnest(ids) as each)
      then
        raise exception using
          errcode = 'PT409', message = 'There are other categories by now. Please move this one again.';
      end if;
      update public.categories set display_order = wanted.place
      from unnest(ids) with ordinality as wanted (id, place)
      where categories.id = wanted.id and categories.display_order <> wanted.place;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."order_categories"(uuid[]) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.refuse_word (
  word text
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
      delete from private.known_words as known where known.word = refused and language = 'site';
      insert into public.word_requests as request (word, refused_at) values (refused, now())
        on conflict on constraint word_requests_pkey do update set refused_at = now(), allowed_at = null;
      perform private.record_word_act(refused, 'delete');
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."refuse_word"(text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.renew_parent_link (
  email text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.mail_parent(child_id, 'renewed')
        from private.parental_consents where parent_email = lower(private.trim_text(email));
    end
  $function$;

CREATE OR REPLACE FUNCTION public.reopen_word (
  word text
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
      update public.word_requests as request set refused_at = null, allowed_at = null
        where request.word = reopened and num_nonnulls(refused_at, allowed_at) > 0;
      if found then
        delete from private.known_words as known where known.word = reopened and language = 'site';
        perform private.record_word_act(reopened, 'update');
      end if;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."reopen_word"(text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.restore_item (
  item_id uuid
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      archived public.archived_items;
      place text;
      kept jsonb;
    begin
      if not private.is_admin() and auth.role() is distinct from 'service_role' then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins restore items';
      end if;
      select * into archived from public.archived_items where id = item_id for update;
      if not found then
        raise exception using errcode = 'PT404', message = 'This item is no longer in the archive';
      end if;
      -- Categories may go while an item is in the archive.
      perform from public.categories where id = (archived.item ->> 'category_id')::uuid for key share;
      if not found then
        archived.item := archived.item || '{"category_id": null}';
      end if;
      begin
        perform private.put_back('public.items', jsonb_build_array(archived.item));
      exception
        when unique_violation then
          raise exception using
            errcode = 'unique_violation',
            message = format('Another item has the slug %s by now: change that one''s slug, then restore %s',
              archived.slug, archived.name);
      end;
      for place, kept in select * from jsonb_each(archived.records) loop
        perform private.put_back(place::regclass, kept);
      end loop;
      delete from public.archived_items where id = item_id;
      return query select * from public.items where id = item_id;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.set_age_band (
  person uuid,
  band   text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.require_right_over(person);
      if not exists (select from public.profiles where id = person) or private.lowest_age(set_age_band.band) is null then
        raise exception using errcode = 'invalid_parameter_value', message = 'There is no such person or age group';
      end if;
      insert into public.age_bands as known (user_id, band) values (person, set_age_band.band)
        on conflict (user_id) do update set band = excluded.band where known.band <> excluded.band;
      -- That it was changed, not to what: the log is read by more than who needs to know.
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'update', 'age_bands', person, person);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."set_age_band"(uuid, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.show_ban (
  key uuid
)
  RETURNS TABLE (
    until      timestamp with time zone,
    reason     text,
    created_at timestamp with time zone,
    lifted     boolean,
    appeal     text,
    granted    boolean,
    answer     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select ban.until, ban.reason, ban.created_at, ban.lifted_at is not null, appeal.message, appeal.granted, appeal.answer
    from public.sanctions as ban
    left join public.appeals as appeal on appeal.sanction_id = ban.id
    where ban.appeal_key = key and ban.kind = 'ban'
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
    select sanctions.reason, true from public.sanctions
    where user_id = (select auth.uid()) and kind = 'rename' and done_at is null and lifted_at is null
    union all
    select fault, false from private.outgrown_names where user_id = (select auth.uid())
    limit 1
  $function$;

REVOKE ALL ON FUNCTION "public"."show_forced_name"() FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.show_own_standing()
  RETURNS TABLE (
    standing  text,
    band      text,
    age_limit integer,
    parent    text,
    asked_at  timestamp with time zone,
    uploads   boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select private.find_standing(profiles.id), bands.band, settings.age_limit, consents.state,
      case consents.state when 'asked' then consents.changed_at end, settings.takes_uploads
    from private.settings, public.profiles
    left join public.age_bands as bands on bands.user_id = profiles.id
    left join private.parental_consents as consents on consents.child_id = profiles.id
    where profiles.id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_bystander())
  $function$;

REVOKE ALL ON FUNCTION "public"."show_own_standing"() FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.show_to_parent (
  key text
)
  RETURNS TABLE (
    username   text,
    state      text,
    changed_at timestamp with time zone,
    expires_at timestamp with time zone,
    listed     boolean
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      child constant uuid := private.find_linked_child(key);
    begin
      return query
        select profiles.username, consents.state, consents.changed_at, links.expires_at, profiles.listed
        from public.profiles
        join private.parental_consents as consents on consents.child_id = profiles.id
        join private.parent_links as links on links.token_hash = sha256(convert_to(key, 'UTF8'))
        where profiles.id = child;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.suggest_usernames()
  RETURNS SETOF text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      fruits constant text[] := array(
        select name from public.items
        where type = 'fruit' and name ~ '^[A-Z][a-z]{2,7}$' and rarity in ('mythical', 'legendary')
          and name not in ('Pain', 'Gas', 'Love', 'Control', 'Bomb')
        order by random() limit 3
      );
      offered text[] := '{}';
      candidate text;
    begin
      for attempt in 1 .. 60 loop
        exit when cardinality(offered) >= 6;
        candidate := private.generate_username(null);
        if cardinality(offered) < cardinality(fruits) then
          candidate := regexp_replace(candidate, '^([A-Z][a-z]+)[A-Z][a-z]+', '\1' || fruits[cardinality(offered) + 1]);
        end if;
        continue when char_length(candidate) > 20 or private.find_username_fault(candidate) is not null
          or exists (select from public.profiles where lower(username) = lower(candidate));
        offered := offered || candidate;
      end loop;
      return query select unnest(offered);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."suggest_usernames"() FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.undo_import (
  import_id uuid
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      undone constant jsonb := (select rows from public.item_imports where id = import_id);
      stale text;
      row jsonb;
    begin
      if row_security_active('public.items') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins undo imports';
      end if;
      if undone is null then
        raise exception using errcode = 'PT404', message = 'This import is no longer kept, so it cannot be undone';
      end if;

      perform from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(undone) as element)
        order by id for update;
      select string_agg(coalesce(items.name, expected.before ->> 'name', expected.id::text), ', ' order by items.name)
        into stale
        from jsonb_to_recordset(undone) as expected (id uuid, updated_at timestamptz, before jsonb)
        left join public.items on items.id = expected.id
        where items.updated_at is distinct from expected.updated_at;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by someone else in the meantime: %s', left(stale, 300)),
          hint = 'Nothing was undone.';
      end if;

      delete from public.items where id in (
        select (element ->> 'id')::uuid from jsonb_array_elements(undone) as element
        where jsonb_typeof(element -> 'before') is distinct from 'object'
      );
      for row in
        select element -> 'before' from jsonb_array_elements(undone) as element
        where jsonb_typeof(element -> 'before') = 'object'
      loop
        return query
          select * from private.restore_item(jsonb_populate_record(null::public.items, row), 'Undo of an import');
      end loop;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.undo_value_change (
  change_id bigint,
  reason    text   DEFAULT NULL::text
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      change record;
      item public.items;
      is_still boolean;
    begin
      select id, item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_checked_at
        into change from public.item_value_changes where id = change_id;
      if not found then
        raise exception using errcode = 'PT404', message = 'There is no such change';
      end if;
      if change.old_checked_at is null then
        raise exception using
          errcode = 'PT409', message = 'This cannot be undone: nothing is known of what was before it';
      end if;
      select * into item from public.items where id = change.item_id for update;
      if not found then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins undo changes';
      end if;

      is_still := case change.mode
        when 'regular' then (item.current_value, item.previous_value)
          is not distinct from (change.new_value, change.new_previous_value)
        else (item.permanent_value, item.permanent_previous_value)
          is not distinct from (change.new_value, change.new_previous_value)
      end;
      if not is_still or exists (
        select from public.item_value_changes as later
        where later.item_id = change.item_id and later.mode = change.mode and later.id > change.id
      ) then
        raise exception using
          errcode = 'PT409', message = format('%s was changed in the meantime: look at its ledger again', item.name);
      end if;

      if change.mode = 'regular' then
        item.current_value := change.old_value;
        item.previous_value := change.old_previous_value;
      else
        item.permanent_value := change.old_value;
        item.permanent_previous_value := change.old_previous_value;
      end if;
      item.values_checked_at := change.old_checked_at;
      return query select * from private.restore_item(item, undo_value_change.reason);
    end
  $function$;

ALTER TABLE "private"."consent_log"
  ADD CONSTRAINT "consent_log_child_id_fkey" FOREIGN KEY (child_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."daily_acts"
  ADD CONSTRAINT "daily_acts_act_is_known" CHECK ((act = ANY (ARRAY['rate'::text, 'rename'::text, 'report'::text, 'ask_parent'::text, 'ask'::text])));

ALTER TABLE "private"."outgrown_names"
  ADD CONSTRAINT "outgrown_names_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."parent_links"
  ADD CONSTRAINT "parent_links_child_id_fkey" FOREIGN KEY (child_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."parental_consents"
  ADD CONSTRAINT "parental_consents_child_id_fkey" FOREIGN KEY (child_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."reaction_paces"
  ADD CONSTRAINT "reaction_paces_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."refused_texts"
  ADD CONSTRAINT "refused_texts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."settings"
  ADD CONSTRAINT "settings_age_limit_is_where_an_age_group_begins" CHECK ((age_limit = ANY (ARRAY[13, 16, 18])));

ALTER TABLE "private"."settings"
  ADD CONSTRAINT "settings_new_account_hours_is_at_most_a_month" CHECK (((new_account_hours >= 0) AND (new_account_hours <= 720)));

ALTER TABLE "private"."settings"
  ADD CONSTRAINT "settings_site_url_has_at_most_255_characters" CHECK ((char_length(site_url) <= 255));

ALTER TABLE "private"."harmful_phrases"
  ADD CONSTRAINT "harmful_phrases_language_fkey" FOREIGN KEY (LANGUAGE) REFERENCES private.vocabularies(LANGUAGE) ON DELETE CASCADE;

ALTER TABLE "private"."known_words"
  ADD CONSTRAINT "known_words_language_fkey" FOREIGN KEY (LANGUAGE) REFERENCES private.vocabularies(LANGUAGE) ON DELETE CASCADE;

ALTER TABLE "private"."word_askers"
  ADD CONSTRAINT "word_askers_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."age_bands"
  ADD CONSTRAINT "age_bands_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."appeals"
  ADD CONSTRAINT "appeals_answered_by_fkey" FOREIGN KEY (answered_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."case_notes"
  ADD CONSTRAINT "case_notes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."chat_messages"
  ADD CONSTRAINT "chat_messages_are_of_one_kind" CHECK (((num_nonnulls(phrase, trade) < 2) AND ((items IS NULL) OR (phrase IS NOT NULL))));

ALTER TABLE "public"."chat_originals"
  ADD CONSTRAINT "chat_originals_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."chat_reactions"
  ADD CONSTRAINT "chat_reactions_message_id_fkey" FOREIGN KEY (message_id) REFERENCES public.chat_messages(id) ON DELETE CASCADE;

ALTER TABLE "public"."former_slugs"
  ADD CONSTRAINT "former_slugs_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

ALTER TABLE "public"."profiles"
  ADD CONSTRAINT "profiles_avatar_url_is_a_drawing_or_a_picture_of_their_own"
    CHECK
    (((avatar_url ~ (('^/storage/v1/object/public/avatars/'::text || (id)::text) || '/[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$'::text)) OR (avatar_url ~
    '^/items/[a-z0-9-]{1,80}\.svg#(amber|coral|rose|plum|violet|ocean|teal|moss|sand|slate)$'::text)));

ALTER TABLE "public"."reports"
  ADD CONSTRAINT "reports_message_id_fkey" FOREIGN KEY (message_id) REFERENCES public.chat_messages(id) ON DELETE SET NULL;

ALTER TABLE "public"."reports"
  ADD CONSTRAINT "reports_reported_user_id_fkey" FOREIGN KEY (reported_user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."reports"
  ADD CONSTRAINT "reports_resolved_by_fkey" FOREIGN KEY (resolved_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."sanctions"
  ADD CONSTRAINT "sanctions_created_by_fkey" FOREIGN KEY (created_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."sanctions"
  ADD CONSTRAINT "sanctions_lifted_by_fkey" FOREIGN KEY (lifted_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."appeals"
  ADD CONSTRAINT "appeals_sanction_id_fkey" FOREIGN KEY (sanction_id) REFERENCES public.sanctions(id) ON DELETE CASCADE;

ALTER TABLE "public"."reports"
  ADD CONSTRAINT "reports_sanction_id_fkey" FOREIGN KEY (sanction_id) REFERENCES public.sanctions(id) ON DELETE SET NULL;

ALTER TABLE "public"."sanctions"
  ADD CONSTRAINT "sanctions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."second_opinions"
  ADD CONSTRAINT "second_opinions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."user_ratings"
  ADD CONSTRAINT "user_ratings_answer_has_at_most_500_characters" CHECK ((char_length(answer) <= 500));

ALTER TABLE "public"."user_roles"
  ADD CONSTRAINT "user_roles_role_is_known" CHECK ((role = ANY (ARRAY['admin'::text, 'moderator'::text])));

ALTER TABLE "private"."word_askers"
  ADD CONSTRAINT "word_askers_word_fkey" FOREIGN KEY (word) REFERENCES public.word_requests(word) ON DELETE CASCADE;

CREATE INDEX consent_log_child_id_idx ON private.consent_log USING btree (child_id);

CREATE INDEX harmful_phrases_language_idx ON private.harmful_phrases USING btree (LANGUAGE);

CREATE INDEX known_words_language_idx ON private.known_words USING btree (LANGUAGE);

CREATE INDEX known_words_unsaid_idx ON private.known_words USING btree (word)
  WHERE (kind = 'unsaid'::text);

CREATE INDEX parent_links_child_id_idx ON private.parent_links USING btree (child_id);

CREATE INDEX parent_links_expires_at_idx ON private.parent_links USING btree (expires_at);

CREATE INDEX parental_consents_parent_email_idx ON private.parental_consents USING btree (parent_email);

CREATE INDEX refused_texts_at_idx ON private.refused_texts USING btree (at);

CREATE INDEX refused_texts_user_id_at_idx ON private.refused_texts USING btree (user_id, at);

CREATE INDEX word_askers_user_id_idx ON private.word_askers USING btree (user_id);

CREATE INDEX appeals_answered_by_idx ON public.appeals USING btree (answered_by);

CREATE INDEX appeals_open_idx ON public.appeals USING btree (created_at)
  WHERE (answered_at IS NULL);

CREATE INDEX case_notes_user_id_created_at_idx ON public.case_notes USING btree (user_id, created_at);

CREATE INDEX chat_originals_created_at_idx ON public.chat_originals USING btree (created_at);

CREATE INDEX chat_originals_user_id_created_at_idx ON public.chat_originals USING btree (user_id, created_at DESC);

CREATE INDEX former_slugs_item_id_idx ON public.former_slugs USING btree (item_id);

CREATE INDEX reports_created_at_idx ON public.reports USING btree (created_at DESC);

CREATE INDEX reports_message_id_idx ON public.reports USING btree (message_id);

CREATE INDEX reports_open_idx ON public.reports USING btree (created_at)
  WHERE (resolved_at IS NULL);

CREATE INDEX reports_open_pictures_idx ON public.reports USING btree (evidence)
  WHERE ((resolved_at IS NULL) AND (kind = 'picture'::text));

CREATE INDEX reports_reported_user_id_idx ON public.reports USING btree (reported_user_id);

CREATE INDEX reports_resolved_by_idx ON public.reports USING btree (resolved_by);

CREATE INDEX reports_sanction_id_idx ON public.reports USING btree (sanction_id);

CREATE UNIQUE INDEX sanctions_appeal_key_idx ON public.sanctions USING btree (appeal_key);

CREATE INDEX sanctions_created_by_idx ON public.sanctions USING btree (created_by);

CREATE INDEX sanctions_lifted_by_idx ON public.sanctions USING btree (lifted_by);

CREATE INDEX sanctions_unnamed_idx ON public.sanctions USING btree (user_id)
  WHERE ((kind = 'rename'::text) AND (done_at IS NULL) AND (lifted_at IS NULL));

CREATE INDEX sanctions_user_id_created_at_idx ON public.sanctions USING btree (user_id, created_at DESC);

CREATE TRIGGER tell_account_that_became_full
  AFTER UPDATE OF is_anonymous ON auth.users
  FOR EACH ROW
  WHEN ((old.is_anonymous AND (NOT new.is_anonymous)))
  EXECUTE FUNCTION private.tell_full_account();

CREATE TRIGGER parental_consents_remove_waiting_avatars
  AFTER UPDATE OF state ON private.parental_consents
  FOR EACH ROW
  WHEN ((new.state = 'withdrawn'::text))
  EXECUTE FUNCTION private.remove_waiting_avatars();

CREATE TRIGGER age_bands_settle
  AFTER INSERT OR UPDATE ON public.age_bands
  FOR EACH ROW
  EXECUTE FUNCTION private.settle_age_band();

CREATE TRIGGER appeals_lift_sanction
  AFTER UPDATE OF granted ON public.appeals
  FOR EACH ROW
  WHEN (new.granted)
  EXECUTE FUNCTION private.grant_appeal();

CREATE TRIGGER appeals_record_answer
  AFTER UPDATE OF granted ON public.appeals
  FOR EACH ROW
  EXECUTE FUNCTION private.record_act('message', 'created_at', 'answered_by');

CREATE TRIGGER appeals_sign_answer
  BEFORE UPDATE OF granted, answer ON public.appeals
  FOR EACH ROW
  EXECUTE FUNCTION private.sign_answer();

CREATE TRIGGER chat_messages_ask_for_age
  BEFORE INSERT ON public.chat_messages
  FOR EACH ROW
  EXECUTE FUNCTION private.ask_for_age_before_message();

CREATE TRIGGER chat_messages_ask_for_name
  BEFORE INSERT ON public.chat_messages
  FOR EACH ROW
  EXECUTE FUNCTION private.ask_for_name();

CREATE TRIGGER chat_messages_check_message
  BEFORE INSERT OR UPDATE OF message ON public.chat_messages
  FOR EACH ROW
  WHEN (((new.phrase IS NULL) AND (new.trade IS NULL)))
  EXECUTE FUNCTION private.check_chat_message();

CREATE TRIGGER chat_messages_check_quick_message
  BEFORE INSERT ON public.chat_messages
  FOR EACH ROW
  WHEN (((new.phrase IS NOT NULL) OR (new.trade IS NOT NULL)))
  EXECUTE FUNCTION private.check_quick_message();

CREATE TRIGGER chat_messages_do_address
  BEFORE INSERT ON public.chat_messages
  FOR EACH ROW
  WHEN (((new.reply_to IS NOT NULL) OR (new.mentions IS NOT NULL)))
  EXECUTE FUNCTION private.address_message();

CREATE TRIGGER chat_messages_record_act
  AFTER DELETE ON public.chat_messages
  FOR EACH ROW
  WHEN (((old.user_id IS DISTINCT FROM auth.uid()) AND (pg_trigger_depth() = 0)))
  EXECUTE FUNCTION private.record_act();

CREATE TRIGGER chat_reactions_ask_for_age
  BEFORE INSERT ON public.chat_reactions
  FOR EACH ROW
  EXECUTE FUNCTION private.ask_for_age_before_reaction();

CREATE TRIGGER chat_reactions_ask_for_silence
  BEFORE INSERT ON public.chat_reactions
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_silenced();

CREATE TRIGGER chat_reactions_check_reaction
  BEFORE INSERT ON public.chat_reactions
  FOR EACH ROW
  EXECUTE FUNCTION private.check_reaction();

CREATE TRIGGER chat_silences_lift_sanction
  AFTER DELETE ON public.chat_silences
  FOR EACH ROW
  WHEN ((pg_trigger_depth() = 0))
  EXECUTE FUNCTION private.lift_silence_sanction();

CREATE TRIGGER chat_silences_record_act
  AFTER INSERT OR DELETE OR UPDATE ON public.chat_silences
  FOR EACH ROW
  WHEN ((pg_trigger_depth() = 0))
  EXECUTE FUNCTION private.record_act('created_at', 'created_by');

CREATE TRIGGER items_keep_former_slug
  AFTER UPDATE OF slug ON public.items
  FOR EACH ROW
  WHEN ((old.slug IS DISTINCT FROM new.slug))
  EXECUTE FUNCTION private.keep_former_slug();

CREATE TRIGGER items_learn_items
  AFTER INSERT OR DELETE OR TRUNCATE ON public.items
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.learn_items();

CREATE TRIGGER items_learn_renamed_items
  AFTER UPDATE OF name, aliases ON public.items
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.learn_items();

CREATE TRIGGER profiles_ask_for_age
  BEFORE UPDATE OF username, listed ON public.profiles
  FOR EACH ROW
  EXECUTE FUNCTION private.ask_for_age_before_name();

CREATE TRIGGER profiles_check_drawing
  BEFORE INSERT OR UPDATE OF avatar_url ON public.profiles
  FOR EACH ROW
  WHEN ((new.avatar_url ~~ '/items/%'::text))
  EXECUTE FUNCTION private.check_drawing();

CREATE TRIGGER profiles_refuse_removed_name
  BEFORE UPDATE OF username ON public.profiles
  FOR EACH ROW
  WHEN ((old.username IS DISTINCT FROM new.username))
  EXECUTE FUNCTION private.refuse_removed_name();

CREATE TRIGGER profiles_settle_forced_name
  AFTER UPDATE OF username ON public.profiles
  FOR EACH ROW
  WHEN ((old.username IS DISTINCT FROM new.username))
  EXECUTE FUNCTION private.settle_forced_name();

CREATE TRIGGER reports_close_case
  AFTER UPDATE OF resolved_at ON public.reports
  FOR EACH ROW
  WHEN ((new.resolved_at IS NOT NULL))
  EXECUTE FUNCTION private.close_case();

CREATE TRIGGER reports_fill_report
  BEFORE INSERT ON public.reports
  FOR EACH ROW
  EXECUTE FUNCTION private.fill_report();

CREATE TRIGGER reports_limit_reports
  AFTER INSERT ON public.reports
  FOR EACH ROW
  EXECUTE FUNCTION private.limit_reports();

CREATE TRIGGER reports_record_resolution
  AFTER DELETE OR UPDATE OF resolved_at ON public.reports
  FOR EACH ROW
  WHEN ((pg_trigger_depth() = 0))
  EXECUTE FUNCTION private.record_act('reporter_id', 'resolved_by');

CREATE TRIGGER reports_sign_resolution
  BEFORE UPDATE OF resolved_at ON public.reports
  FOR EACH ROW
  EXECUTE FUNCTION private.sign_resolution();

CREATE TRIGGER sanctions_carry_out
  BEFORE INSERT ON public.sanctions
  FOR EACH ROW
  EXECUTE FUNCTION private.carry_out_sanction();

CREATE TRIGGER sanctions_close_reports
  AFTER INSERT ON public.sanctions
  FOR EACH ROW
  EXECUTE FUNCTION private.close_reports();

CREATE TRIGGER sanctions_record_act
  AFTER INSERT OR UPDATE OF lifted_at ON public.sanctions
  FOR EACH ROW
  WHEN ((pg_trigger_depth() = 0))
  EXECUTE FUNCTION private.record_act('created_at', 'created_by', 'lifted_by', 'appeal_key');

CREATE TRIGGER sanctions_sign_lifting
  BEFORE UPDATE OF lifted_at ON public.sanctions
  FOR EACH ROW
  EXECUTE FUNCTION private.sign_lifting();

CREATE TRIGGER sanctions_undo
  AFTER UPDATE OF lifted_at ON public.sanctions
  FOR EACH ROW
  EXECUTE FUNCTION private.undo_sanction();

CREATE TRIGGER second_opinions_record_act
  AFTER INSERT ON public.second_opinions
  FOR EACH ROW
  EXECUTE FUNCTION private.record_act('asked_by', 'asked_at');

CREATE TRIGGER user_ratings_ask_for_age
  BEFORE INSERT OR UPDATE OF rating, COMMENT, answer ON public.user_ratings
  FOR EACH ROW
  EXECUTE FUNCTION private.ask_for_age_before_rating();

CREATE TRIGGER user_ratings_ask_for_name
  BEFORE INSERT OR UPDATE OF rating, COMMENT ON public.user_ratings
  FOR EACH ROW
  EXECUTE FUNCTION private.ask_for_name();

CREATE TRIGGER avatars_are_few
  AFTER INSERT OR UPDATE OF bucket_id, name ON storage.objects
  FOR EACH ROW
  WHEN ((new.bucket_id = ANY (ARRAY['avatars'::text, 'avatar-uploads'::text])))
  EXECUTE FUNCTION private.require_few_avatars();

CREATE TRIGGER avatars_forget_removed
  AFTER DELETE ON storage.objects
  FOR EACH ROW
  WHEN ((old.bucket_id = ANY (ARRAY['avatars'::text, 'avatar-uploads'::text])))
  EXECUTE FUNCTION private.forget_removed_avatar();

CREATE TRIGGER avatars_show_allowed
  AFTER UPDATE OF bucket_id ON storage.objects
  FOR EACH ROW
  WHEN (((old.bucket_id = 'avatar-uploads'::text) AND (new.bucket_id = 'avatars'::text)))
  EXECUTE FUNCTION private.show_allowed_avatar();

CREATE POLICY "Admins see every act, moderators those about people" ON "public"."admin_acts"
  FOR SELECT
  TO "authenticated"
  USING
    ((( SELECT private.is_admin() AS is_admin) OR (( SELECT private.is_moderator() AS is_moderator) AND (table_name = ANY (ARRAY['reports'::text, 'chat_reports'::text,
    'sanctions'::text, 'appeals'::text, 'second_opinions'::text, 'chat_messages'::text, 'chat_silences'::text, 'avatars'::text, 'user_ratings'::text, 'age_bands'::text])))));

CREATE POLICY "Bystanders see nothing here" ON "public"."age_bands"
  AS RESTRICTIVE
  FOR SELECT
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Half a sign-in sees nothing here" ON "public"."age_bands"
  AS RESTRICTIVE
  FOR SELECT
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "People see their own age group" ON "public"."age_bands"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Bystanders appeal against nothing" ON "public"."appeals"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)))
  WITH CHECK ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Half a sign-in sees and does nothing here" ON "public"."appeals"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)))
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Moderators answer appeals" ON "public"."appeals"
  FOR UPDATE
  TO "authenticated"
  USING (( SELECT private.is_moderator() AS is_moderator))
  WITH CHECK (( SELECT private.is_moderator() AS is_moderator));

CREATE POLICY "People appeal against what was done about them" ON "public"."appeals"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((EXISTS ( SELECT
   FROM public.sanctions
  WHERE ((sanctions.id = appeals.sanction_id) AND (sanctions.user_id = ( SELECT auth.uid() AS uid)) AND (sanctions.lifted_at IS NULL)))));

CREATE POLICY "People see their own appeals, moderators all" ON "public"."appeals"
  FOR SELECT
  TO "authenticated"
  USING (((EXISTS ( SELECT
   FROM public.sanctions
  WHERE ((sanctions.id = appeals.sanction_id) AND (sanctions.user_id = ( SELECT auth.uid() AS uid))))) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Moderators read notes about others" ON "public"."case_notes"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.is_moderator() AS is_moderator) AND (user_id <> ( SELECT auth.uid() AS uid))));

CREATE POLICY "People delete their own messages, moderators any" ON "public"."chat_messages"
  FOR DELETE
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Moderators see for a day what was hidden" ON "public"."chat_originals"
  FOR SELECT
  TO "authenticated"
  USING (((created_at > (now() - '24:00:00'::interval)) AND ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Bystanders add nothing" ON "public"."chat_reactions"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Bystanders remove nothing" ON "public"."chat_reactions"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Half a sign-in adds nothing" ON "public"."chat_reactions"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Half a sign-in removes nothing" ON "public"."chat_reactions"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Signed-in people see every reaction" ON "public"."chat_reactions"
  FOR SELECT
  TO "authenticated"
  USING (true);

CREATE POLICY "Moderators lift silences" ON "public"."chat_silences"
  FOR DELETE
  TO "authenticated"
  USING (( SELECT private.is_moderator() AS is_moderator));

CREATE POLICY "People see their own silence, moderators all" ON "public"."chat_silences"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Moderators see for a day what people deleted" ON "public"."deleted_chat_messages"
  FOR SELECT
  TO "authenticated"
  USING (((deleted_at > (now() - '24:00:00'::interval)) AND ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Everybody sees former slugs" ON "public"."former_slugs"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "People see listed profiles and their own, moderators all" ON "public"."profiles"
  FOR SELECT
  TO "authenticated"
  USING ((listed OR (id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Signed-in people see the phrases" ON "public"."quick_phrases"
  FOR SELECT
  TO "authenticated"
  USING (true);

CREATE POLICY "Admins delete reports" ON "public"."reports"
  FOR DELETE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Bystanders report nothing" ON "public"."reports"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)))
  WITH CHECK ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Half a sign-in sees and does nothing here" ON "public"."reports"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)))
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Moderators resolve reports about others" ON "public"."reports"
  FOR UPDATE
  TO "authenticated"
  USING ((( SELECT private.is_moderator() AS is_moderator) AND (reported_user_id IS DISTINCT FROM ( SELECT auth.uid() AS uid))))
  WITH CHECK (( SELECT private.is_moderator() AS is_moderator));

CREATE POLICY "Bystanders see nothing here" ON "public"."sanctions"
  AS RESTRICTIVE
  FOR SELECT
  TO "authenticated"
  USING ((NOT ( SELECT private.is_bystander() AS is_bystander)));

CREATE POLICY "Half a sign-in sees nothing here" ON "public"."sanctions"
  AS RESTRICTIVE
  FOR SELECT
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Moderators lift sanctions of others" ON "public"."sanctions"
  FOR UPDATE
  TO "authenticated"
  USING ((( SELECT private.is_moderator() AS is_moderator) AND (user_id <> ( SELECT auth.uid() AS uid))))
  WITH CHECK (( SELECT private.is_moderator() AS is_moderator));

CREATE POLICY "Moderators sanction others" ON "public"."sanctions"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((( SELECT private.is_moderator() AS is_moderator) AND (user_id <> ( SELECT auth.uid() AS uid))));

CREATE POLICY "People see their own sanctions, moderators all" ON "public"."sanctions"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Moderators see who wants a second opinion" ON "public"."second_opinions"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_moderator() AS is_moderator));

CREATE POLICY "People delete their own ratings, moderators any" ON "public"."user_ratings"
  FOR DELETE
  TO "authenticated"
  USING (((rater_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Admins see which words are asked for" ON "public"."word_requests"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Moderators and admins follow what their panels show" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING (((EXTENSION = 'broadcast'::text) AND starts_with(( SELECT realtime.topic() AS topic), 'admin-'::text) AND ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Moderators allow pictures of others" ON "storage"."objects"
  FOR UPDATE
  TO "authenticated"
  USING (((bucket_id = 'avatar-uploads'::text) AND (NOT private.is_own_avatar(name)) AND ( SELECT private.is_moderator() AS is_moderator)))
  WITH CHECK (((bucket_id = 'avatars'::text) AND (NOT private.is_own_avatar(name)) AND ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "People of age add pictures that wait for a moderator" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((bucket_id = 'avatar-uploads'::text) AND private.is_own_avatar(name) AND ( SELECT private.may_upload() AS may_upload)));

CREATE POLICY "People remove their own avatars, moderators any" ON "storage"."objects"
  FOR DELETE
  TO "authenticated"
  USING
    (((bucket_id = ANY (ARRAY['avatars'::text, 'avatar-uploads'::text])) AND ((private.is_own_avatar(name) AND (NOT private.is_evidence(name))) OR ( SELECT private.is_moderator()
    AS is_moderator))));

CREATE POLICY "People see their own avatars, moderators all" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING (((bucket_id = ANY (ARRAY['avatars'::text, 'avatar-uploads'::text])) AND (private.is_own_avatar(name) OR ( SELECT private.is_moderator() AS is_moderator))));

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."appeals";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."case_notes";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."chat_reactions";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."reports";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."sanctions";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."second_opinions";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."word_requests";

COMMENT ON COLUMN "private"."harmful_phrases"."place" IS 'Of several that a text holds, the first one of its file gives the sentence.';

COMMENT ON COLUMN "private"."known_words"."meaning" IS 'What it stands for in phrases: "ur" stands for "your".';

COMMENT ON COLUMN "private"."settings"."age_limit" IS 'Who is younger needs a parent''s permission to write freely.';

COMMENT ON COLUMN "private"."settings"."names_judged_to" IS 'Up to which person names from before a rule were judged.';

COMMENT ON COLUMN "private"."settings"."new_account_hours" IS 'How long a new account has quick talk only.';

COMMENT ON COLUMN "private"."settings"."site_url" IS 'Where links in mails to parents lead; without it none are sent.';

COMMENT ON COLUMN "private"."settings"."takes_uploads" IS 'Whether people may upload pictures of their own.';

COMMENT ON COLUMN "public"."appeals"."answer" IS 'The person reads it.';

COMMENT ON COLUMN "public"."chat_messages"."items" IS 'What stands in the gaps of the phrase, as slots of the calculator''s address.';

COMMENT ON COLUMN "public"."chat_messages"."message" IS 'The whole text; of quick talk the database makes it (quick-talk.sql).';

COMMENT ON COLUMN "public"."chat_messages"."reply_to" IS 'The message that it answers, which may be deleted by now.';

COMMENT ON COLUMN "public"."chat_messages"."trade" IS 'A trade card: the query of the calculator''s address, from the writer''s side.';

COMMENT ON COLUMN "public"."profiles"."avatar_url" IS 'A drawing of the catalogue with a color behind it, as /items/dragon.svg#teal; or a picture of their own that was allowed.';

COMMENT ON COLUMN "public"."profiles"."listed" IS 'Whether the community page shows this person, and others may rate them; the person decides.';

COMMENT ON COLUMN "public"."quick_phrases"."phrase" IS 'Each {item} in it is an item that the writer chooses.';

COMMENT ON COLUMN "public"."reports"."evidence" IS 'What it said, or the name of the picture''s file; kept as it was.';

COMMENT ON COLUMN "public"."reports"."outcome" IS 'What became of it, in the reporter''s eyes too: nothing had to be done, or something was.';

COMMENT ON COLUMN "public"."reports"."sent_at" IS 'When it was written, kept when it is deleted.';

COMMENT ON COLUMN "public"."reports"."subject_id" IS 'The message or the rating, kept when it is deleted; of a name or a picture a digest of what it was.';

COMMENT ON COLUMN "public"."sanctions"."appeal_key" IS 'Who has no session may appeal with it.';

COMMENT ON COLUMN "public"."sanctions"."done_at" IS 'When the person chose another name.';

COMMENT ON COLUMN "public"."sanctions"."lifted_at" IS 'When it was taken back, by hand or after an appeal.';

COMMENT ON COLUMN "public"."sanctions"."reason" IS 'The person reads it.';

COMMENT ON COLUMN "public"."sanctions"."removed" IS 'What was taken away: a message, a comment, a name, the name of a picture''s file.';

COMMENT ON COLUMN "public"."sanctions"."subject_id" IS 'The message or the rating that it is about.';

COMMENT ON COLUMN "public"."sanctions"."until" IS 'When it ends by itself; infinity for good.';

COMMENT ON COLUMN "public"."user_ratings"."answer" IS 'What the rated trader says to it; by answer_rating.';

COMMENT ON COLUMN "public"."user_ratings"."answered_at" IS 'Stays when the answer is taken back: there is one to a rating.';

COMMENT ON FUNCTION "private"."find_standing"(uuid) IS 'free, or why somebody does not write freely: unasked for the age group, child without a parent''s permission, strikes, new.';

COMMENT ON FUNCTION "private"."has_other_moderator"(uuid) IS 'Whether anybody but the caller and this person could judge.';

COMMENT ON FUNCTION "private"."is_report_code"(text) IS 'Why something is reported, or somebody sanctioned; the screens name each in words.';

COMMENT ON FUNCTION "private"."lowest_age"(text) IS 'The youngest age of a group; null for what is no group.';

COMMENT ON FUNCTION "public"."allow_word"(text) IS 'Makes a word known; for admins.';

COMMENT ON FUNCTION "public"."answer_rating"(uuid, text) IS 'What the rated trader says to a rating, once; null takes it back.';

COMMENT ON FUNCTION "public"."appeal_ban"(uuid, text) IS 'Appeals against a ban, once, for whoever has its key.';

COMMENT ON FUNCTION "public"."ask_for_word"(text) IS 'Puts a word on the admins'' list, 10 a day.';

COMMENT ON FUNCTION "public"."ask_parent"(text) IS 'Mails a parent the link to the consent page; for people under the age limit.';

COMMENT ON FUNCTION "public"."choose_age_band"(text, boolean) IS 'The caller''s age group, once: under-13, 13-15, 16-17 or 18-or-older; list_me: to be in the community. Gives the standing.';

COMMENT ON FUNCTION "public"."count_moderation"() IS 'Reports and what became of them in each of the last twelve months; null for fewer than five.';

COMMENT ON FUNCTION "public"."decide_as_parent"(text, text) IS 'A parent''s answer: allow or refuse, later withdraw.';

COMMENT ON FUNCTION "public"."delete_as_parent"(text) IS 'Deletes the child''s account with all that hangs on it.';

COMMENT ON FUNCTION "public"."end_own_session"(uuid) IS 'Ends one open sign-in of whoever calls it; says whether there was one.';

COMMENT ON FUNCTION "public"."export_as_parent"(text) IS 'All that is kept of the child, without the account''s own address.';

COMMENT ON FUNCTION "public"."find_own_username_fault"() IS 'Why the caller''s own username should be changed, or null.';

COMMENT ON FUNCTION "public"."is_under_strikes"() IS 'Whether three or more strikes of the caller count.';

COMMENT ON FUNCTION "public"."list_chat_faces"(uuid[]) IS 'The pictures of people who wrote in the chat, and whether they have a page: who has neither is left out.';

COMMENT ON FUNCTION "public"."list_known_words"(text) IS 'The words that people may write to each other, parted by blanks, those of which slips are known too, and their version.';

COMMENT ON FUNCTION "public"."list_own_sessions"() IS 'The open sign-ins of whoever calls it, the oldest first.';

COMMENT ON FUNCTION "public"."list_silence_makers"(uuid[]) IS 'Who silenced these people; for moderators.';

COMMENT ON FUNCTION "public"."refuse_word"(text) IS 'Refuses a word for good, also one that was taken in; for admins.';

COMMENT ON FUNCTION "public"."renew_parent_link"(text) IS 'Mails a new link to a parent whose address is kept.';

COMMENT ON FUNCTION "public"."reopen_word"(text) IS 'Takes back what was decided about a word; for admins.';

COMMENT ON FUNCTION "public"."set_age_band"(uuid, text) IS 'Another age group for a person; for moderators.';

COMMENT ON FUNCTION "public"."show_ban"(uuid) IS 'A ban and what became of the appeal against it, for whoever has its key.';

COMMENT ON FUNCTION "public"."show_forced_name"() IS 'Why the caller has to choose another username, and whether a moderator wants it.';

COMMENT ON FUNCTION "public"."show_own_standing"() IS 'Whether the caller writes freely, or why not; the own age group; what a parent answered.';

COMMENT ON FUNCTION "public"."show_to_parent"(text) IS 'Whose account a parent''s link is about, and what was answered.';

COMMENT ON FUNCTION "public"."suggest_usernames"() IS 'Six usernames that are free and allowed.';

COMMENT ON TABLE "private"."consent_log" IS 'What was asked of parents and what they did, and when; without their addresses.';

COMMENT ON TABLE "private"."outgrown_names" IS 'Who is asked for another name, and what was wrong with the one before.';

COMMENT ON TABLE "private"."parental_consents" IS 'Whether a parent was asked, and what the parent answered.';

COMMENT ON TABLE "private"."reaction_paces" IS 'When each person reacted, at most as often as one may in a minute.';

COMMENT ON TABLE "private"."refused_texts" IS 'Why texts of a person were refused within the last day.';

COMMENT ON TABLE "private"."vocabularies" IS 'Which languages are on. `items` is the catalogue, `site` what admins took in.';

COMMENT ON TABLE "private"."word_askers" IS 'Who asked for a word, so that nobody counts twice.';

COMMENT ON TABLE "public"."age_bands" IS 'The age group that each person chose; its person alone reads it.';

COMMENT ON TABLE "public"."appeals" IS 'What people say against a sanction, and the answer; once for each.';

COMMENT ON TABLE "public"."case_notes" IS 'Notes of moderators about a person; for moderators.';

COMMENT ON TABLE "public"."chat_messages" IS 'Chat messages, trimmed; what is not known stands there as ####.';

COMMENT ON TABLE "public"."chat_originals" IS 'What people wrote of which some words are hidden, for the moderators, for 24 hours.';

COMMENT ON TABLE "public"."chat_reactions" IS 'Who reacted to which message with which of a few signs.';

COMMENT ON TABLE "public"."deleted_chat_messages" IS 'What people deleted from the chat within the last 24 hours, for the moderators.';

COMMENT ON TABLE "public"."former_slugs" IS 'Slugs that items had. An item that has such a slug now is meant before the one that had it.';

COMMENT ON TABLE "public"."quick_phrases" IS 'What can be said in the chat by tap.';

COMMENT ON TABLE "public"."reports" IS 'What people reported of others, for the moderators.';

COMMENT ON TABLE "public"."sanctions" IS 'What moderators did about people; a strike until counts_until, unless it was lifted.';

COMMENT ON TABLE "public"."second_opinions" IS 'Cases, by their person, that a moderator wants another moderator to close.';

COMMENT ON TABLE "public"."user_roles" IS 'Roles beyond that of a signed-in person: admin, moderator.';

COMMENT ON TABLE "public"."word_requests" IS 'Words that people ask for, with how many asked and what admins decided.';

REVOKE ALL ON FUNCTION "private"."add_words"(text, text[], text, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."apply_sanction"(public.sanctions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."carry_out_sanction"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_case"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_reports"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."explain_ban"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."explain_ban"(jsonb) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."find_ban"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_evidence"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_linked_child"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_parents"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."grant_appeal"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_other_moderator"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_other_moderator"(uuid) TO "authenticated", "service_role";

REVOKE ALL ON FUNCTION "private"."hide_child"(uuid, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."judge_standing_names"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."judge_text"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_former_slug"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."learn_item_names"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."learn_items"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lift_silence_sanction"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."limit_reports"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."load_phrases"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."load_vocabulary"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_parent"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_mail_parent"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_refusal"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_word_act"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_removed_name"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remove_waiting_avatars"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."rename_person"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_right_over"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."set_ban"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_age_band"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_forced_name"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."show_allowed_avatar"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sign_answer"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sign_lifting"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_ban"(public.sanctions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."undo_sanction"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."allow_word"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."allow_word"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."allow_word"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."allow_word"(text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."answer_rating"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."answer_rating"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."answer_rating"(uuid, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."answer_rating"(uuid, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."appeal_ban"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."appeal_ban"(uuid, text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."appeal_ban"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."appeal_ban"(uuid, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."appeal_ban"(uuid, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."ask_for_word"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."ask_for_word"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."ask_for_word"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."ask_for_word"(text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."ask_parent"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."ask_parent"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."ask_parent"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."ask_parent"(text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."choose_age_band"(text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."choose_age_band"(text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."choose_age_band"(text, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."choose_age_band"(text, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "public"."count_moderation"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."count_moderation"() TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."count_moderation"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."count_moderation"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."count_moderation"() TO "service_role";

REVOKE ALL ON FUNCTION "public"."decide_as_parent"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."decide_as_parent"(text, text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."decide_as_parent"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."decide_as_parent"(text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."decide_as_parent"(text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."delete_as_parent"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."delete_as_parent"(text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."delete_as_parent"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."delete_as_parent"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."delete_as_parent"(text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."end_own_session"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."end_own_session"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."end_own_session"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "public"."export_as_parent"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."export_as_parent"(text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."export_as_parent"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."export_as_parent"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."export_as_parent"(text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."find_own_username_fault"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."find_own_username_fault"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."find_own_username_fault"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."find_own_username_fault"() TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."is_under_strikes"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."is_under_strikes"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."is_under_strikes"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."is_under_strikes"() TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_chat_faces"(uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_chat_faces"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_chat_faces"(uuid[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_chat_faces"(uuid[]) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_known_words"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_known_words"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_known_words"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_known_words"(text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_own_sessions"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_own_sessions"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_own_sessions"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."order_categories"(uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."order_categories"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."order_categories"(uuid[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."order_categories"(uuid[]) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."refuse_word"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."refuse_word"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."refuse_word"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."refuse_word"(text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."renew_parent_link"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."renew_parent_link"(text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."renew_parent_link"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."renew_parent_link"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."renew_parent_link"(text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."reopen_word"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reopen_word"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."reopen_word"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."reopen_word"(text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."set_age_band"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."set_age_band"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."set_age_band"(uuid, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."set_age_band"(uuid, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."show_ban"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."show_ban"(uuid) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."show_ban"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."show_ban"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."show_ban"(uuid) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."show_forced_name"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."show_forced_name"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."show_forced_name"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."show_forced_name"() TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."show_own_standing"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."show_own_standing"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."show_own_standing"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."show_own_standing"() TO "service_role";

REVOKE ALL ON FUNCTION "public"."show_to_parent"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."show_to_parent"(text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."show_to_parent"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."show_to_parent"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."show_to_parent"(text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."suggest_usernames"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."suggest_usernames"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."suggest_usernames"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."suggest_usernames"() TO "service_role";

REVOKE ALL ON SCHEMA "private" FROM "supabase_auth_admin";

GRANT USAGE ON SCHEMA "private" TO "supabase_auth_admin";

REVOKE ALL ON TABLE "public"."age_bands" FROM "authenticated";

GRANT SELECT ON TABLE "public"."age_bands" TO "authenticated";

REVOKE ALL ON TABLE "public"."age_bands" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."age_bands" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."age_bands" TO "service_role";

REVOKE ALL ON TABLE "public"."appeals" FROM "authenticated";

REVOKE ALL ("answered_at") ON TABLE "public"."appeals" FROM "authenticated";

GRANT SELECT ("answered_at") ON TABLE "public"."appeals" TO "authenticated";

REVOKE ALL ("answer") ON TABLE "public"."appeals" FROM "authenticated";

GRANT SELECT ("answer"), UPDATE ("answer") ON TABLE "public"."appeals" TO "authenticated";

REVOKE ALL ("created_at") ON TABLE "public"."appeals" FROM "authenticated";

GRANT SELECT ("created_at") ON TABLE "public"."appeals" TO "authenticated";

REVOKE ALL ("granted") ON TABLE "public"."appeals" FROM "authenticated";

GRANT SELECT ("granted"), UPDATE ("granted") ON TABLE "public"."appeals" TO "authenticated";

REVOKE ALL ("message") ON TABLE "public"."appeals" FROM "authenticated";

GRANT INSERT ("message"), SELECT ("message") ON TABLE "public"."appeals" TO "authenticated";

REVOKE ALL ("sanction_id") ON TABLE "public"."appeals" FROM "authenticated";

GRANT INSERT ("sanction_id"), SELECT ("sanction_id") ON TABLE "public"."appeals" TO "authenticated";

REVOKE ALL ON TABLE "public"."appeals" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."appeals" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."appeals" TO "service_role";

REVOKE ALL ON TABLE "public"."case_notes" FROM "authenticated";

REVOKE ALL ("note") ON TABLE "public"."case_notes" FROM "authenticated";

GRANT INSERT ("note") ON TABLE "public"."case_notes" TO "authenticated";

REVOKE ALL ("user_id") ON TABLE "public"."case_notes" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."case_notes" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."case_notes" TO "authenticated";

REVOKE ALL ON TABLE "public"."case_notes" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."case_notes" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."case_notes" TO "service_role";

REVOKE ALL ("items") ON TABLE "public"."chat_messages" FROM "authenticated";

GRANT INSERT ("items") ON TABLE "public"."chat_messages" TO "authenticated";

REVOKE ALL ("mentions") ON TABLE "public"."chat_messages" FROM "authenticated";

GRANT INSERT ("mentions") ON TABLE "public"."chat_messages" TO "authenticated";

REVOKE ALL ("phrase") ON TABLE "public"."chat_messages" FROM "authenticated";

GRANT INSERT ("phrase") ON TABLE "public"."chat_messages" TO "authenticated";

REVOKE ALL ("reply_to") ON TABLE "public"."chat_messages" FROM "authenticated";

GRANT INSERT ("reply_to") ON TABLE "public"."chat_messages" TO "authenticated";

REVOKE ALL ("trade") ON TABLE "public"."chat_messages" FROM "authenticated";

GRANT INSERT ("trade") ON TABLE "public"."chat_messages" TO "authenticated";

REVOKE ALL ON TABLE "public"."chat_originals" FROM "authenticated";

GRANT SELECT ON TABLE "public"."chat_originals" TO "authenticated";

REVOKE ALL ON TABLE "public"."chat_originals" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."chat_originals" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."chat_originals" TO "service_role";

REVOKE ALL ON TABLE "public"."chat_reactions" FROM "authenticated";

REVOKE ALL ("emoji") ON TABLE "public"."chat_reactions" FROM "authenticated";

GRANT INSERT ("emoji") ON TABLE "public"."chat_reactions" TO "authenticated";

REVOKE ALL ("message_id") ON TABLE "public"."chat_reactions" FROM "authenticated";

GRANT INSERT ("message_id") ON TABLE "public"."chat_reactions" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."chat_reactions" TO "authenticated";

REVOKE ALL ON TABLE "public"."chat_reactions" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."chat_reactions" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."chat_reactions" TO "service_role";

REVOKE ALL ON TABLE "public"."former_slugs" FROM "anon";

GRANT SELECT ON TABLE "public"."former_slugs" TO "anon";

REVOKE ALL ON TABLE "public"."former_slugs" FROM "authenticated";

GRANT SELECT ON TABLE "public"."former_slugs" TO "authenticated";

REVOKE ALL ON TABLE "public"."former_slugs" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."former_slugs" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."former_slugs" TO "service_role";

REVOKE ALL ON TABLE "public"."quick_phrases" FROM "authenticated";

GRANT SELECT ON TABLE "public"."quick_phrases" TO "authenticated";

REVOKE ALL ON TABLE "public"."quick_phrases" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."quick_phrases" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."quick_phrases" TO "service_role";

REVOKE ALL ON TABLE "public"."reports" FROM "authenticated";

REVOKE ALL ("code") ON TABLE "public"."reports" FROM "authenticated";

GRANT INSERT ("code"), SELECT ("code") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("created_at") ON TABLE "public"."reports" FROM "authenticated";

GRANT SELECT ("created_at") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("evidence") ON TABLE "public"."reports" FROM "authenticated";

GRANT SELECT ("evidence") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."reports" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("kind") ON TABLE "public"."reports" FROM "authenticated";

GRANT INSERT ("kind"), SELECT ("kind") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("message_id") ON TABLE "public"."reports" FROM "authenticated";

GRANT INSERT ("message_id"), SELECT ("message_id") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("outcome") ON TABLE "public"."reports" FROM "authenticated";

GRANT SELECT ("outcome") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("reason") ON TABLE "public"."reports" FROM "authenticated";

GRANT INSERT ("reason"), SELECT ("reason") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("reported_user_id") ON TABLE "public"."reports" FROM "authenticated";

GRANT SELECT ("reported_user_id") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("resolved_at") ON TABLE "public"."reports" FROM "authenticated";

GRANT SELECT ("resolved_at"), UPDATE ("resolved_at") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("sent_at") ON TABLE "public"."reports" FROM "authenticated";

GRANT SELECT ("sent_at") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ("subject_id") ON TABLE "public"."reports" FROM "authenticated";

GRANT INSERT ("subject_id"), SELECT ("subject_id") ON TABLE "public"."reports" TO "authenticated";

GRANT DELETE ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ON TABLE "public"."reports" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."reports" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."reports" TO "service_role";

REVOKE ALL ON TABLE "public"."sanctions" FROM "authenticated";

REVOKE ALL ("code") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT INSERT ("code"), SELECT ("code") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("counts_until") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT SELECT ("counts_until") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("created_at") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT SELECT ("created_at") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("done_at") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT SELECT ("done_at") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("kind") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT INSERT ("kind"), SELECT ("kind") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("lifted_at") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT SELECT ("lifted_at"), UPDATE ("lifted_at") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("reason") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT INSERT ("reason"), SELECT ("reason") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("removed") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT SELECT ("removed") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("subject_id") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT INSERT ("subject_id"), SELECT ("subject_id") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("until") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT INSERT ("until"), SELECT ("until") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ("user_id") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT INSERT ("user_id"), SELECT ("user_id") ON TABLE "public"."sanctions" TO "authenticated";

REVOKE ALL ON TABLE "public"."sanctions" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."sanctions" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."sanctions" TO "service_role";

REVOKE ALL ON TABLE "public"."second_opinions" FROM "authenticated";

REVOKE ALL ("user_id") ON TABLE "public"."second_opinions" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."second_opinions" TO "authenticated";

GRANT SELECT ON TABLE "public"."second_opinions" TO "authenticated";

REVOKE ALL ON TABLE "public"."second_opinions" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."second_opinions" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."second_opinions" TO "service_role";

REVOKE ALL ON TABLE "public"."word_requests" FROM "authenticated";

GRANT SELECT ON TABLE "public"."word_requests" TO "authenticated";

REVOKE ALL ON TABLE "public"."word_requests" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."word_requests" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."word_requests" TO "service_role";

ALTER TABLE "public"."case_notes"
  ADD CONSTRAINT "case_notes_author_id_fkey" FOREIGN KEY (author_id) REFERENCES public.profiles(id) ON DELETE SET NULL;

CREATE INDEX case_notes_author_id_idx ON public.case_notes USING btree (author_id);

CREATE POLICY "Moderators delete their own notes" ON "public"."case_notes"
  FOR DELETE
  TO "authenticated"
  USING ((( SELECT private.is_moderator() AS is_moderator) AND (author_id = ( SELECT auth.uid() AS uid))));

CREATE POLICY "Moderators write notes in their own name" ON "public"."case_notes"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((( SELECT private.is_moderator() AS is_moderator) AND (author_id = ( SELECT auth.uid() AS uid)) AND (user_id <> author_id)));

REVOKE ALL ("author_id") ON TABLE "public"."case_notes" FROM "authenticated";

GRANT INSERT ("author_id") ON TABLE "public"."case_notes" TO "authenticated";

ALTER TABLE "public"."chat_reactions"
  ADD CONSTRAINT "chat_reactions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE VIEW "public"."shown_chat_messages" WITH (security_invoker=true) AS  SELECT id,
    user_id,
    username,
    message,
    created_at,
    phrase,
    items,
    trade,
    reply_to,
    mentions,
    ( SELECT jsonb_object_agg(by_sign.emoji, by_sign.people) AS jsonb_object_agg
           FROM ( SELECT chat_reactions.emoji,
                    jsonb_agg(chat_reactions.user_id ORDER BY chat_reactions.created_at) AS people
                   FROM public.chat_reactions
                  WHERE (chat_reactions.message_id = chat_messages.id)
                  GROUP BY chat_reactions.emoji) by_sign) AS reactions
   FROM public.chat_messages
  WHERE (NOT (user_id IN ( SELECT chat_mutes.muted_user_id
           FROM public.chat_mutes
          WHERE (chat_mutes.user_id = ( SELECT auth.uid() AS uid)))));

REVOKE ALL ON TABLE "public"."shown_chat_messages" FROM "anon";

CREATE INDEX chat_reactions_user_id_idx ON public.chat_reactions USING btree (user_id);

CREATE POLICY "People react in their own name" ON "public"."chat_reactions"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "People take back their own reactions" ON "public"."chat_reactions"
  FOR DELETE
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

COMMENT ON VIEW "public"."shown_chat_messages" IS 'The messages of those whom the reader did not mute.';

REVOKE ALL ("user_id") ON TABLE "public"."chat_reactions" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."chat_reactions" TO "authenticated";

REVOKE ALL ON TABLE "public"."shown_chat_messages" FROM "authenticated";

GRANT SELECT ON TABLE "public"."shown_chat_messages" TO "authenticated";

REVOKE ALL ON TABLE "public"."shown_chat_messages" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."shown_chat_messages" TO "postgres";

REVOKE ALL ON TABLE "public"."shown_chat_messages" FROM "service_role";

GRANT SELECT ON TABLE "public"."shown_chat_messages" TO "service_role";

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "change_percent" numeric GENERATED ALWAYS AS (private.change_in_percent(old_value, new_value)) STORED;

COMMENT ON COLUMN "public"."item_value_changes"."change_percent" IS 'In percent of the old value; null when either is unpriced.';

REVOKE ALL ("change_percent") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("change_percent") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("change_percent") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("change_percent") ON TABLE "public"."item_value_changes" TO "authenticated";

ALTER TABLE "public"."reports"
  ADD CONSTRAINT "reports_reporter_id_fkey" FOREIGN KEY (reporter_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE VIEW "public"."chat_reports" WITH (security_invoker=true) AS  SELECT id,
    message_id,
    evidence AS message,
    reported_user_id,
    reporter_id,
    reason,
    created_at,
    resolved_at,
    sent_at,
    subject_id AS reported_message_id
   FROM public.reports
  WHERE (kind = 'message'::text);

REVOKE ALL ON TABLE "public"."chat_reports" FROM "anon";

CREATE INDEX reports_reporter_id_idx ON public.reports USING btree (reporter_id);

CREATE POLICY "People report in their own name" ON "public"."reports"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((reporter_id = ( SELECT auth.uid() AS uid)) AND (kind <> 'refusals'::text)));

CREATE POLICY "People see their own reports, moderators all" ON "public"."reports"
  FOR SELECT
  TO "authenticated"
  USING (((reporter_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

COMMENT ON COLUMN "public"."reports"."reporter_id" IS 'Null for a signal of the database''s own: refusals.';

COMMENT ON VIEW "public"."chat_reports" IS 'Messages that people reported; everything that is reported is in reports.';

REVOKE ALL ("reporter_id") ON TABLE "public"."reports" FROM "authenticated";

GRANT INSERT ("reporter_id"), SELECT ("reporter_id") ON TABLE "public"."reports" TO "authenticated";

REVOKE ALL ON TABLE "public"."chat_reports" FROM "authenticated";

REVOKE ALL ("message_id") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT INSERT ("message_id") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("reason") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT INSERT ("reason") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("reporter_id") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT INSERT ("reporter_id") ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ("resolved_at") ON TABLE "public"."chat_reports" FROM "authenticated";

GRANT UPDATE ("resolved_at") ON TABLE "public"."chat_reports" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."chat_reports" TO "authenticated";

REVOKE ALL ON TABLE "public"."chat_reports" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."chat_reports" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."chat_reports" TO "service_role";

ALTER TABLE "public"."second_opinions"
  ADD CONSTRAINT "second_opinions_asked_by_fkey" FOREIGN KEY (asked_by) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE INDEX second_opinions_asked_by_idx ON public.second_opinions USING btree (asked_by);

CREATE POLICY "Moderators ask for one where there is another moderator" ON "public"."second_opinions"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((( SELECT private.is_moderator() AS is_moderator) AND (asked_by = ( SELECT auth.uid() AS uid)) AND private.has_other_moderator(user_id)));

REVOKE ALL ("asked_by") ON TABLE "public"."second_opinions" FROM "authenticated";

GRANT INSERT ("asked_by") ON TABLE "public"."second_opinions" TO "authenticated";

ALTER TABLE "public"."age_bands"
  ADD CONSTRAINT "age_bands_band_is_known" CHECK ((private.lowest_age(band) IS NOT NULL));

ALTER TABLE "public"."reports"
  ADD CONSTRAINT "reports_code_is_known" CHECK (private.is_report_code(code));

ALTER TABLE "public"."sanctions"
  ADD CONSTRAINT "sanctions_code_is_known" CHECK (private.is_report_code(code));

-- Rows that the product needs and nobody types in: they come with the schema, into a fresh database and a hosted one.
-- A schema diff does not see rows, so `npm run schema` adds this file to the migration it writes whenever applying it
-- would change something. Each statement may therefore run again: it adds what is missing and leaves what people changed.

insert into private.settings (only_row) values (true) on conflict do nothing;

-- Words of the catalogue and those that admins take in; languages come from supabase/vocabularies.
insert into private.vocabularies (language, checksum) values ('items', ''), ('site', '') on conflict do nothing;

-- The four ad slots: admins fill and enable them.
insert into public.ads (placement)
values ('values_grid'), ('detail_header'), ('detail_content'), ('detail_sidebar')
on conflict do nothing;

-- The standard fields of the item form.
insert into public.field_definitions (display_order, name, label, type, required, options)
values
  (1, 'name', 'Name', 'text', true, '{}'),
  (2, 'slug', 'Slug', 'text', false, '{}'),
  (3, 'category_id', 'Category', 'select', true, '{}'),
  (4, 'rarity', 'Rarity', 'select', false, '{common,uncommon,rare,legendary,mythical}'),
  (5, 'type', 'Type', 'select', false, '{fruit,gamepass,item,material,weapon,accessory}'),
  (6, 'demand', 'Demand', 'select', false, '{low,medium,high,very_high}'),
  (7, 'current_value', 'Current Value', 'text', false, '{}'),
  (8, 'previous_value', 'Previous Value', 'text', false, '{}')
on conflict do nothing;

-- Pictures of items. The bucket is public: whoever has a picture's address sees it. Only admins list, add, replace and
-- remove pictures.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('item-images', 'item-images', true, 5242880, '{image/jpeg,image/png,image/webp,image/gif}')
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types
where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
  is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types);

-- Pictures of people that a moderator allowed: whoever has a picture's address sees it. The name of a picture says nothing:
-- it is made anew for each, so that no cache shows the old one. Those that wait are seen by their owner and moderators.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('avatars', 'avatars', true, 1048576, '{image/jpeg,image/png,image/webp}'),
  ('avatar-uploads', 'avatar-uploads', false, 1048576, '{image/jpeg,image/png,image/webp}')
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types
where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
  is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types);

-- Accounts that were there before the site was: every account has a profile.
insert into public.profiles (id, username)
select id, private.generate_username(email) from auth.users
where not exists (select from public.profiles where profiles.id = users.id);

-- What can be said in the chat by tap.
insert into public.quick_phrases (theme, place, id, phrase) values
  ('offer', 1, 'trading-for', 'Trading {item} for {item}'),
  ('offer', 2, 'trading', 'Trading {item}'),
  ('offer', 3, 'i-have', 'I have {item}'),
  ('offer', 4, 'looking-for', 'Looking for {item}'),
  ('offer', 5, 'two-for', 'My {item} and {item} for your {item}?'),
  ('offer', 6, 'i-can-add', 'I can add {item}'),
  ('offer', 7, 'send-offers', 'Send me your offers'),
  ('offer', 8, 'not-trading', 'I am not trading {item}'),
  ('ask', 1, 'is-this-fair', 'Is this fair?'),
  ('ask', 2, 'adds', 'Adds?'),
  ('ask', 3, 'looking-for-what', 'What are you looking for?'),
  ('ask', 4, 'have-what', 'What do you have?'),
  ('ask', 5, 'do-you-have', 'Do you have {item}?'),
  ('ask', 6, 'can-you-add', 'Can you add {item}?'),
  ('ask', 7, 'worth', 'What is {item} worth?'),
  ('ask', 8, 'still-there', 'Is it still there?'),
  ('ask', 9, 'win-or-loss', 'Win, fair or loss?'),
  ('answer', 1, 'deal', 'Deal!'),
  ('answer', 2, 'no-thanks', 'No thanks'),
  ('answer', 3, 'yes', 'Yes'),
  ('answer', 4, 'no', 'No'),
  ('answer', 5, 'maybe-later', 'Maybe later'),
  ('answer', 6, 'too-low', 'Too low'),
  ('answer', 7, 'fair', 'That is fair'),
  ('answer', 8, 'good-offer', 'Good offer!'),
  ('answer', 9, 'let-me-think', 'Let me think'),
  ('answer', 10, 'traded-already', 'I traded it already'),
  ('hello', 1, 'hello', 'Hello!'),
  ('hello', 2, 'good-luck', 'Good luck!'),
  ('hello', 3, 'thanks', 'Thank you!'),
  ('hello', 4, 'nice-trade', 'Nice trade!'),
  ('hello', 5, 'welcome', 'You are welcome'),
  ('hello', 6, 'sorry', 'Sorry'),
  ('hello', 7, 'wait', 'One moment, please'),
  ('hello', 8, 'bye', 'Bye!')
on conflict do nothing;

alter table public.reports disable trigger user;
insert into public.reports (
  id, kind, subject_id, message_id, evidence, sent_at, reported_user_id, reporter_id, reason, created_at, resolved_at, resolved_by
)
  select id, 'message', coalesce(reported_message_id, message_id, id), message_id, message, sent_at, reported_user_id,
    reporter_id, reason, created_at, resolved_at, resolved_by
  from kept_reports;
alter table public.reports enable trigger user;
drop table kept_reports;

-- Nobody who was here before has said how old they are: whoever is listed says it first, and then wishes it again.
update public.profiles set listed = false where listed;
