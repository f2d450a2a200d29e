SET local check_function_bodies = off;

DROP POLICY "Admins see every act, moderators those about people" ON "public"."admin_acts";

DROP POLICY "Bystanders see nothing here" ON "public"."age_bands";

DROP POLICY "Half a sign-in sees nothing here" ON "public"."age_bands";

DROP POLICY "People see their own age group" ON "public"."age_bands";

DROP POLICY "Bystanders appeal against nothing" ON "public"."appeals";

DROP POLICY "Half a sign-in sees and does nothing here" ON "public"."appeals";

DROP POLICY "People appeal against what was done about them" ON "public"."appeals";

DROP POLICY "People see their own appeals, moderators all" ON "public"."appeals";

DROP POLICY "Everybody sees which pictures are shown" ON "public"."change_pictures";

DROP POLICY "Bystanders add nothing" ON "public"."chat_messages";

DROP POLICY "Bystanders remove nothing" ON "public"."chat_messages";

DROP POLICY "Half a sign-in adds nothing" ON "public"."chat_messages";

DROP POLICY "Half a sign-in changes nothing" ON "public"."chat_messages";

DROP POLICY "Half a sign-in removes nothing" ON "public"."chat_messages";

DROP POLICY "People delete their own messages, moderators any" ON "public"."chat_messages";

DROP POLICY "People write messages in their own name" ON "public"."chat_messages";

DROP POLICY "Signed-in people see every message" ON "public"."chat_messages";

DROP POLICY "Bystanders are not in the chat" ON "public"."chat_mutes";

DROP POLICY "Half a sign-in adds nothing" ON "public"."chat_mutes";

DROP POLICY "Half a sign-in changes nothing" ON "public"."chat_mutes";

DROP POLICY "Half a sign-in removes nothing" ON "public"."chat_mutes";

DROP POLICY "People mute others for themselves" ON "public"."chat_mutes";

DROP POLICY "People see whom they muted" ON "public"."chat_mutes";

DROP POLICY "People unmute for themselves" ON "public"."chat_mutes";

DROP POLICY "Moderators see for a day what was hidden" ON "public"."chat_originals";

DROP POLICY "Bystanders add nothing" ON "public"."chat_reactions";

DROP POLICY "Bystanders remove nothing" ON "public"."chat_reactions";

DROP POLICY "Half a sign-in adds nothing" ON "public"."chat_reactions";

DROP POLICY "Half a sign-in removes nothing" ON "public"."chat_reactions";

DROP POLICY "People react in their own name" ON "public"."chat_reactions";

DROP POLICY "People take back their own reactions" ON "public"."chat_reactions";

DROP POLICY "Signed-in people see every reaction" ON "public"."chat_reactions";

DROP POLICY "Admins silence people" ON "public"."chat_silences";

DROP POLICY "People see their own silence, moderators all" ON "public"."chat_silences";

DROP POLICY "Everybody writes to the operator who wants it" ON "public"."contact_messages";

DROP POLICY "Moderators see for a day what people deleted" ON "public"."deleted_chat_messages";

DROP POLICY "People see their own public name, editors all" ON "public"."editor_names";

DROP POLICY "Editors and moderators hear of what is theirs, admins of all" ON "public"."editor_notices";

DROP POLICY "Admins say what game updates touched" ON "public"."game_update_items";

DROP POLICY "Admins take back what game updates touched" ON "public"."game_update_items";

DROP POLICY "Everybody sees what game updates touched" ON "public"."game_update_items";

DROP POLICY "Editors and moderators ask for news by mail" ON "public"."notice_mails";

DROP POLICY "Editors and moderators end news by mail" ON "public"."notice_mails";

DROP POLICY "People see whether they get news by mail" ON "public"."notice_mails";

DROP POLICY "Bystanders take no name and no picture" ON "public"."profiles";

DROP POLICY "Half a sign-in adds nothing" ON "public"."profiles";

DROP POLICY "Half a sign-in changes nothing" ON "public"."profiles";

DROP POLICY "Half a sign-in removes nothing" ON "public"."profiles";

DROP POLICY "People change their own profile" ON "public"."profiles";

DROP POLICY "People see listed profiles and their own, moderators all" ON "public"."profiles";

DROP POLICY "Signed-in people see the phrases" ON "public"."quick_phrases";

DROP POLICY "Bystanders report nothing" ON "public"."reports";

DROP POLICY "Half a sign-in sees and does nothing here" ON "public"."reports";

DROP POLICY "People report in their own name" ON "public"."reports";

DROP POLICY "People see their own reports, moderators all" ON "public"."reports";

DROP POLICY "Bystanders see nothing here" ON "public"."sanctions";

DROP POLICY "Half a sign-in sees nothing here" ON "public"."sanctions";

DROP POLICY "People see their own sanctions, moderators all" ON "public"."sanctions";

DROP POLICY "Moderators ask for one where there is another moderator" ON "public"."second_opinions";

DROP POLICY "Moderators see who wants a second opinion" ON "public"."second_opinions";

DROP POLICY "Half a sign-in sees and does nothing here" ON "public"."trade_history";

DROP POLICY "People delete their own trades" ON "public"."trade_history";

DROP POLICY "People save trades in their own name" ON "public"."trade_history";

DROP POLICY "People see their own trades" ON "public"."trade_history";

DROP POLICY "Bystanders add nothing" ON "public"."user_ratings";

DROP POLICY "Bystanders change nothing" ON "public"."user_ratings";

DROP POLICY "Bystanders remove nothing" ON "public"."user_ratings";

DROP POLICY "Half a sign-in adds nothing" ON "public"."user_ratings";

DROP POLICY "Half a sign-in changes nothing" ON "public"."user_ratings";

DROP POLICY "Half a sign-in removes nothing" ON "public"."user_ratings";

DROP POLICY "People change their own ratings of listed traders" ON "public"."user_ratings";

DROP POLICY "People delete their own ratings, moderators any" ON "public"."user_ratings";

DROP POLICY "People rate listed traders in their own name" ON "public"."user_ratings";

DROP POLICY "Ratings are seen by those who see the trader and the rater" ON "public"."user_ratings";

DROP POLICY "People see their own roles, admins all" ON "public"."user_roles";

DROP POLICY "People see their own proposals, editors all" ON "public"."value_proposals";

DROP POLICY "Admins see which words are asked for" ON "public"."word_requests";

DROP POLICY "Editors leave items for later in their own name" ON "public"."work_skips";

DROP POLICY "Editors see what they left for later" ON "public"."work_skips";

DROP POLICY "Editors take back what they left" ON "public"."work_skips";

DROP POLICY "Bystanders are not in the chat" ON "realtime"."messages";

DROP POLICY "Each session may follow itself" ON "realtime"."messages";

DROP POLICY "Everybody may follow the catalogue" ON "realtime"."messages";

DROP POLICY "Half a sign-in is not in the chat" ON "realtime"."messages";

DROP POLICY "Moderators, editors and admins follow what their panels show" ON "realtime"."messages";

DROP POLICY "Signed-in people see who is in the chat" ON "realtime"."messages";

DROP POLICY "Signed-in people show that they are in the chat" ON "realtime"."messages";

DROP POLICY "A second person allows pictures of changes" ON "storage"."objects";

DROP POLICY "A second person removes pictures of changes, people their own" ON "storage"."objects";

DROP POLICY "Bystanders add nothing" ON "storage"."objects";

DROP POLICY "Bystanders change nothing" ON "storage"."objects";

DROP POLICY "Bystanders remove nothing" ON "storage"."objects";

DROP POLICY "Editors add pictures that wait for a second person" ON "storage"."objects";

DROP POLICY "Editors see pictures of changes, and people what they added" ON "storage"."objects";

DROP POLICY "Half a sign-in adds nothing" ON "storage"."objects";

DROP POLICY "Half a sign-in changes nothing" ON "storage"."objects";

DROP POLICY "Half a sign-in removes nothing" ON "storage"."objects";

DROP POLICY "Moderators allow pictures of others" ON "storage"."objects";

DROP POLICY "People of age add pictures that wait for a moderator" ON "storage"."objects";

DROP POLICY "People remove their own avatars, moderators any" ON "storage"."objects";

DROP POLICY "People see their own avatars, moderators all" ON "storage"."objects";

DROP TRIGGER "tell_account_that_became_full" ON "auth"."users";

DROP TRIGGER "admin_acts_name_restoring" ON "public"."admin_acts";

DROP TRIGGER "game_update_items_leave_deleted_updates" ON "public"."game_update_items";

DROP TRIGGER "item_value_changes_leave_known_values" ON "public"."item_value_changes";

DROP TRIGGER "trade_history_require_room" ON "public"."trade_history";

DROP TRIGGER "tell_role_change" ON "public"."user_roles";

DROP TRIGGER "avatars_are_few" ON "storage"."objects";

DROP TRIGGER "change_uploads_are_few" ON "storage"."objects";

DROP FUNCTION "private"."find_turn"(text, text, text);

DROP FUNCTION "private"."find_wait"(uuid, public.items, text, text);

DROP FUNCTION "private"."has_proved_lately"(jsonb);

DROP FUNCTION "private"."is_bystander"();

DROP FUNCTION "private"."is_in_the_room"(text);

DROP FUNCTION "private"."is_still_there"(public.value_proposals);

DROP FUNCTION "private"."judge_standing_names"(integer);

DROP FUNCTION "private"."know_everyday"(bigint[], text[], text[], text[], text[], text[]);

DROP FUNCTION "private"."leave_deleted_updates"();

DROP FUNCTION "private"."leave_known_values"();

DROP FUNCTION "private"."limit_pace"(uuid, text, integer, interval, text);

DROP FUNCTION "private"."list_pictured"(text);

DROP FUNCTION "private"."look_of_name"(text);

DROP FUNCTION "private"."name_restoring"();

DROP FUNCTION "private"."passes_for_operator"(text);

DROP FUNCTION "private"."passes_for_site"(text);

DROP FUNCTION "private"."put_back"(regclass, jsonb);

DROP FUNCTION "private"."refuse_unasked"(uuid, boolean);

DROP FUNCTION "private"."refuse_unnamed"(uuid);

DROP FUNCTION "private"."refuse_without_voice"(uuid);

DROP FUNCTION "private"."require_few_avatars"();

DROP FUNCTION "private"."require_few_uploads"();

DROP FUNCTION "private"."require_room_for_trades"();

DROP FUNCTION "private"."take_turn_of_owner"(text);

DROP FUNCTION "private"."tell_ban"(public.sanctions);

DROP FUNCTION "private"."tell_full_account"();

DROP FUNCTION "private"."tell_role_change"();

DROP FUNCTION "private"."tell_silence"(public.chat_silences);

DROP FUNCTION "private"."tell_standing"(text);

DROP FUNCTION "private"."unsaid_in_name"(text);

CREATE OR REPLACE FUNCTION private.add_to_rating_counts (
  traders uuid[],
  ratings integer[],
  stars   integer[]
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      -- Locked in id order, so that concurrent statements about the same traders cannot deadlock.
      perform from public.profiles where id = any (traders) order by id for no key update;
      update public.profiles
        set rating_count = rating_count + change.ratings, rating_sum = rating_sum + change.stars
        from (
          select trader, sum(r)::integer as ratings, sum(s)::integer as stars
          from unnest(traders, ratings, stars) as changes (trader, r, s)
          group by trader
        ) as change
        where profiles.id = change.trader and (change.ratings <> 0 or change.stars <> 0);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.ask_for_age_before_message()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      -- Children may use quick talk.
      if new.phrase is null and new.trade is null then
        perform private.require_free_writing((select auth.uid()));
      else
        perform private.require_age_group((select auth.uid()), admits_children => true);
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
        perform private.require_age_group(new.id, admits_children => false);
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
        perform private.require_free_writing((select auth.uid()));
      else
        perform private.require_age_group((select auth.uid()), admits_children => true);
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
      perform private.require_age_group((select auth.uid()), admits_children => true);
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.ask_for_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform private.require_chosen_name((select auth.uid()));
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.ban_message (
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

CREATE OR REPLACE FUNCTION private.check_editor_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      fault text;
    begin
      -- Malformed names are left to the check constraint.
      if new.name ~ '^[A-Za-z0-9_]{3,20}$' then
        fault := case
          when private.looks_like_admin(new.user_id, new.name)
            or exists (select from public.profiles where lower(username) = lower(new.name) and id <> new.user_id)
            then 'This name is taken'
          else replace(private.find_username_fault(new.name), 'username', 'name')
        end;
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault, hint = 'name';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_existing_names (
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
      -- Before the vocabularies are loaded, every name would fail.
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
      if char_length(new.comment) <= 500 and (tg_op = 'INSERT' or new.comment is distinct from old.comment) then
        new.comment := nullif(private.tidy_text(new.comment), '');
        -- In imports by the owner or a server, unknown words are hidden, not refused.
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
        perform private.limit_rate(
          new.user_id, 'reaction', 30, interval '1 minute', 'You are reacting too fast: at most 30 times a minute'
        );
      end if;
      if (select count(*) >= 100 from public.chat_reactions where message_id = new.message_id and emoji = new.emoji) then
        raise exception using errcode = 'check_violation', message = 'This message has enough of these';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_shown_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.name <> split_part(old.name, '/', 2) or not exists (select from private.list_proposals_with_picture(old.name)) then
        raise exception using errcode = '42501', message = 'This picture belongs to no change';
      end if;
      new.owner := null;
      new.owner_id := null;
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
      -- Malformed names are left to the check constraint.
      if new.username ~ '^[A-Za-z0-9_]{3,20}$' then
        fault := case
          when private.looks_like_admin(new.id, new.username) then 'This username is reserved'
          when row_security_active('public.profiles') then private.find_username_fault(new.username)
          when private.resembles_operator(new.username) or private.resembles_site_name(new.username) then 'This username is reserved'
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
        -- Hosted projects refuse to delete a file's row by SQL unless this is set.
        perform set_config('storage.allow_delete_query', 'true', true);
        delete from storage.objects where bucket_id = 'avatars' and name = new.evidence;
      end if;
      return null;
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
      -- For each prefix, the shortest split into known words, separated by spaces.
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
        'message', format('%s%s To appeal: /appeal?key=%s', private.ban_message(ban),
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
      -- The lock waits for a concurrent deletion.
      perform from public.chat_messages where new.kind = 'message' and id = new.subject_id for key share;
      new.message_id := case when found then new.subject_id end;
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
      when private.resembles_operator(username) or private.resembles_site_name(username) then 'This username is reserved'
      when length(regexp_replace(username, '[^0-9]', '', 'g')) > 6 then 'A username may not be a phone number'
      when length(regexp_replace(username, '[^0-9]', '', 'g')) > 4 then 'A username can have at most four digits'
      when exists (
        select from regexp_matches(username, '[0-9]+', 'g') as match
        where match[1]::integer between 8 and 17 or match[1]::integer between 1990 and 2030
      ) then 'A username may not tell how old you are: please take another number'
      when username ~ '(^|[^0-9])(69|420|88|666|1488)([^0-9]|$)' then 'This username is not allowed'
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
      select string_agg(coalesce(original.message, piece.message), E'\n' order by piece.created_at)
        into pieces
        from (
          (
            select id, message, created_at from public.chat_messages
            where user_id = person and created_at > now() - span and char_length(message) <= 60
            order by created_at desc limit 8
          ) union all (
            select id, message, created_at from public.deleted_chat_messages
            where user_id = person and created_at > now() - span and char_length(message) <= 60
            order by created_at desc limit 8
          )
          order by created_at desc limit 8
        ) as piece
        left join public.chat_originals as original on original.message_id = piece.id;
      if pieces is not null then
        verdict := private.judge_text(pieces || E'\n' || value);
        -- Words hidden in a single message were handled there; this refuses letters that spell a word only together.
        if verdict.refusal is not null or private.holds_spelling(pieces || E'\n' || value) then
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

CREATE OR REPLACE FUNCTION private.find_review_reason (
  person    uuid,
  item      public.items,
  field     text,
  new_value text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      limits private.settings;
      is_admin constant boolean := private.editing_role(person) is not distinct from 'admin';
      number constant numeric :=
        case when starts_with(field, 'permanent_') then item.permanent_value_number else item.current_value_number end;
      dearer integer;
    begin
      select * into limits from private.settings;
      if is_admin and not exists (
        select from public.user_roles where role in ('admin', 'editor') and user_id <> person
      ) then
        return null;
      end if;
      if field <> 'demand' and not private.is_range(field) and private.is_large_change(
        private.first_value_of_day(person, item, field), new_value, limits.large_change_percent) then
        return 'large';
      end if;
      if is_admin then
        return null;
      end if;
      if private.is_new_editor(person) then
        return 'new_editor';
      end if;
      if number is null then
        return null;
      end if;
      if starts_with(field, 'permanent_') then
        select count(*) into dearer
          from (select from public.items where permanent_value_number > number limit limits.dear_items) as above;
      else
        select count(*) into dearer
          from (select from public.items where current_value_number > number limit limits.dear_items) as above;
      end if;
      return case when dearer < limits.dear_items then 'dear' end;
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
      fault := case private.forbidden_word_in_name(username)
        when 'foulword' then 'This username is not allowed'
        when 'kys' then 'This username is not allowed'
        when 'elsewhere' then 'A username may not say where to find you elsewhere'
      end;
      if fault is not null then
        return fault;
      end if;
      words := private.words_of_name(username);
      return case
        -- A Portuguese word, but at the end of a name it reads as a domain.
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

CREATE OR REPLACE FUNCTION private.follow_item()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      context constant jsonb := private.read_change_context();
      changed_by constant uuid := (
        select id from public.profiles
        where id = case when context ? 'changed_by' then (context ->> 'changed_by')::uuid else (select auth.uid()) end
      );
      regular_changed constant boolean :=
        old.current_value_number is distinct from private.parse_value_text(new.current_value);
      permanent_changed constant boolean :=
        old.permanent_value_number is distinct from private.parse_value_text(new.permanent_value);
      reason constant text := nullif(private.trim_text(new.change_reason), '');
      written_previous constant text := coalesce(current_setting('private.written_previous', true), '');
      restored_check constant timestamptz := nullif(current_setting('private.restored_check', true), '');
    begin
      perform set_config('private.written_previous', '', true);
      if regular_changed and strpos(written_previous, 'regular') = 0 then
        new.previous_value := old.current_value;
      end if;
      if permanent_changed and strpos(written_previous, 'permanent') = 0 then
        new.permanent_previous_value := old.permanent_value;
      end if;
      -- Clears a range that was not written along with the new value and does not contain it.
      if regular_changed
        and (new.current_low, new.current_high) is not distinct from (old.current_low, old.current_high)
        and not private.is_within(new.current_value, new.current_low, new.current_high)
      then
        new.current_low := null;
        new.current_high := null;
      end if;
      if permanent_changed
        and (new.permanent_low, new.permanent_high) is not distinct from (old.permanent_low, old.permanent_high)
        and not private.is_within(new.permanent_value, new.permanent_low, new.permanent_high)
      then
        new.permanent_low := null;
        new.permanent_high := null;
      end if;

      insert into public.item_value_changes (
        item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_low, old_high,
        old_checked_at, reason, changed_by, reason_code, evidence_url, picture, changed_as, is_seconded
      )
      select old.id, change.*, old.values_checked_at, reason, changed_by,
        context ->> 'reason_code', context ->> 'evidence_url', context ->> 'picture',
        coalesce(context ->> 'changed_as', case when (select private.is_admin()) then 'admin' end),
        coalesce((context ->> 'is_seconded')::boolean, false)
      from (
        select 'regular', old.current_value, new.current_value, old.previous_value, new.previous_value,
          old.current_low, old.current_high
        where regular_changed
        union all
        select 'permanent', old.permanent_value, new.permanent_value,
          old.permanent_previous_value, new.permanent_previous_value, old.permanent_low, old.permanent_high
        where permanent_changed
      ) as change;

      -- A check changes only values_checked_at, which only checks may write; it does not count as an edit.
      if restored_check is not null then
        new.values_checked_at := restored_check;
      elsif regular_changed or permanent_changed then
        new.values_checked_at := now();
      elsif new.values_checked_at is distinct from old.values_checked_at then
        new.updated_at := old.updated_at;
        return new;
      end if;
      new.change_reason := null;
      new.updated_at := now();
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.forbidden_word_in_name (
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
      -- Three or more digits in a row are not read as letters: 6455 is not a word.
      from unnest(array[username, translate(regexp_replace(username, '[0-9]{3,}', '_', 'g'), '013457', 'oieast')]) as spelling
    )
    select meaning from (
      select words.meaning from pieces, unnest(list) as piece, private.known_words as words
      where words.word = piece and words.kind = 'unsaid'
      union all
      select private.meaning_of_pieces(list) from pieces
    ) as found where meaning in ('foulword', 'kys', 'elsewhere') limit 1
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
      -- Nothing to log if the account itself was deleted.
      if person is null or person = auth.uid() then
        return null;
      end if;
      -- A sanction logs its own removal.
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
      -- No unused combination was found, or the email address contains all the words.
      return 'Trader' || substr(md5(random()::text), 1, 12);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.has_recent_sign_in (
  claims jsonb
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select claims ->> 'client_id' is null and exists (
      select from auth.sessions
      where id::text = claims ->> 'session_id' and user_id::text = claims ->> 'sub'
    ) and exists (
      select from jsonb_array_elements(claims -> 'amr') as proof
      where (proof ->> 'timestamp')::numeric > extract(epoch from now() - interval '10 minutes')
    ) and (
      claims ->> 'aal' = 'aal2'
      or not exists (
        select from auth.mfa_factors where user_id::text = claims ->> 'sub' and status = 'verified'
      )
    )
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
      -- Catalogue drawings may stay.
      update public.profiles set avatar_url = null where id = person and avatar_url like '/storage/%';
      if renames then
        update public.profiles set username = private.generate_username('') where id = person;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.holds_link (
  value text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select private.joined_text(value) ~ concat_ws('|',
      '(https?|hxxps?|ftp)\s*:?\s*/',
      '\mwww\s*[.,]\s*\w',
      '\m[0-9]{1,3}([.][0-9]{1,3}){3}\M',
      -- No sentence begins with these words.
      '[a-z0-9-]\s?[.,]\s?(com|org|xyz)\M',
      -- These may begin a sentence: 'fine. online now', 'ty. gg'.
      '[a-z0-9-][.](net|info|biz|io|co|uk|de|fr|ru|br|pl|nl|tv|app|dev|link|site|shop|store|online|club|live|website|zip)\M',
      '[a-z0-9-]{3,}[.]gg\M',
      '\m(discord|disc|dsc)\s*[.,/]?\s*gg\M|\mdiscord(app)?\s*[.,]?\s*com\M',
      -- An invite link without its domain: the code contains a digit, unlike 'gg/wp'.
      '\mgg\s?/\s?(?=[a-z]*[0-9])[a-z0-9]{5,}',
      '\m(youtu\s?[.]\s?be|bit\s?[.]\s?ly|wa\s?[.]\s?me|tinyurl|linktr\s?[.]?\s?ee)\M',
      '\mt\s?[.]\s?me\s?/',
      -- Handles on other platforms: 'ana#1234', 'discord: ana', 'my insta is ana_05'.
      '[a-z0-9_.]{2,}#[0-9]{4}\M',
      '\m(discord|disc|snap|snapchat|insta|instagram|tiktok|telegram|whatsapp|kik|skype|wechat)\s*(name|user|username|tag|id)?\s*[:=@]+\s*[a-z0-9_.]{3,}',
      '\m(discord|disc|dc|snap|sc|snapchat|insta|instagram|ig|tiktok|telegram|whatsapp|kik|skype|wechat)\s+(name\s+|user\s+|username\s+|tag\s+|id\s+)?is\s+@?(?=[a-z.]*[0-9_])[a-z0-9_.]{3,}'
    )
  $function$;

CREATE OR REPLACE FUNCTION private.is_anonymous_or_application()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select private.is_application()
      or exists (select from auth.users where id = (select auth.uid()) and is_anonymous)
  $function$;

CREATE OR REPLACE FUNCTION private.is_chat_participant (
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

CREATE OR REPLACE FUNCTION private.is_proposal_current (
  proposal public.value_proposals
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select there is not distinct from (proposal).old_value or private.is_range((proposal).field) and there is null
    from (
      select nullif(to_jsonb(items) ->> (proposal).field, '') from public.items where id = (proposal).item_id
    ) as held (there)
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
      everyday record;
      found record;
      is_empty boolean;
      names_address boolean;
      words text[];
      are_trade boolean[];
      -- '1 000 000' is one number.
      value constant text := regexp_replace(written, '(?<=[0-9]) (?=000(?![0-9]))', ',', 'g');
    begin
      -- One character may expand to a whole sentence: a thousand U+FDFA become eighteen thousand letters.
      if octet_length(value) > char_length(value) and char_length(normalize(value, nfkd)) > 4 * char_length(value) + 100 then
        verdict.refusal := 'Please write with letters: too many signs of this text stand for whole words';
        return verdict;
      end if;
      read := private.read_parts(value);
      if read.ats is null then
        verdict.shown := value;
        return verdict;
      end if;
      if 'unsaid' = any (read.kinds) then
        everyday := private.mark_everyday_words(read.ats, read.gaps, read.chunks, read.parts, read.kinds, read.meanings);
        read.kinds := everyday.kinds;
        read.meanings := everyday.meanings;
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
      -- Hidden text is refused if there is a reason to tell the user. Runs of 100 non-space characters are skipped: they are
      -- not addresses, and would take these expressions seconds.
      names_address := verdict.hidden is not null and value !~ '\S{100}';
      verdict.refusal := case
        when names_address and private.holds_email_address(value) then 'Email addresses are not allowed here'
        when names_address and private.holds_link(value) then 'Links are not allowed here'
        when private.holds_parted_dot(value) then 'Links are not allowed here'
        when found.may_be_number then 'Phone numbers are not allowed here'
        else coalesce(
          private.find_harm(coalesce(words, '{}'), are_trade),
          case when verdict.hidden is not null then private.find_harm(array[private.meaning_of_pieces(found.pieces)], '{false}') end,
          case when is_empty then 'Please use words that the site knows: none of this text could be shown' end
        )
      end;
      return verdict;
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
      -- Generated columns are not yet computed in the new row.
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
        -- Combining marks, and zero-width and invisible characters.
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

CREATE OR REPLACE FUNCTION private.limit_avatars()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      sender constant uuid := private.lock_file_owner(new.name);
      -- The current picture, its replacement, and leftovers of dropped connections.
      most constant integer := 4;
    begin
      if (select count(*) from storage.objects
        where bucket_id = new.bucket_id and starts_with(name, sender::text || '/') and not private.is_evidence(name)) > most then
        raise exception using errcode = '42501', message = format('There is room for %s pictures per person', most);
      end if;
      if new.bucket_id = 'avatar-uploads' then
        delete from private.sent_avatars
          where person = sender and sent_at < now() - interval '7 days';
        insert into private.sent_avatars (name, person) values (new.name, sender) on conflict (name) do nothing;
        if not found then
          raise exception using errcode = '42501', message = 'A picture that was sent is not replaced';
        end if;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.limit_change_uploads()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      own constant text := private.lock_file_owner(new.name)::text || '/';
      most constant integer := 20;
    begin
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects as left_behind
        where bucket_id = 'change-uploads' and starts_with(left_behind.name, own)
          and left_behind.created_at < now() - interval '1 day'
          and not exists (select from private.list_proposals_with_picture(left_behind.name));
      if (select count(*) from storage.objects where bucket_id = 'change-uploads' and starts_with(name, own)) > most then
        raise exception using
          errcode = '42501', message = format('%s pictures of yours wait already: let somebody look at them first', most);
      end if;
      -- Otherwise the owner could swap the file after a reviewer looked at it and before the approval.
      if exists (select from public.value_proposals where picture = split_part(new.name, '/', 2)) then
        raise exception using errcode = '42501', message = 'A picture that was sent is not replaced';
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.limit_rate (
  person  uuid,
  what    text,
  most    integer,
  span    interval,
  refusal text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      recent timestamptz[];
    begin
      insert into private.paces as pace (user_id, act, done_at) values (person, what, '{}')
        on conflict (user_id, act) do update set done_at = pace.done_at
        returning array(select at from unnest(done_at) as at where at > clock_timestamp() - span order by at) into recent;
      if cardinality(recent) >= most then
        raise exception using
          errcode = 'PT429', message = refusal,
          hint = ceil(extract(epoch from recent[1] + span - clock_timestamp()))::text;
      end if;
      update private.paces set done_at = recent || clock_timestamp()
        where user_id = person and act = what;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.limit_renames()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      -- A rename that a moderator required does not count.
      if new.id = (select auth.uid()) and not private.must_choose_name(new.id) then
        perform private.count_daily_act(
          new.id, 'rename', 3, 'You can change your username 3 times a day. Please try again tomorrow.'
        );
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.limit_saved_trades()
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
      -- Serializes concurrent saves, so that each is counted.
      perform pg_advisory_xact_lock(hashtextextended('trades/' || person, 0));
      if (select count(*) from public.trade_history where user_id = person) > most then
        raise exception using
          errcode = 'check_violation',
          message = 'You can keep up to 5000 saved trades: delete one to save another';
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.list_proposals_with_picture (
  file text
)
  RETURNS SETOF public.value_proposals
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select * from public.value_proposals
    where picture = split_part(file, '/', 2) and proposed_by::text = split_part(file, '/', 1)
      and state not in ('rejected', 'withdrawn')
  $function$;

CREATE OR REPLACE FUNCTION private.lock_file_owner (
  name text
)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := private.owner_of_avatar(name);
    begin
      perform pg_advisory_xact_lock(hashtextextended('files/' || person::text, 0));
      if not exists (select from public.profiles where id = person) then
        raise exception using errcode = '42501', message = 'There is no such person';
      end if;
      return person;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.lookalike_key (
  username text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select replace(replace(translate(lower(username), '01i5_', 'olls'), 'rn', 'm'), 'vv', 'w')
  $function$;

CREATE OR REPLACE FUNCTION private.looks_like_admin (
  person   uuid,
  username text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.user_roles
      join public.profiles on profiles.id = user_roles.user_id
      where user_roles.user_id <> person
        and private.lookalike_key(profiles.username) = private.lookalike_key(looks_like_admin.username)
    ) or exists (
      select from public.editor_names
      where editor_names.user_id <> person
        and private.lookalike_key(editor_names.name) = private.lookalike_key(looks_like_admin.username)
    )
  $function$;

CREATE OR REPLACE FUNCTION private.mark_as_restore()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not exists (select from public.archived_items where id = new.row_id) then
        return new;
      elsif new.table_name = 'items' then
        new.act := 'restore';
        return new;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.mark_everyday_words (
  ats    bigint[],
  gaps   text[],
  chunks text[],
  parts  text[],
  INOUT  kinds text[],
  INOUT  meanings text[]
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    declare
      line text := ' | ';
      -- The index in `parts` of each word of the line; 0 for a sentence end.
      places integer[] := '{0}';
      phrase record;
      token text;
      number integer;
      is_inside boolean;
      shown integer[] := '{}';
      items constant text[] := array(select word from private.known_words where word = any (parts) and language = 'items' and kind = 'trade');
    begin
      for i in 1 .. cardinality(parts) loop
        if i > 1 and ats[i] <> ats[i - 1] and (gaps[i] ~ '\n' or chunks[i - 1] ~ '[.,;:!?)]$') then
          line := line || '| ';
          places := places || 0;
        end if;
        continue when kinds[i] is null;
        -- Item names may be ordinary words too, such as dough.
        line := line || case when parts[i] = any (items) then '+' when kinds[i] = 'trade' then '=' else '' end || regexp_replace(parts[i], '([a-z])\1{2,}', '\1', 'g') || ' ';
        places := places || i;
      end loop;
      line := line || '| ';
      for phrase in
        select pattern from private.everyday_phrases
        where keys && string_to_array(translate(line, '=+', ''), ' ')
      loop
        number := 0;
        is_inside := false;
        foreach token in array string_to_array(btrim(regexp_replace(line, phrase.pattern, '<\&>', 'g')), ' ') loop
          number := number + 1;
          is_inside := case when token like '%<%' then true when token like '>%' then false else is_inside end;
          if is_inside then shown := shown || places[number]; end if;
        end loop;
      end loop;
      foreach number in array shown loop
        if kinds[number] = 'unsaid' then
          kinds[number] := 'word';
          meanings[number] := '~' || parts[number];
        end if;
      end loop;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.note_change_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      pictured uuid;
    begin
      if tg_op = 'UPDATE' then
        insert into public.change_pictures (name) values (new.name) on conflict do nothing;
        select item_id into pictured from private.list_proposals_with_picture(old.name) limit 1;
      else
        delete from public.change_pictures where name = old.name and old.bucket_id = 'change-pictures';
        select item_id into pictured from public.value_proposals
          where picture = substring(old.name from '[^/]+$') and proposed_by is distinct from (select auth.uid()) limit 1;
        if not found or pg_trigger_depth() > 1 or not private.is_editor() then
          return null;
        end if;
      end if;
      insert into public.admin_acts (admin_id, act, table_name, row_id, title)
      values ((select auth.uid()), lower(tg_op), 'change_pictures', pictured,
        (select name from public.items where id = pictured));
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.notify_full_account()
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

CREATE OR REPLACE FUNCTION private.notify_role_change()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform pg_notify('realtime_rights', coalesce(new.user_id, old.user_id)::text);
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.parse_value_text (
  value text
)
  RETURNS numeric
  LANGUAGE plpgsql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    declare
      parts text[];
      number numeric;
    begin
      -- Fast path for the usual spelling, since catalogue lists parse thousands of values.
      if value ~ '^[0-9]{1,15}(\.[0-9]{1,6})?[KMBT]?$' then
        return trim_scale(rtrim(value, 'KMBT')::numeric
          * case right(value, 1) when 'K' then 1e3 when 'M' then 1e6 when 'B' then 1e9 when 'T' then 1e12 else 1 end);
      end if;
      -- No column holds more than 20 characters, so longer text need not be parsed.
      if char_length(value) > 400 then
        return null;
      end if;
      parts := regexp_match(
        private.trim_text(value),
        '^((?:[0-9]{1,3}(?:[, \u00a0\u202f][0-9]{3})+|[0-9]+)?(?:\.[0-9]+)?)[ \u00a0\u202f]*([KMBTkmbt])?$'
      );
      if parts is null or parts[1] = '' then
        return null;
      end if;
      number := regexp_replace(parts[1], '[, \u00a0\u202f]', '', 'g')::numeric
        * case lower(parts[2]) when 'k' then 1e3 when 'm' then 1e6 when 'b' then 1e9 when 't' then 1e12 else 1 end;
      -- Larger numbers are infinite in JavaScript.
      return case when number < 1.7976931348623158e308 then trim_scale(number) end;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.publish_set (
  set_id uuid,
  person uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      changed text[] := '{}';
      proposal record;
      count integer := 0;
    begin
      for proposal in
        select held.id, items.name from public.value_proposals as held join public.items on items.id = held.item_id
        where held.set_id = publish_set.set_id and held.state = 'approved'
        order by private.write_order(held.field, held.old_value, held.new_value), held.id
      loop
        count := count + 1;
        if not private.write_proposal(proposal.id, publish_set.set_id) then
          changed := changed || proposal.name;
        end if;
      end loop;
      if cardinality(changed) > 0 then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by someone else in the meantime: %s', left(array_to_string(changed, ', '), 300)),
          hint = 'Nothing was published. Take these out of the set, or draft them again.';
      elsif count = 0 then
        raise exception using errcode = 'PT409', message = 'This set has no values to publish';
      end if;
      update public.value_sets set
        state = 'published', published_at = now(), published_by = person, fault = null
      where id = publish_set.set_id;
    end
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
          -- No word is longer, and backreferences take seconds on long runs.
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
          -- 'sh1t', 'fuuck', 'd1sc0rd': only unknown words are read as disguised ones.
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
          when is_mention and private.is_chat_participant(substr(chunk, 2)) then 'mention'
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
      ignored constant text[] := coalesce(tg_argv, '{}');
      before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - ignored end;
      after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - ignored end;
      known constant jsonb := coalesce(before, after);
      whole constant jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
    begin
      if tg_table_name <> 'user_roles' and not private.is_moderator() and not private.is_editor()
        and auth.role() is distinct from 'service_role' then
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
        -- Checks are logged under their item.
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
          and private.lookalike_key(removed) = private.lookalike_key(new.username)
      ) then
        raise exception using errcode = 'check_violation', message = 'This username is not allowed';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_silenced()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      silence public.chat_silences;
    begin
      select user_id, until, reason into silence.user_id, silence.until, silence.reason
        from public.chat_silences where user_id = new.user_id and until > now();
      if silence.user_id is not null and row_security_active('public.chat_messages') then
        raise exception using
          errcode = 'PT403', message = private.silence_message(silence), detail = silence.until::text;
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.reinsert_rows (
  place regclass,
  kept  jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      columns constant text := (
        select string_agg(quote_ident(attname), ', ') from pg_catalog.pg_attribute
        where attrelid = place and attnum > 0 and not attisdropped and attgenerated = '' and kept -> 0 ? attname
      );
    begin
      if jsonb_array_length(kept) > 0 then
        execute format(
          'insert into %s (%s) overriding system value select %2$s from jsonb_populate_recordset(null::%1$s, $1)',
          place, columns
        ) using kept;
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
      -- Hosted projects refuse to delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      if tg_op = 'DELETE' then
        delete from storage.objects
        where bucket_id in ('avatars', 'avatar-uploads') and starts_with(name, old.id::text || '/');
      else
        delete from storage.objects
        where bucket_id = 'avatars' and name = substring(old.avatar_url from '/avatars/(.+)$')
          -- Kept as evidence until the report is resolved.
          and not private.is_evidence(name);
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.remove_item_image()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      file constant text := substring(old.image_url from '/storage/v1/object/public/item-images/([^?#]+)$');
    begin
      if file is null
        or exists (select from public.items where image_url = old.image_url)
        or exists (select from public.archived_items where image_url = old.image_url) then
        return null;
      end if;
      -- Hosted projects refuse to delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'item-images' and name = file;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.remove_refused_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects
        where bucket_id = 'change-uploads' and name = new.proposed_by::text || '/' || new.picture
          and not exists (select from private.list_proposals_with_picture(name));
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
      -- Hosted projects refuse to delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'avatar-uploads' and starts_with(name, new.child_id::text || '/');
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_age_group (
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
      if (standing = 'unasked' or standing = 'child' and not admits_children) and not private.is_anonymous_or_application() then
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

CREATE OR REPLACE FUNCTION private.require_chosen_name (
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

CREATE OR REPLACE FUNCTION private.require_free_writing (
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
      if standing <> 'free' and not private.is_anonymous_or_application() then
        raise exception using errcode = 'PT403', message = private.standing_message(standing), detail = standing;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.resembles_operator (
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
        -- Splits 'ModTeam', 'mod_team' and 'MOD7' into words.
        regexp_split_to_array(
          lower(regexp_replace(username, '([a-z])([A-Z])', '\1 \2', 'g')), '[^a-z]+'
        ) as words
    )
    select replace(plain, '_', '') ~ 'admin(?!ton)|moderat|officiai|robiox|robiux|buiiderman|gamerrobot|ripindra|^indra|indra$|bioxfruit|deveioper'
      or words && '{mod,mods,staff,support,dev,devs,owner,official,system,helper}'
      or replace(plain, '_', '') ~ '^(the|reai)?(mod|staff|support|system|owner|anonymous)s?[0-9oieastbg]*$'
    from read
  $function$;

CREATE OR REPLACE FUNCTION private.resembles_site_name (
  username text
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
          select case
            when char_length(site) >= 6 then position(site in private.letters_as_read(username)) > 0
            else site <> '' and site = private.letters_as_read(username)
          end
          from (select private.letters_as_read(site_name) as site from private.settings) as settings
        ),
        false
      )
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
      -- Asterisks within a word stand for letters that readers fill in.
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
      -- The auth service cannot parse infinity, nor years beyond 9999.
      update auth.users set banned_until = case when until < 'infinity' then until when until = 'infinity' then '9999-01-01' end
        where id = person;
      if until > now() then
        delete from auth.sessions where user_id = person;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.settle_trade()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      yours record;
      theirs record;
    begin
      -- Imported records keep their totals, which were computed from the values of their day. Only the owner and
      -- servers with the secret key can import; totals of client writes are always computed here.
      if not row_security_active('public.trade_history')
        and private.is_older_side(new.your_items) and private.is_older_side(new.their_items) then
        new.version := 0;
        return new;
      end if;

      yours := private.settle_side('your_items', new.your_items);
      theirs := private.settle_side('their_items', new.their_items);
      new.version := 1;
      new.your_items := yours.settled;
      new.their_items := theirs.settled;
      new.your_total := yours.total;
      new.their_total := theirs.total;
      new.has_unpriced := yours.has_unpriced or theirs.has_unpriced;
      -- Only the owner may set the trade partner.
      new.trade_partner_email := case
        when new.user_id = (select auth.uid()) then nullif(private.trim_text(new.trade_partner_email), '')
      end;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.silence_message (
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

CREATE OR REPLACE FUNCTION private.skip_deleted_updates()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if exists (select from public.archived_items where id = new.item_id)
        and not exists (select from public.game_updates where id = new.update_id) then
        return null;
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.skip_known_values()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      return case when exists (select from public.archived_items where id = new.item_id) then null else new end;
    end
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
        perform private.limit_rate(
          message.user_id, 'chat message', 5, interval '10 seconds',
          'You are sending messages too fast: at most 5 in 10 seconds'
        );
        message.created_at := clock_timestamp();
      end if;
      return message;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.standing_message (
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

CREATE OR REPLACE FUNCTION private.submit_set (
  set_id uuid
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    begin
      perform from public.items
        where id in (select item_id from public.value_proposals as held where held.set_id = submit_set.set_id)
        order by id for update;
      update public.value_proposals as held
        set why = private.find_review_reason(held.proposed_by, items, held.field, held.new_value)
        from public.items
        where items.id = held.item_id and held.set_id = submit_set.set_id and held.decided_by is null
          and held.state in ('draft', 'waiting', 'approved');
      update public.value_proposals as held set state = case when why is null then 'approved' else 'waiting' end
        where held.set_id = submit_set.set_id and held.decided_by is null and held.state in ('draft', 'waiting', 'approved');
      return (
        select count(*) from public.value_proposals as held
        where held.set_id = submit_set.set_id and held.state = 'waiting'
      );
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
      -- Lifted within ten minutes, it was a mistake: reopen the reports. Later, keep them resolved, without action.
      update public.reports
        set resolved_at = case when new.created_at < now() - interval '10 minutes' then resolved_at end,
          outcome = 'nothing'
        where sanction_id = new.id;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.write_order (
  field     text,
  old_value text,
  new_value text
)
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
    select case
      when not private.is_range(field) then 2
      when new_value is null then 1
      when old_number is null then 3
      when (new_number < old_number) = (field like '%\_low') then 1
      else 3
    end
    from (select private.parse_value_text(old_value), private.parse_value_text(new_value)) as numbers (old_number, new_number)
  $function$;

CREATE OR REPLACE FUNCTION private.write_proposal (
  proposal_id bigint,
  into_set    uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      wanted public.value_proposals;
      item public.items;
      written text[];
      earlier jsonb;
      kept jsonb;
      broken text;
    begin
      select * into wanted from public.value_proposals where id = proposal_id for update;
      select * into item from public.items where id = wanted.item_id for update;
      if not private.is_proposal_current(wanted) then
        return false;
      end if;
      earlier := to_jsonb(item);
      perform set_config('private.change_context', jsonb_build_object(
        'changed_by', wanted.proposed_by, 'changed_as', wanted.proposed_as, 'reason_code', wanted.reason_code,
        'evidence_url', wanted.evidence_url, 'picture', wanted.picture, 'is_seconded', wanted.decided_by is not null
      )::text, true);
      begin
        execute format('update public.items set %I = $1, change_reason = $2 where id = $3 returning *', wanted.field)
          into item using wanted.new_value, nullif(wanted.note, ''), wanted.item_id;
      exception
        when check_violation then
          get stacked diagnostics broken = constraint_name;
          if broken not like 'items\_%' then
            raise;
          end if;
          raise exception using errcode = 'PT422', message = case when broken like '%\_is\_within\_its\_range'
            then 'The value would not lie between its lowest and highest' else 'The database refused it' end;
      end;
      perform set_config('private.change_context', '', true);
      written := array[wanted.field] || case wanted.field
        when 'current_value' then '{previous_value}'
        when 'permanent_value' then '{permanent_previous_value}'
        else '{}'
      end::text[];
      -- private.follow_item clears a range that does not contain the new value.
      if cardinality(written) > 1 then
        written := written || array(
          select key from jsonb_each(to_jsonb(item)) where private.is_range(key) and value <> earlier -> key);
      end if;
      kept := (
        select jsonb_object_agg(key, value) from jsonb_each(earlier)
        where key = any (written) or key = 'values_checked_at' and cardinality(written) > 1
      );
      update public.value_proposals set
        state = 'published', published_at = now(), set_id = into_set, before = kept,
        after = (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(item)) where key = any (written))
      where id = proposal_id;
      return true;
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
      update public.user_ratings set answer = said, answered_at = coalesce(answered_at, now())
        where id = rating_id and rated_user_id = (select auth.uid()) and (said is null or answered_at is null);
      if not found then
        raise exception using errcode = 'PT404', message = 'This rating is gone, or you answered it already';
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.approve_proposals (
  ids  bigint[],
  note text     DEFAULT NULL::text
)
  RETURNS TABLE (
    id      bigint,
    outcome text,
    set_id  uuid,
    why     text
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      person constant uuid := (select auth.uid());
      set_of_call constant uuid := gen_random_uuid();
      proposal public.value_proposals;
    begin
      perform private.require_second_person();
      insert into public.value_sets (id, state, created_by, published_at, published_by)
      values (set_of_call, 'published', person, now(), person);
      for proposal in
        select held.* from private.lock_proposals(approve_proposals.ids) as held
        order by private.write_order(held.field, held.old_value, held.new_value), held.id
      loop
        id := proposal.id;
        set_id := proposal.set_id;
        why := null;
        if proposal.state <> 'waiting' then
          outcome := 'decided';
        elsif proposal.proposed_by = person then
          outcome := 'own';
        elsif not private.is_proposal_current(proposal) then
          outcome := 'changed_meanwhile';
        else
          begin
            update public.value_proposals set
              state = 'approved', decided_by = person, decided_at = now(),
              decision_note = nullif(private.trim_text(approve_proposals.note), '')
            where value_proposals.id = proposal.id;
            outcome := 'approved';
            if proposal.set_id is null then
              perform private.write_proposal(proposal.id, set_of_call);
              outcome := 'published';
              set_id := set_of_call;
            end if;
          exception
            when sqlstate 'PT422' then
              outcome := 'refused';
              why := sqlerrm;
          end;
        end if;
        return next;
      end loop;
      delete from public.value_sets as unused where unused.id = set_of_call
        and not exists (select from public.value_proposals as used where used.set_id = set_of_call);
      return query
        select asked, 'gone', null::uuid, null::text from unnest(approve_proposals.ids) as asked
        where not exists (select from public.value_proposals as there where there.id = asked);
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
      if person is null or private.is_anonymous_or_application() or private.owes_second_factor() then
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
      if me is null or private.owes_second_factor() or private.is_anonymous_or_application() then
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
        -- A confirmation mail, so that the parent notices if someone else allowed it.
        perform private.mail_parent(child, 'allowed');
      elsif private.is_child(child) then
        perform private.hide_child(child, renames => answer = 'withdrawn');
      end if;
      return answer;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.delete_own_account()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not private.has_recent_sign_in(auth.jwt()) then
        raise exception using
          errcode = 'PT403', message = 'Please log in again first: deleting an account needs a fresh sign-in';
      end if;
      delete from auth.users where id = (select auth.uid());
    end
  $function$;

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

      -- Locked in id order, so that concurrent imports cannot deadlock.
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
          rarity = change.rarity, demand = change.demand,
          -- Clients that predate statuses do not send them.
          status = case when element ? 'status' then change.status else items.status end,
          type = change.type, is_permanent = change.is_permanent,
          current_value = change.current_value,
          -- The file has whole items: a previous value left unchanged there is replaced by the old value.
          previous_value = case
            when change.previous_value = items.previous_value
              and private.parse_value_text(change.current_value) is distinct from items.current_value_number
            then items.current_value else change.previous_value end,
          permanent_value = change.permanent_value,
          permanent_previous_value = case
            when change.permanent_previous_value is not distinct from items.permanent_previous_value
              and private.parse_value_text(change.permanent_value) is distinct from items.permanent_value_number
            then items.permanent_value else change.permanent_previous_value end,
          current_low = change.current_low, current_high = change.current_high,
          permanent_low = change.permanent_low, permanent_high = change.permanent_high,
          beli_price = change.beli_price, robux_price = change.robux_price, custom_fields = change.custom_fields,
          change_reason = import_items.reason
        from jsonb_array_elements(changes) as element, jsonb_populate_record(null::public.items, element) as change
        where items.id = change.id
        returning items as item
      )
      select array_agg(item) into changed from changed as done;

      with added as (
        insert into public.items (
          name, slug, aliases, category_id, image_url, rarity, demand, status, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high,
          beli_price, robux_price, custom_fields, change_reason
        )
        select
          name, slug, coalesce(aliases, ''), category_id, image_url, rarity, demand, status, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high,
          beli_price, robux_price, custom_fields, import_items.reason
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

CREATE OR REPLACE FUNCTION public.list_changes (
  of_kind     text    DEFAULT NULL::text,
  item_like   text    DEFAULT NULL::text,
  of_category text    DEFAULT NULL::text,
  of_mode     text    DEFAULT NULL::text,
  of_size     numeric DEFAULT NULL::numeric,
  before      text    DEFAULT NULL::text,
  most        integer DEFAULT 50
)
  RETURNS TABLE (
    kind           text,
    id             bigint,
    mode           text,
    old_value      text,
    new_value      text,
    change_percent numeric,
    reason         text,
    reason_label   text,
    changed_at     timestamp with time zone,
    evidence_url   text,
    changed_as     text,
    is_seconded    boolean,
    editor_name    text,
    picture        text,
    item_name      text,
    item_slug      text,
    item_image     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  ROWS 50
  SET search_path TO ''
  AS $function$
    with start as (
      select found.changed_at, found.source, substring(before from '\d{1,15}$')::bigint as id
      from (
        -- A change that was deleted with its item is replaced by the one before it.
        (
          select change.changed_at, 'value' as source from public.item_value_changes as change
          where change.id <= substring(before from '^\d{1,15}$')::bigint order by change.id desc limit 1
        )
        union all
        (
          select change.changed_at, 'demand' from public.item_demand_changes as change
          where change.id <= substring(before from '^d(\d{1,15})$')::bigint order by change.id desc limit 1
        )
      ) as found
    ),
    wanted as (
      select items.id, items.name, items.slug, items.image_url from public.items
      where (item_like is null or position(lower(item_like) in lower(items.name)) > 0)
        and (of_category is null or items.category_id = (select categories.id from public.categories where slug = of_category))
    ),
    made as (
      (
        select 'value' as kind, 'value' as source, change.id, change.mode, change.old_value, change.new_value,
          change.change_percent, change.reason, change.reason_code, change.changed_at, change.evidence_url,
          change.changed_as, change.is_seconded, change.changed_by, change.picture, wanted.name, wanted.slug, wanted.image_url
        from public.item_value_changes as change join wanted on wanted.id = change.item_id
        -- Readings that confirmed the same value are not changes.
        where coalesce(change.change_percent <> 0, true)
          and coalesce(of_kind = 'value', true)
          and (of_mode is null or change.mode = of_mode)
          and (of_size is null or abs(change.change_percent) >= of_size)
          and change.changed_at <= coalesce((select start.changed_at from start), 'infinity')
          and (before is null or (change.changed_at, 'value', change.id)
            < (select start.changed_at, start.source, start.id from start))
        order by change.changed_at desc, change.id desc limit least(greatest(most, 0), 1000)
      )
      union all
      (
        select change.kind, 'demand', change.id, null, change.old_word, change.new_word, null, change.reason,
          change.reason_code, change.changed_at, change.evidence_url, change.changed_as, change.is_seconded,
          change.changed_by, change.picture, wanted.name, wanted.slug, wanted.image_url
        from public.item_demand_changes as change join wanted on wanted.id = change.item_id
        where of_mode is null and of_size is null and coalesce(of_kind = change.kind, true)
          and not exists (
            select from public.page_configurations
            where page_name = 'fruit_detail' and not 'demand' = any (visible_fields)
          )
          and change.changed_at <= coalesce((select start.changed_at from start), 'infinity')
          and (before is null or (change.changed_at, 'demand', change.id)
            < (select start.changed_at, start.source, start.id from start))
        order by change.changed_at desc, change.id desc limit least(greatest(most, 0), 1000)
      )
    )
    select made.kind, made.id, made.mode, made.old_value, made.new_value, made.change_percent, made.reason,
      chosen.label, made.changed_at, made.evidence_url, made.changed_as, made.is_seconded, editor_names.name,
      shown.name, made.name, made.slug, made.image_url
    from made
    left join public.value_reasons as chosen on chosen.code = made.reason_code
    left join public.editor_names on editor_names.user_id = made.changed_by
    left join public.change_pictures as shown on shown.name = made.picture
    order by made.changed_at desc, made.source desc, made.id desc limit least(greatest(most, 0), 1000)
  $function$;

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
      and not (select private.is_anonymous_or_application())
  $function$;

CREATE OR REPLACE FUNCTION public.list_known_words (
  known_version text DEFAULT NULL::text
)
  RETURNS TABLE (
    version   text,
    words     text,
    often     text,
    sometimes text
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      version := md5(
        (select string_agg(language || checksum || loaded_at, ',' order by language) from private.vocabularies)
        -- These languages have no file checksum, so their words are hashed.
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
        select coalesce(string_agg(distinct key, ' ' order by key), '') into sometimes
          from private.everyday_phrases as everyday, unnest(everyday.keys) as key;
      end if;
      return next;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.list_own_reports()
  RETURNS TABLE (
    id          uuid,
    kind        text,
    code        text,
    subject_id  uuid,
    evidence    text,
    reason      text,
    sent_at     timestamp with time zone,
    created_at  timestamp with time zone,
    resolved_at timestamp with time zone,
    outcome     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select id, kind, code, subject_id, evidence, reason, sent_at, created_at, resolved_at, outcome
    from public.reports
    where reporter_id = (select auth.uid()) and not private.owes_second_factor() and not private.is_anonymous_or_application()
    order by created_at desc, id
  $function$;

CREATE OR REPLACE FUNCTION public.list_traders (
  search text    DEFAULT ''::text,
  sort   text    DEFAULT 'name'::text,
  page   integer DEFAULT 1
)
  RETURNS TABLE (
    id             uuid,
    username       text,
    avatar_url     text,
    rating_count   integer,
    rating_sum     integer,
    recent_ratings jsonb,
    total          integer
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    declare
      page_size constant integer := 24;
      -- `like`, because the planner can estimate how many names match; `_` is escaped, since names may contain it.
      wanted constant text :=
        '%' || regexp_replace(lower(private.trim_text(coalesce(search, ''))), '([\\%_])', '\\\1', 'g') || '%';
      ordering constant text := case sort
        when 'best' then 'rating_score desc, lower(username)'
        when 'most' then 'rating_count desc, lower(username)'
        else 'lower(username)'
      end;
      found_traders bigint;
    begin
      select count(*) into found_traders from public.profiles
        where listed and (wanted = '%%' or lower(profiles.username) like wanted);
      -- Paginates by keys alone, so that neither rows nor ratings of skipped traders are read.
      return query execute format(
        'select id, username, avatar_url, rating_count, rating_sum, private.list_ratings(id, 0, 3), $1
         from public.profiles
         where listed and id = any (array(
           select id from public.profiles
           where listed and ($2 = ''%%%%'' or lower(username) like $2)
           order by %s offset $3 limit $4
         ))
         order by %1$s', ordering)
        using found_traders::integer, wanted,
          (private.nearest_page(page, found_traders, page_size) - 1) * page_size, page_size;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.list_waiting_pictures()
  RETURNS TABLE (
    path        text,
    uploaded_at timestamp with time zone,
    uploaded_by uuid,
    changes     integer,
    item_name   text,
    field       text,
    old_value   text,
    new_value   text,
    note        text
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.require_editor();
      return query
        select objects.name, objects.created_at, pictured.proposed_by, pictured.count::integer, items.name, pictured.field,
          pictured.old_value, pictured.new_value, pictured.note
        from storage.objects
        cross join lateral (
          select each.*, count(*) over () as count from private.list_proposals_with_picture(objects.name) as each
          where each.state <> 'draft' order by each.id limit 1
        ) as pictured
        join public.items on items.id = pictured.item_id
        where objects.bucket_id = 'change-uploads'
        order by objects.created_at;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.publish_values (
  cells        jsonb,
  reason_code  text,
  note         text,
  evidence_url text  DEFAULT NULL::text,
  picture      text  DEFAULT NULL::text
)
  RETURNS TABLE (
    item_id uuid,
    field   text,
    outcome text,
    why     text,
    set_id  uuid
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      person constant uuid := (select auth.uid());
      set_of_call constant uuid := gen_random_uuid();
      cell record;
      item public.items;
      wait text;
      proposal bigint;
      checked uuid[] := '{}';
    begin
      perform private.require_editor();
      insert into public.value_sets (id, state, created_by, published_at, published_by)
      values (set_of_call, 'published', person, now(), person);
      for cell in
        select * from private.read_cells(
          publish_values.cells, publish_values.reason_code, publish_values.note, publish_values.evidence_url,
          publish_values.picture) as held
        order by private.write_order(held.field, held.old_value, held.new_value), held.place
      loop
        item_id := cell.item_id;
        field := cell.field;
        outcome := cell.outcome;
        why := cell.fault;
        set_id := null;
        if outcome is null and cell.new_value is not distinct from cell.old_value then
          if not cell.item_id = any (checked) then
            insert into public.item_value_checks (item_id, checked_by) values (cell.item_id, person);
            checked := checked || cell.item_id;
          end if;
          outcome := 'published';
          why := 'still_right';
        elsif outcome is null then
          select * into item from public.items where items.id = cell.item_id;
          wait := private.find_review_reason(person, item, cell.field, cell.new_value);
          begin
            proposal := private.add_proposal(
              null, cell, case when wait is null then 'approved' else 'waiting' end, wait);
            outcome := 'waiting';
            why := wait;
            if wait is null then
              perform private.write_proposal(proposal, set_of_call);
              outcome := 'published';
              set_id := set_of_call;
            end if;
          exception
            when sqlstate 'PT422' then
              outcome := 'refused';
              why := sqlerrm;
          end;
        end if;
        return next;
      end loop;
      delete from public.value_sets as unused where unused.id = set_of_call
        and not exists (select from public.value_proposals as used where used.set_id = set_of_call);
    end
  $function$;

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
      -- The category may have been deleted while the item was archived.
      perform from public.categories where id = (archived.item ->> 'category_id')::uuid for key share;
      if not found then
        archived.item := archived.item || '{"category_id": null}';
      end if;
      if not exists (select from public.status_words where word = archived.item ->> 'status') then
        archived.item := archived.item || '{"status": null}';
      end if;
      begin
        perform private.reinsert_rows('public.items', jsonb_build_array(archived.item));
      exception
        when unique_violation then
          raise exception using
            errcode = 'unique_violation',
            message = format('Another item has the slug %s by now: change that one''s slug, then restore %s',
              archived.slug, archived.name);
      end;
      for place, kept in select * from jsonb_each(archived.records) loop
        perform private.reinsert_rows(place::regclass, kept);
      end loop;
      delete from public.archived_items where id = item_id;
      return query select * from public.items where id = item_id;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.roll_back_value_set (
  set_id uuid,
  note   text DEFAULT NULL::text
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      person constant uuid := (select auth.uid());
      rolled public.value_sets;
      proposal public.value_proposals;
      item public.items;
      stale text;
      count integer := 0;
    begin
      perform private.require_editor();
      rolled := private.lock_set(roll_back_value_set.set_id, '{published}');
      if not private.is_admin() and rolled.published_by is distinct from person then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only admins take back what somebody else published';
      end if;
      perform from public.items
        where id in (select item_id from public.value_proposals as held where held.set_id = rolled.id)
        order by id for update;
      select string_agg(distinct items.name, ', ') into stale
        from public.value_proposals as held join public.items on items.id = held.item_id
        where held.set_id = rolled.id and held.state = 'published' and not to_jsonb(items) @> held.after;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by someone else in the meantime: %s', left(stale, 300)),
          hint = 'Nothing was taken back.';
      end if;
      for proposal in
        select * from public.value_proposals as held
        where held.set_id = rolled.id and held.state = 'published'
        order by private.write_order(held.field, held.old_value, held.new_value) desc, held.id desc
      loop
        select * into item from public.items where id = proposal.item_id;
        perform set_config('private.change_context', jsonb_build_object(
          'changed_by', person, 'changed_as', private.editing_role(person))::text, true);
        perform from private.restore_item(
          jsonb_populate_record(item, proposal.before),
          coalesce(nullif(private.trim_text(roll_back_value_set.note), ''), 'Taken back'));
        update public.value_proposals as held set state = 'rolled_back' where held.id = proposal.id;
        count := count + 1;
      end loop;
      update public.value_sets set state = 'rolled_back', rolled_back_at = now(), rolled_back_by = person
        where id = rolled.id;
      return count;
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
      -- Logs the change without the age group, which not everyone who reads the log needs to know.
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'update', 'age_bands', person, person);
    end
  $function$;

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
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
  $function$;

CREATE TRIGGER notify_full_account
  AFTER UPDATE OF is_anonymous ON auth.users
  FOR EACH ROW
  WHEN ((old.is_anonymous AND (NOT new.is_anonymous)))
  EXECUTE FUNCTION private.notify_full_account();

CREATE TRIGGER admin_acts_mark_as_restore
  BEFORE INSERT ON public.admin_acts
  FOR EACH ROW
  WHEN (((new.act = 'insert'::text) AND (new.table_name = ANY (ARRAY['items'::text, 'item_value_checks'::text]))))
  EXECUTE FUNCTION private.mark_as_restore();

CREATE TRIGGER game_update_items_skip_deleted_updates
  BEFORE INSERT ON public.game_update_items
  FOR EACH ROW
  EXECUTE FUNCTION private.skip_deleted_updates();

CREATE TRIGGER item_value_changes_skip_known_values
  BEFORE INSERT ON public.item_value_changes
  FOR EACH ROW
  WHEN ((pg_trigger_depth() > 0))
  EXECUTE FUNCTION private.skip_known_values();

CREATE TRIGGER trade_history_limit_trades
  AFTER INSERT ON public.trade_history
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.limit_saved_trades();

CREATE TRIGGER notify_role_change
  AFTER INSERT OR DELETE OR UPDATE ON public.user_roles
  FOR EACH ROW
  EXECUTE FUNCTION private.notify_role_change();

CREATE TRIGGER avatars_limit_count
  AFTER INSERT OR UPDATE OF bucket_id, name ON storage.objects
  FOR EACH ROW
  WHEN ((new.bucket_id = ANY (ARRAY['avatars'::text, 'avatar-uploads'::text])))
  EXECUTE FUNCTION private.limit_avatars();

CREATE TRIGGER change_uploads_limit_count
  AFTER INSERT OR UPDATE OF bucket_id, name ON storage.objects
  FOR EACH ROW
  WHEN ((new.bucket_id = 'change-uploads'::text))
  EXECUTE FUNCTION private.limit_change_uploads();

CREATE POLICY "Admins see all entries; moderators see those about users" ON "public"."admin_acts"
  FOR SELECT
  TO "authenticated"
  USING
    ((( SELECT private.is_admin() AS is_admin) OR (( SELECT private.is_moderator() AS is_moderator) AND (table_name = ANY (ARRAY['reports'::text, 'chat_reports'::text,
    'sanctions'::text, 'appeals'::text, 'second_opinions'::text, 'chat_messages'::text, 'chat_silences'::text, 'avatars'::text, 'user_ratings'::text, 'age_bands'::text])))));

CREATE POLICY "Anonymous accounts and applications cannot select" ON "public"."age_bands"
  AS RESTRICTIVE
  FOR SELECT
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Sessions without the second factor cannot select" ON "public"."age_bands"
  AS RESTRICTIVE
  FOR SELECT
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Users see their own age group" ON "public"."age_bands"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Anonymous accounts and applications cannot appeal" ON "public"."appeals"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)))
  WITH CHECK ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Sessions without the second factor have no access" ON "public"."appeals"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)))
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Users appeal their own sanctions" ON "public"."appeals"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((EXISTS ( SELECT
   FROM public.sanctions
  WHERE ((sanctions.id = appeals.sanction_id) AND (sanctions.user_id = ( SELECT auth.uid() AS uid)) AND (sanctions.lifted_at IS NULL)))));

CREATE POLICY "Users see their own appeals; moderators see all" ON "public"."appeals"
  FOR SELECT
  TO "authenticated"
  USING (((EXISTS ( SELECT
   FROM public.sanctions
  WHERE ((sanctions.id = appeals.sanction_id) AND (sanctions.user_id = ( SELECT auth.uid() AS uid))))) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Everybody sees approved pictures" ON "public"."change_pictures"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "Anonymous accounts and applications cannot delete" ON "public"."chat_messages"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Anonymous accounts and applications cannot insert" ON "public"."chat_messages"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Sessions without the second factor cannot delete" ON "public"."chat_messages"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot insert" ON "public"."chat_messages"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot update" ON "public"."chat_messages"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Signed-in users see every message" ON "public"."chat_messages"
  FOR SELECT
  TO "authenticated"
  USING (true);

CREATE POLICY "Users delete their own messages; moderators delete any" ON "public"."chat_messages"
  FOR DELETE
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Users write messages in their own name" ON "public"."chat_messages"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Anonymous accounts and applications have no access to the chat" ON "public"."chat_mutes"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)))
  WITH CHECK ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Sessions without the second factor cannot delete" ON "public"."chat_mutes"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot insert" ON "public"."chat_mutes"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot update" ON "public"."chat_mutes"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Users delete their own mutes" ON "public"."chat_mutes"
  FOR DELETE
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Users mute others for themselves" ON "public"."chat_mutes"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Users see their own mutes" ON "public"."chat_mutes"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Moderators see original texts for a day" ON "public"."chat_originals"
  FOR SELECT
  TO "authenticated"
  USING (((created_at > (now() - '24:00:00'::interval)) AND ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Anonymous accounts and applications cannot delete" ON "public"."chat_reactions"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Anonymous accounts and applications cannot insert" ON "public"."chat_reactions"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Sessions without the second factor cannot delete" ON "public"."chat_reactions"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot insert" ON "public"."chat_reactions"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Signed-in users see every reaction" ON "public"."chat_reactions"
  FOR SELECT
  TO "authenticated"
  USING (true);

CREATE POLICY "Users delete their own reactions" ON "public"."chat_reactions"
  FOR DELETE
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Users react in their own name" ON "public"."chat_reactions"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Admins silence other users" ON "public"."chat_silences"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Users see their own silence; moderators see all" ON "public"."chat_silences"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Everybody writes contact messages where they are stored" ON "public"."contact_messages"
  FOR INSERT
  TO "anon", "authenticated"
  WITH CHECK (( SELECT private.stores_contact_messages() AS stores_contact_messages));

CREATE POLICY "Moderators see deleted messages for a day" ON "public"."deleted_chat_messages"
  FOR SELECT
  TO "authenticated"
  USING (((deleted_at > (now() - '24:00:00'::interval)) AND ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Users see their own public name; editors see all" ON "public"."editor_names"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Staff see notices of their role; admins see all" ON "public"."editor_notices"
  FOR SELECT
  TO "authenticated"
  USING
    ((( SELECT private.is_admin() AS is_admin) OR ((kind = ANY (ARRAY['proposals'::text, 'large_changes'::text, 'stale'::text, 'pictures'::text])) AND ( SELECT private.is_editor()
    AS is_editor)) OR ((kind = 'reports'::text) AND ( SELECT private.is_moderator() AS is_moderator))));

CREATE POLICY "Admins add items to game updates" ON "public"."game_update_items"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins remove items from game updates" ON "public"."game_update_items"
  FOR DELETE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Everybody sees the items of game updates" ON "public"."game_update_items"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "Editors and moderators subscribe to notices by mail" ON "public"."notice_mails"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((user_id = ( SELECT auth.uid() AS uid)) AND (( SELECT private.is_editor() AS is_editor) OR ( SELECT private.is_moderator() AS is_moderator))));

CREATE POLICY "Editors and moderators unsubscribe from notices by mail" ON "public"."notice_mails"
  FOR DELETE
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) AND (( SELECT private.is_editor() AS is_editor) OR ( SELECT private.is_moderator() AS is_moderator))));

CREATE POLICY "Users see their own mail subscription" ON "public"."notice_mails"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Anonymous accounts and applications cannot change profiles" ON "public"."profiles"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Sessions without the second factor cannot delete" ON "public"."profiles"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot insert" ON "public"."profiles"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot update" ON "public"."profiles"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Users change their own profile" ON "public"."profiles"
  FOR UPDATE
  TO "authenticated"
  USING ((id = ( SELECT auth.uid() AS uid)))
  WITH CHECK ((id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Users see listed profiles and their own; moderators see all" ON "public"."profiles"
  FOR SELECT
  TO "authenticated"
  USING ((listed OR (id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Signed-in users see the phrases" ON "public"."quick_phrases"
  FOR SELECT
  TO "authenticated"
  USING (true);

CREATE POLICY "Anonymous accounts and applications cannot report" ON "public"."reports"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)))
  WITH CHECK ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Sessions without the second factor have no access" ON "public"."reports"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)))
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Users report in their own name" ON "public"."reports"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((reporter_id = ( SELECT auth.uid() AS uid)) AND (kind <> 'refusals'::text)));

CREATE POLICY "Users see their own reports; moderators see all" ON "public"."reports"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.is_moderator() AS is_moderator) OR ((reporter_id = ( SELECT auth.uid() AS uid)) AND ((kind <> 'rating'::text) OR (EXISTS ( SELECT
   FROM public.profiles
  WHERE (profiles.id = reports.reported_user_id)))))));

CREATE POLICY "Anonymous accounts and applications cannot select" ON "public"."sanctions"
  AS RESTRICTIVE
  FOR SELECT
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Sessions without the second factor cannot select" ON "public"."sanctions"
  AS RESTRICTIVE
  FOR SELECT
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Users see their own sanctions; moderators see all" ON "public"."sanctions"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Moderators request a second opinion if there is another one" ON "public"."second_opinions"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((( SELECT private.is_moderator() AS is_moderator) AND (asked_by = ( SELECT auth.uid() AS uid)) AND private.has_other_moderator(user_id)));

CREATE POLICY "Moderators see requests for second opinions" ON "public"."second_opinions"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_moderator() AS is_moderator));

CREATE POLICY "Sessions without the second factor have no access" ON "public"."trade_history"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)))
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Users delete their own trades" ON "public"."trade_history"
  FOR DELETE
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Users save trades in their own name" ON "public"."trade_history"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Users see their own trades" ON "public"."trade_history"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "Anonymous accounts and applications cannot delete" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Anonymous accounts and applications cannot insert" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Anonymous accounts and applications cannot update" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Ratings are visible where the trader and the rater are" ON "public"."user_ratings"
  FOR SELECT
  TO "anon", "authenticated"
  USING (((EXISTS ( SELECT
   FROM public.profiles
  WHERE (profiles.id = user_ratings.rated_user_id))) AND (EXISTS ( SELECT
   FROM public.profiles
  WHERE (profiles.id = user_ratings.rater_id)))));

CREATE POLICY "Sessions without the second factor cannot delete" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot insert" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot update" ON "public"."user_ratings"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Users change their own ratings of listed traders" ON "public"."user_ratings"
  FOR UPDATE
  TO "authenticated"
  USING ((rater_id = ( SELECT auth.uid() AS uid)))
  WITH CHECK (((rater_id = ( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT
   FROM public.profiles
  WHERE ((profiles.id = user_ratings.rated_user_id) AND profiles.listed)))));

CREATE POLICY "Users delete their own ratings; moderators delete any" ON "public"."user_ratings"
  FOR DELETE
  TO "authenticated"
  USING (((rater_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Users rate listed traders in their own name" ON "public"."user_ratings"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((rater_id = ( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT
   FROM public.profiles
  WHERE ((profiles.id = user_ratings.rated_user_id) AND profiles.listed)))));

CREATE POLICY "Users see their own roles; admins see all" ON "public"."user_roles"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_admin() AS is_admin)));

CREATE POLICY "Users see their own proposals; editors see all" ON "public"."value_proposals"
  FOR SELECT
  TO "authenticated"
  USING (((proposed_by = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Admins see requested words" ON "public"."word_requests"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Editors see the items that they skipped" ON "public"."work_skips"
  FOR SELECT
  TO "authenticated"
  USING (((editor_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors skip items in their own name" ON "public"."work_skips"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((editor_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors undo their own skips" ON "public"."work_skips"
  FOR DELETE
  TO "authenticated"
  USING (((editor_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Anonymous accounts and applications have no access to the chat" ON "realtime"."messages"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Everybody may subscribe to the catalogue channel" ON "realtime"."messages"
  FOR SELECT
  TO "anon", "authenticated"
  USING (((EXTENSION = 'broadcast'::text) AND (( SELECT realtime.topic() AS topic) = 'catalogue'::text)));

CREATE POLICY "Sessions may subscribe to their own channel" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING (((EXTENSION = 'broadcast'::text) AND (( SELECT realtime.topic() AS topic) = ('session:'::text || (( SELECT auth.jwt() AS jwt) ->> 'session_id'::text)))));

CREATE POLICY "Sessions without the second factor cannot join the chat" ON "realtime"."messages"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Signed-in users announce their presence in the chat" ON "realtime"."messages"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((extension = 'presence'::text) AND (( SELECT realtime.topic() AS topic) = 'chat'::text) AND (COALESCE(payload, '{}'::jsonb) = '{}'::jsonb)));

CREATE POLICY "Signed-in users see who is in the chat" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING
    (((EXTENSION = 'presence'::text) AND (( SELECT realtime.topic() AS topic) = 'chat'::text) AND (NOT ( SELECT private.is_anonymous_or_application() AS
    is_anonymous_or_application))));

CREATE POLICY "Staff subscribe to the channels of their panels" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING
    (((EXTENSION = 'broadcast'::text) AND starts_with(( SELECT realtime.topic() AS topic), 'admin-'::text) AND (( SELECT private.is_moderator() AS is_moderator) OR ( SELECT
    private.is_editor() AS is_editor))));

CREATE POLICY "A second person approves evidence pictures" ON "storage"."objects"
  FOR UPDATE
  TO "authenticated"
  USING (((bucket_id = 'change-uploads'::text) AND (NOT private.is_own_avatar(name)) AND ( SELECT private.is_second_person() AS is_second_person)))
  WITH CHECK (((bucket_id = 'change-pictures'::text) AND ( SELECT private.is_second_person() AS is_second_person)));

CREATE POLICY "Anonymous accounts and applications cannot delete" ON "storage"."objects"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Anonymous accounts and applications cannot insert" ON "storage"."objects"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Anonymous accounts and applications cannot update" ON "storage"."objects"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.is_anonymous_or_application() AS is_anonymous_or_application)));

CREATE POLICY "Editors see evidence pictures; users see their own uploads" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING
    ((((bucket_id = 'change-uploads'::text) AND private.is_own_avatar(name)) OR ((bucket_id = ANY (ARRAY['change-uploads'::text, 'change-pictures'::text])) AND ( SELECT
    private.is_editor() AS is_editor))));

CREATE POLICY "Editors upload evidence pictures for review" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((bucket_id = 'change-uploads'::text) AND private.is_own_avatar(name) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Moderators approve pictures of others" ON "storage"."objects"
  FOR UPDATE
  TO "authenticated"
  USING (((bucket_id = 'avatar-uploads'::text) AND (NOT private.is_own_avatar(name)) AND ( SELECT private.is_moderator() AS is_moderator)))
  WITH CHECK (((bucket_id = 'avatars'::text) AND (NOT private.is_own_avatar(name)) AND ( SELECT private.is_moderator() AS is_moderator)));

CREATE POLICY "Reviewers delete evidence pictures; users delete their own" ON "storage"."objects"
  FOR DELETE
  TO "authenticated"
  USING
    ((((bucket_id = 'change-uploads'::text) AND private.is_own_avatar(name)) OR ((bucket_id = ANY (ARRAY['change-uploads'::text, 'change-pictures'::text])) AND ( SELECT
    private.is_second_person() AS is_second_person))));

CREATE POLICY "Sessions without the second factor cannot delete" ON "storage"."objects"
  AS RESTRICTIVE
  FOR DELETE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot insert" ON "storage"."objects"
  AS RESTRICTIVE
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Sessions without the second factor cannot update" ON "storage"."objects"
  AS RESTRICTIVE
  FOR UPDATE
  TO "authenticated"
  USING ((NOT ( SELECT private.owes_second_factor() AS owes_second_factor)));

CREATE POLICY "Users delete their own avatars; moderators delete any" ON "storage"."objects"
  FOR DELETE
  TO "authenticated"
  USING
    (((bucket_id = ANY (ARRAY['avatars'::text, 'avatar-uploads'::text])) AND ((private.is_own_avatar(name) AND (NOT private.is_evidence(name))) OR ( SELECT private.is_moderator()
    AS is_moderator))));

CREATE POLICY "Users see their own avatars; moderators see all" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING (((bucket_id = ANY (ARRAY['avatars'::text, 'avatar-uploads'::text])) AND (private.is_own_avatar(name) OR ( SELECT private.is_moderator() AS is_moderator))));

CREATE POLICY "Users who may write freely upload pictures for review" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((bucket_id = 'avatar-uploads'::text) AND private.is_own_avatar(name) AND ( SELECT private.may_upload() AS may_upload)));

COMMENT ON COLUMN "private"."everyday_phrases"."keys" IS 'The hidden words that may occur in it, as written.';

COMMENT ON COLUMN "private"."harmful_phrases"."place" IS 'If several match, the first in its file determines the message.';

COMMENT ON COLUMN "private"."known_words"."meaning" IS 'The word that it stands for in phrases: "ur" stands for "your".';

COMMENT ON COLUMN "private"."settings"."age_limit" IS 'Younger users need a parent''s consent to write freely.';

COMMENT ON COLUMN "private"."settings"."contact_key" IS 'Key of the digests in contact_paces, so that they cannot be guessed.';

COMMENT ON COLUMN "private"."settings"."contact_mail_to" IS 'Recipient of contact messages by mail; null for none.';

COMMENT ON COLUMN "private"."settings"."dear_items" IS 'Changes of this many of the most valuable items wait for a second person.';

COMMENT ON COLUMN "private"."settings"."large_change_percent" IS 'Larger changes of a value wait for a second person.';

COMMENT ON COLUMN "private"."settings"."names_judged_to" IS 'The last user whose existing name was checked against the current rules.';

COMMENT ON COLUMN "private"."settings"."new_account_hours" IS 'How long new accounts are limited to quick talk.';

COMMENT ON COLUMN "private"."settings"."new_editor_changes" IS 'Changes by an editor with fewer published changes wait for a second person.';

COMMENT ON COLUMN "private"."settings"."site_url" IS 'Base URL of links in emails to parents; without it none are sent.';

COMMENT ON COLUMN "private"."settings"."takes_uploads" IS 'Whether users may upload their own pictures.';

COMMENT ON COLUMN "public"."admin_acts"."admin_id" IS 'Not a foreign key, so that entries outlive the account; null for the operator and servers.';

COMMENT ON COLUMN "public"."admin_acts"."new" IS 'The added row, or the changed columns after.';

COMMENT ON COLUMN "public"."admin_acts"."old" IS 'The deleted row, or the changed columns before.';

COMMENT ON COLUMN "public"."admin_acts"."person_id" IS 'The affected user, if any.';

COMMENT ON COLUMN "public"."admin_acts"."title" IS 'The row''s display name; null if it concerns a user.';

COMMENT ON COLUMN "public"."ads"."ad_code" IS 'Unsanitized HTML: show it only in a sandboxed frame.';

COMMENT ON COLUMN "public"."appeals"."answer" IS 'Shown to the user.';

COMMENT ON COLUMN "public"."archived_items"."records" IS 'All rows deleted with the item, by table: its ledger, its checks.';

COMMENT ON COLUMN "public"."chat_messages"."items" IS 'The items that fill the phrase, as slots of the calculator''s URL.';

COMMENT ON COLUMN "public"."chat_messages"."message" IS 'The whole text; for quick talk the database generates it (quick-talk.sql).';

COMMENT ON COLUMN "public"."chat_messages"."reply_to" IS 'The message that it replies to, which may have been deleted since.';

COMMENT ON COLUMN "public"."chat_messages"."trade" IS 'A trade card: the query of the calculator''s URL, from the author''s side.';

COMMENT ON COLUMN "public"."chat_messages"."username" IS 'The author''s username when it was sent, regardless of what the client sent.';

COMMENT ON COLUMN "public"."chat_silences"."reason" IS 'Shown to the silenced user.';

COMMENT ON COLUMN "public"."chat_silences"."until" IS 'When it expires; infinity if permanent.';

COMMENT ON COLUMN "public"."contact_messages"."mailed_at" IS 'When it was queued for mailing.';

COMMENT ON COLUMN "public"."editor_notices"."items" IS 'Names of some of the affected items.';

COMMENT ON COLUMN "public"."editor_notices"."webhook_next_at" IS 'When the webhook is called next; null if delivered, given up or not configured.';

COMMENT ON COLUMN "public"."item_value_changes"."changed_as" IS 'The role of whoever changed it; null for imported readings and servers.';

COMMENT ON COLUMN "public"."item_value_changes"."is_seconded" IS 'Whether a second person reviewed it before it was published.';

COMMENT ON COLUMN "public"."item_value_changes"."new_previous_value" IS 'The previous value of this mode after the change.';

COMMENT ON COLUMN "public"."item_value_changes"."old_checked_at" IS 'When the old value was last checked. Null if there is no old value to restore: first values and imported readings.';

COMMENT ON COLUMN "public"."item_value_changes"."old_low" IS 'The lower end of the editor''s range of this mode before the change.';

COMMENT ON COLUMN "public"."item_value_changes"."old_previous_value" IS 'The previous value of this mode before the change.';

COMMENT ON COLUMN "public"."item_value_changes"."picture" IS 'A name in change_pictures, once a second person approved it.';

COMMENT ON COLUMN "public"."items"."aliases" IS 'Other names among players, separated by commas; searched along with the name.';

COMMENT ON COLUMN "public"."items"."change_reason" IS 'Write-only: sent along with a changed value, it is stored with the change in item_value_changes.';

COMMENT ON COLUMN "public"."items"."current_low" IS 'The lower end of the editor''s range; if null, list_value_ranges estimates a range.';

COMMENT ON COLUMN "public"."items"."current_value_number" IS 'current_value as a number; null if unpriced.';

COMMENT ON COLUMN "public"."items"."values_checked_at" IS 'When the values were last changed or confirmed. Insert into item_value_checks to update it.';

COMMENT ON COLUMN "public"."notice_mails"."told_to" IS 'The last notice that was mailed.';

COMMENT ON COLUMN "public"."profiles"."avatar_url" IS 'A catalogue drawing with a background color, such as /items/dragon.svg#teal, or an approved picture of the user''s own.';

COMMENT ON COLUMN "public"."profiles"."listed" IS 'Whether the community page shows this user and others may rate them; the user decides.';

COMMENT ON COLUMN "public"."profiles"."rating_count" IS 'Number of ratings; maintained by triggers on user_ratings.';

COMMENT ON COLUMN "public"."profiles"."rating_score" IS 'Sort key of "best rated": the average, pulled toward 3 while there are few ratings.';

COMMENT ON COLUMN "public"."profiles"."rating_sum" IS 'Sum of all stars; the average is rating_sum / rating_count.';

COMMENT ON COLUMN "public"."quick_phrases"."phrase" IS 'Each {item} is replaced by an item that the sender chooses.';

COMMENT ON COLUMN "public"."reports"."evidence" IS 'The reported text, or the picture''s file name, as of the report.';

COMMENT ON COLUMN "public"."reports"."outcome" IS 'Whether moderators acted; shown to the reporter too.';

COMMENT ON COLUMN "public"."reports"."reporter_id" IS 'Null for reports that the database creates after repeated refusals.';

COMMENT ON COLUMN "public"."reports"."sent_at" IS 'When the reported content was written; kept when it is deleted.';

COMMENT ON COLUMN "public"."reports"."subject_id" IS 'The message''s or rating''s id, kept when it is deleted; for names and pictures a digest of the content.';

COMMENT ON COLUMN "public"."sanctions"."appeal_key" IS 'Lets a banned user, who has no session, appeal.';

COMMENT ON COLUMN "public"."sanctions"."done_at" IS 'When the user chose another name.';

COMMENT ON COLUMN "public"."sanctions"."lifted_at" IS 'When it was lifted, manually or after an appeal.';

COMMENT ON COLUMN "public"."sanctions"."reason" IS 'Shown to the user.';

COMMENT ON COLUMN "public"."sanctions"."removed" IS 'What was removed: a message, a comment, a name, or the name of a picture''s file.';

COMMENT ON COLUMN "public"."sanctions"."subject_id" IS 'The message or rating concerned.';

COMMENT ON COLUMN "public"."sanctions"."until" IS 'When it expires; infinity if permanent.';

COMMENT ON COLUMN "public"."trade_history"."has_unpriced" IS 'Whether an entry has no value, so that there is no verdict on the totals.';

COMMENT ON COLUMN "public"."trade_history"."trade_partner_email" IS 'The owner''s free text; visible to nobody else.';

COMMENT ON COLUMN "public"."trade_history"."version" IS 'Format of the entries. 1: {id, name, value, viewMode}, with an optional quantity. 0, the former one: {name, quantity}.';

COMMENT ON COLUMN "public"."user_ratings"."answer" IS 'The rated trader''s answer; written by answer_rating.';

COMMENT ON COLUMN "public"."user_ratings"."answered_at" IS 'Kept when the answer is removed, since each rating can be answered only once.';

COMMENT ON COLUMN "public"."value_proposals"."after" IS 'The written columns after publishing.';

COMMENT ON COLUMN "public"."value_proposals"."before" IS 'The written columns before publishing, for undo.';

COMMENT ON COLUMN "public"."value_proposals"."picture" IS 'Evidence file: in bucket change-uploads under the proposer''s id, in change-pictures once approved.';

COMMENT ON COLUMN "public"."value_proposals"."why" IS 'Why it needs, or needed, a second person.';

COMMENT ON COLUMN "public"."value_reasons"."is_offered" IS 'False for reasons that only the database sets.';

COMMENT ON COLUMN "public"."value_sets"."fault" IS 'Why scheduled publishing failed.';

COMMENT ON COLUMN "public"."value_sets"."name" IS 'Null if published without drafts.';

COMMENT ON COLUMN "public"."value_sets"."planned_for" IS 'When the server publishes it automatically.';

COMMENT ON FUNCTION "private"."find_standing"(uuid) IS 'free, or why the user may not write freely: unasked (no age group yet), child (without a parent''s consent), strikes, new.';

COMMENT ON FUNCTION "private"."has_other_moderator"(uuid) IS 'Whether there is a moderator other than the caller and this user.';

COMMENT ON FUNCTION "private"."is_report_code"(text) IS 'Whether this is a known reason for a report or a sanction; the UI has a label for each.';

COMMENT ON FUNCTION "private"."lowest_age"(text) IS 'The youngest age of a group; null for unknown groups.';

COMMENT ON FUNCTION "public"."allow_word"(text) IS 'Adds a word to the vocabulary; for admins.';

COMMENT ON FUNCTION "public"."answer_rating"(uuid, text) IS 'Answers a rating, once, as the rated trader; null removes the answer.';

COMMENT ON FUNCTION "public"."appeal_ban"(uuid, text) IS 'Appeals against a ban, once, by appeal key.';

COMMENT ON FUNCTION "public"."approve_proposals"(bigint[], text) IS 'Approves proposals of other editors; those outside a set are published at once.';

COMMENT ON FUNCTION "public"."ask_for_word"(text) IS 'Requests a word, at most 10 a day.';

COMMENT ON FUNCTION "public"."ask_parent"(text) IS 'Emails a parent the link to the consent page; for users under the age limit.';

COMMENT ON FUNCTION "public"."choose_age_band"(text, boolean) IS 'Sets the caller''s age group, once: under-13, 13-15, 16-17 or 18-or-older; list_me lists the caller in the community. Returns the standing.';

COMMENT ON FUNCTION "public"."count_moderation"() IS 'Reports and their outcomes in each of the last twelve months; null for fewer than five.';

COMMENT ON FUNCTION "public"."create_value_set"(text) IS 'Creates a set of drafts.';

COMMENT ON FUNCTION "public"."decide_as_parent"(text, text) IS 'Records a parent''s decision: allow or refuse, later withdraw.';

COMMENT ON FUNCTION "public"."delete_as_parent"(text) IS 'Deletes the child''s account and all its data.';

COMMENT ON FUNCTION "public"."delete_own_account"() IS 'Deletes the caller''s account and all its data; requires a sign-in within the last ten minutes.';

COMMENT ON FUNCTION "public"."discard_value_set"(uuid) IS 'Discards an unpublished set.';

COMMENT ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text, text) IS 'Adds values to a set, to be published with it.';

COMMENT ON FUNCTION "public"."end_own_session"(uuid) IS 'Ends one of the caller''s sessions; returns whether there was one.';

COMMENT ON FUNCTION "public"."export_as_parent"(text) IS 'All data stored about the child, without the account''s own address.';

COMMENT ON FUNCTION "public"."is_under_strikes"() IS 'Whether the caller has three or more active strikes.';

COMMENT ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) IS 'Public changes of values, demand and status, newest first.';

COMMENT ON FUNCTION "public"."list_chat_faces"(uuid[]) IS 'Pictures of users who wrote in the chat, and whether they have a profile page; users with neither are omitted.';

COMMENT ON FUNCTION "public"."list_editor_days"(timestamp with time zone) IS 'What each editor did since a given time; for editors.';

COMMENT ON FUNCTION "public"."list_editor_names"() IS 'Names of the people who edit values; for editors.';

COMMENT ON FUNCTION "public"."list_item_sources"(uuid) IS 'Public names of the editors who changed an item, if they chose one, and evidence pictures.';

COMMENT ON FUNCTION "public"."list_known_words"(text) IS 'The vocabulary, as space-separated words: all, those whose typos are accepted too, and those allowed only in everyday clauses; with its version.';

COMMENT ON FUNCTION "public"."list_own_account_log"() IS 'The caller''s entries in the account audit log, oldest first.';

COMMENT ON FUNCTION "public"."list_own_reports"() IS 'The caller''s reports and their outcomes, newest first; without the reported user, who may not be visible to them.';

COMMENT ON FUNCTION "public"."list_own_sessions"() IS 'The caller''s open sessions, oldest first.';

COMMENT ON FUNCTION "public"."list_received_ratings"() IS 'Ratings that the caller received; raters who are not listed are anonymous.';

COMMENT ON FUNCTION "public"."list_silence_makers"(uuid[]) IS 'Who silenced these users; for moderators.';

COMMENT ON FUNCTION "public"."list_value_changes"(uuid) IS 'Value changes of an item with their authors; for editors.';

COMMENT ON FUNCTION "public"."list_value_ranges"(uuid[]) IS 'Range and confidence of each value, for the given items or all.';

COMMENT ON FUNCTION "public"."list_waiting_pictures"() IS 'Evidence pictures that await review; for editors.';

COMMENT ON FUNCTION "public"."list_work"(integer) IS 'Items that most need a check, with the parts of their score. Trades are only counted, never attributed.';

COMMENT ON FUNCTION "public"."may_operate"() IS 'Whether the caller may read the site''s health: an admin, with the second factor if there is one.';

COMMENT ON FUNCTION "public"."measure_accuracy"(integer) IS 'How far the values of the given number of days ago were from the confirmed trades since.';

COMMENT ON FUNCTION "public"."plan_value_set"(uuid, timestamp with time zone) IS 'Schedules a set; null cancels the schedule.';

COMMENT ON FUNCTION "public"."publish_value_set"(uuid) IS 'Publishes a set, or returns how many of its values wait for a second person.';

COMMENT ON FUNCTION "public"."publish_values"(jsonb, text, text, text, text) IS 'Publishes values; large changes, the most valuable items and changes by new editors wait for a second person.';

COMMENT ON FUNCTION "public"."refuse_word"(text) IS 'Refuses a word permanently, including one that was added before; for admins.';

COMMENT ON FUNCTION "public"."reject_proposals"(bigint[], text) IS 'Rejects proposals of other editors, with a note.';

COMMENT ON FUNCTION "public"."renew_parent_link"(text) IS 'Emails a new link to a parent whose address is stored.';

COMMENT ON FUNCTION "public"."reopen_word"(text) IS 'Reverts the decision about a word; for admins.';

COMMENT ON FUNCTION "public"."roll_back_value_set"(uuid, text) IS 'Reverts everything that a set, or one call of publish_values, published.';

COMMENT ON FUNCTION "public"."set_age_band"(uuid, text) IS 'Corrects a user''s age group; for moderators.';

COMMENT ON FUNCTION "public"."show_ban"(uuid) IS 'A ban and the outcome of its appeal, by appeal key.';

COMMENT ON FUNCTION "public"."show_forced_name"() IS 'Why the caller must choose another username, and whether a moderator required it.';

COMMENT ON FUNCTION "public"."show_own_standing"() IS 'The caller''s standing, age group and parental consent.';

COMMENT ON FUNCTION "public"."show_to_parent"(text) IS 'The account that a parent''s link is for, and the state of consent.';

COMMENT ON FUNCTION "public"."show_trader"(text, integer) IS 'A listed trader by case-insensitive name: the number of ratings by stars, and a page of 20 ratings, newest first.';

COMMENT ON FUNCTION "public"."suggest_usernames"() IS 'Six usernames that are available and allowed.';

COMMENT ON FUNCTION "public"."withdraw_proposals"(bigint[]) IS 'Withdraws the caller''s own unpublished proposals.';

COMMENT ON TABLE "private"."confirmed_values" IS 'Prices of items in confirmed trades.';

COMMENT ON TABLE "private"."consent_log" IS 'Log of consent requests and parents'' decisions, without their addresses.';

COMMENT ON TABLE "private"."contact_paces" IS 'Times of each sender''s contact messages within the last hour.';

COMMENT ON TABLE "private"."daily_acts" IS 'Times of each user''s actions with a daily limit within the last 24 hours.';

COMMENT ON TABLE "private"."everyday_phrases" IS 'Clauses that are shown even though they contain hidden words.';

COMMENT ON TABLE "private"."outgrown_names" IS 'Users who must choose another name, and what was wrong with the old one.';

COMMENT ON TABLE "private"."paces" IS 'Times of each user''s recent actions, up to the limit of each action.';

COMMENT ON TABLE "private"."parental_consents" IS 'Parental consent: whether a parent was asked, and the answer.';

COMMENT ON TABLE "private"."refused_texts" IS 'Why texts of a user were refused within the last day.';

COMMENT ON TABLE "private"."vocabularies" IS 'Enabled languages. `items` is the catalogue, `site` the words that admins added.';

COMMENT ON TABLE "private"."word_askers" IS 'Who requested a word, so that nobody counts twice.';

COMMENT ON TABLE "public"."admin_acts" IS 'Audit log of admin actions, ordered by id.';

COMMENT ON TABLE "public"."age_bands" IS 'Each user''s age group; readable only by that user.';

COMMENT ON TABLE "public"."appeals" IS 'Appeals against sanctions with their answers, one per sanction.';

COMMENT ON TABLE "public"."archived_items" IS 'Deleted items with all their records; for admins.';

COMMENT ON TABLE "public"."case_notes" IS 'Moderators'' notes about a user; for moderators.';

COMMENT ON TABLE "public"."change_pictures" IS 'Approved evidence pictures: files in the bucket of the same name.';

COMMENT ON TABLE "public"."chat_messages" IS 'Chat messages, trimmed; unknown words are replaced by ####.';

COMMENT ON TABLE "public"."chat_mutes" IS 'Users whose messages this user has muted.';

COMMENT ON TABLE "public"."chat_originals" IS 'Original text of messages with hidden words; for moderators, kept for 24 hours.';

COMMENT ON TABLE "public"."chat_reactions" IS 'Emoji reactions to chat messages.';

COMMENT ON TABLE "public"."chat_silences" IS 'Users who may not write in the chat; expired silences have no effect.';

COMMENT ON TABLE "public"."deleted_chat_messages" IS 'Chat messages that users deleted within the last 24 hours; for moderators.';

COMMENT ON TABLE "public"."editor_names" IS 'Optional public names of editors, shown beside their changes.';

COMMENT ON TABLE "public"."editor_notices" IS 'Notices for editors, moderators and admins.';

COMMENT ON TABLE "public"."former_slugs" IS 'Former slugs of items. An item that has the slug now takes precedence.';

COMMENT ON TABLE "public"."game_update_items" IS 'Items that a game update affects.';

COMMENT ON TABLE "public"."game_updates" IS 'Game updates, and until when the values of the affected items are unsettled.';

COMMENT ON TABLE "public"."item_imports" IS 'Imports of the last 30 days with their changes, for undo_import.';

COMMENT ON TABLE "public"."item_value_checks" IS 'When an item''s values were confirmed, and by whom.';

COMMENT ON TABLE "public"."notice_mails" IS 'Subscribers to editor_notices by mail.';

COMMENT ON TABLE "public"."profiles" IS 'Public profiles of users.';

COMMENT ON TABLE "public"."quick_phrases" IS 'Phrases that can be sent in the chat by tapping.';

COMMENT ON TABLE "public"."reports" IS 'Reports by users about other users; for moderators.';

COMMENT ON TABLE "public"."sanctions" IS 'Sanctions of users by moderators. Each is a strike until counts_until unless lifted.';

COMMENT ON TABLE "public"."second_opinions" IS 'Cases, by user, that a moderator wants another moderator to close.';

COMMENT ON TABLE "public"."status_words" IS 'Words for an item''s market status, in display order.';

COMMENT ON TABLE "public"."trade_history" IS 'Saved trades, with the values as of saving.';

COMMENT ON TABLE "public"."user_roles" IS 'Roles beyond that of a signed-in user: admin, editor, moderator.';

COMMENT ON TABLE "public"."value_proposals" IS 'Proposed values and their outcome.';

COMMENT ON TABLE "public"."value_reasons" IS 'Reasons for value changes, in the order shown to editors.';

COMMENT ON TABLE "public"."value_sets" IS 'Values that are published and rolled back together.';

COMMENT ON TABLE "public"."word_requests" IS 'Words that users requested, with the number of requests and the admins'' decision.';

COMMENT ON TABLE "public"."work_skips" IS 'Items that an editor skipped for now, and when.';

COMMENT ON VIEW "public"."chat_reports" IS 'Reported messages; reports of every kind are in reports.';

COMMENT ON VIEW "public"."shown_chat_messages" IS 'Chat messages except those of users whom the reader muted.';

REVOKE ALL ON FUNCTION "private"."ban_message"(public.sanctions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_existing_names"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_review_reason"(uuid, public.items, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_recent_sign_in"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_proposal_current"(public.value_proposals) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."limit_change_uploads"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."list_proposals_with_picture"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_file_owner"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_as_restore"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_role_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reinsert_rows"(regclass, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."skip_deleted_updates"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."skip_known_values"() FROM PUBLIC;
