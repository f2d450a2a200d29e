SET local check_function_bodies = off;

DROP POLICY "Moderators see original texts for a day" ON "public"."chat_originals";

ALTER TABLE "private"."everyday_phrases"
  ADD COLUMN "warns" boolean NOT NULL DEFAULT false;

-- The next start loads the clauses anew.
ALTER TABLE "private"."everyday_phrases"
  ALTER COLUMN "warns" DROP DEFAULT;

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
        if fault is null and row_security_active('public.profiles') and private.looks_like_other(new.id, new.username) then
          fault := 'This username looks like that of another trader: please take another';
        end if;
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault;
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_harm_in_parts (
  kinds    text[],
  meanings text[]
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    declare
      words text[];
      are_trade boolean[];
    begin
      select array_agg(meaning order by place), array_agg(kind = 'trade' or meaning = '#' order by place)
        into words, are_trade
        from unnest(kinds, meanings) with ordinality as part (kind, meaning, place) where kind is not null;
      return private.find_harm(coalesce(words, '{}'), are_trade);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.forget_deleted_messages()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    delete from public.deleted_chat_messages where deleted_at <= now() - interval '24 hours';
    delete from public.chat_originals
      where created_at <= now() - interval '24 hours' and not private.is_message_under_report(message_id)
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
          or exists (select from public.profiles where private.lookalike_key(username) = private.lookalike_key(candidate))
          or private.find_form_fault(candidate) is not null
          or private.makes_rude_word(array[lower(adjective), lower(noun)]);
        return candidate;
      end loop;
      -- No unused combination was found, or the email address contains all the words.
      return 'Trader' || substr(md5(random()::text), 1, 12);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.is_disguised (
  piece text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select exists (select from private.known_words where word = any (private.undisguised(piece)) and kind = 'unsaid')
  $function$;

CREATE OR REPLACE FUNCTION private.is_message_under_report (
  message uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      return exists (
        select from public.reports where subject_id = message and kind = 'message' and resolved_at is null
      );
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
      everyday record;
      found record;
      is_empty boolean;
      names_address boolean;
      has_unsaid boolean;
      harm text;
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
      has_unsaid := array_position(read.kinds, 'unsaid') is not null;
      harm := case when not has_unsaid then private.find_harm_in_parts(read.kinds, read.meanings) end;
      if has_unsaid or harm is not null then
        everyday := private.mark_everyday_words(read.ats, read.gaps, read.chunks, read.parts, read.kinds, read.meanings);
        read.kinds := everyday.kinds;
        read.meanings := everyday.meanings;
        harm := private.find_harm_in_parts(read.kinds, read.meanings);
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
      -- Hidden text is refused if there is a reason to tell the user. Runs of 100 non-space characters are skipped: they are
      -- not addresses, and would take these expressions seconds.
      names_address := verdict.hidden is not null and value !~ '\S{100}';
      verdict.refusal := case
        when names_address and private.holds_email_address(value) then 'Email addresses are not allowed here'
        when names_address and private.holds_link(value) then 'Links are not allowed here'
        when private.holds_parted_dot(value) then 'Links are not allowed here'
        when found.may_be_number then 'Phone numbers are not allowed here'
        else coalesce(
          harm,
          case when verdict.hidden is not null then private.find_harm(array[private.meaning_of_pieces(found.pieces)], '{false}') end,
          case when is_empty then 'Please use words that the site knows: none of this text could be shown' end
        )
      end;
      return verdict;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.load_everyday (
  language text,
  file     text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      line text;
      at integer := 0;
      beside text;
      after text;
      expression text;
      is_warning boolean;
    begin
      delete from private.everyday_phrases as loaded where loaded.language = load_everyday.language;
      foreach line in array regexp_split_to_array(coalesce(substring(file, '\n\[everyday\]\n([^[]*)'), ''), '\s*\n') loop
        at := at + 1;
        if line like 'beside: %' then
          beside := replace(substr(line, 9), ' ', '|');
        elsif line like 'after: %' then
          after := replace(substr(line, 8), ' ', '|');
        elsif line <> '' and line not like '#%' then
          is_warning := line like '! %';
          line := ltrim(line, '! ');
          expression := private.everyday_pattern(language, line, beside, after);
          insert into private.everyday_phrases (language, place, keys, pattern, warns)
            select load_everyday.language, at, array_agg(distinct word), expression, is_warning
            from regexp_split_to_table(case when is_warning then substring(line, '(?:^| )[(]([^)]*)[)](?: |$)') else expression end, '[^a-z0-9]+') as word
            where is_warning or word in (
              select known.word from private.known_words as known where kind = 'unsaid' and known.language = load_everyday.language
            );
        end if;
      end loop;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.looks_like_other (
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
      select from public.profiles
      where private.lookalike_key(profiles.username) = private.lookalike_key(looks_like_other.username)
        and profiles.id <> person
        -- The same name is left to the unique index, whose error clients know.
        and lower(profiles.username) <> lower(looks_like_other.username)
    )
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
      warning integer[] := '{}';
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
        select pattern, warns from private.everyday_phrases
        where keys && string_to_array(translate(line, '=+', ''), ' ')
      loop
        number := 0;
        is_inside := false;
        foreach token in array string_to_array(btrim(regexp_replace(line, phrase.pattern, '<\&>', 'g')), ' ') loop
          number := number + 1;
          is_inside := case when token like '%<%' then true when token like '>%' then false else is_inside end;
          continue when not is_inside or places[number] = 0;
          if phrase.warns then warning := warning || places[number]; else shown := shown || places[number]; end if;
        end loop;
      end loop;
      -- Whoever adds "give it to me" does not warn.
      if exists (
        select from unnest(meanings) with ordinality as other (meaning, place)
        where place <> all (warning) and meaning = any ('{me,us,here,give,send,type,put,write,tell,say,show,drop,paste,enter,need}')
      ) then
        warning := '{}';
      end if;
      foreach number in array shown || warning loop
        if kinds[number] = 'unsaid' or number = any (warning) then
          kinds[number] := case kinds[number] when 'unsaid' then 'word' else kinds[number] end;
          meanings[number] := '~' || parts[number];
        end if;
      end loop;
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
          -- 'sooo' and 'hahahaha'. No word is longer, and backreferences take seconds on long runs.
          case when length(piece) <= 40 and piece ~ '([a-z])\1\1|([a-z]{2})\2\2' then array[
            regexp_replace(piece, '([a-z])\1{2,}', '\1', 'g'), regexp_replace(piece, '([a-z])\1{2,}', '\1\1', 'g'),
            regexp_replace(piece, '([a-z]{2})\1{2,}', '\1', 'g'), regexp_replace(piece, '([a-z]{2})\1{2,}', '\1\1', 'g')
          ] else array[piece] end as spellings
        from split, unnest(string_to_array(
          case when plain ~ '^[a-z]+[?!.,]*$' or plain ~ '^[0-9][a-z]{3,}[?!.,]*$' and private.is_disguised(rtrim(plain, '?!.,'))
            then rtrim(plain, '?!.,') else private.separate_parts(plain) end, ' '
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
          where known.kind is null and length(piece) <= 40 and piece ~ '[a-z]' and words.kind = 'unsaid'
            and words.word = any (private.undisguised(piece)) limit 1
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
      or words && '{mod,mods,staff,support,dev,devs,owner,official,system,helper,verified,trusted,middleman}'
      or replace(plain, '_', '') ~ '^(the|site|vaiues?|game|trad(e|er|ing)|safety|chat|fruits?|item)(team|maker|creator|boss|guard|poiice)'
      or replace(plain, '_', '') ~ '^(verified|trusted|safe|middie)(trad|man|midd|seii|deai)'
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
            -- With or without its plural s.
            when char_length(site) >= 6 then position(regexp_replace(site, 's$', '') in private.letters_as_read(username)) > 0
            else site <> '' and site = private.letters_as_read(username)
          end
          from (select private.letters_as_read(site_name) as site from private.settings) as settings
        ),
        false
      )
  $function$;

CREATE OR REPLACE FUNCTION private.undisguised (
  piece text
)
  RETURNS text[]
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    select array[plain, regexp_replace(plain, '([a-z])\1+', '\1', 'g')]
    from translate(piece, '013457@$!89', 'oieastasibg') as plain
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
          or exists (select from public.profiles where private.lookalike_key(username) = private.lookalike_key(candidate));
        offered := offered || candidate;
      end loop;
      return query select unnest(offered);
    end
  $function$;

CREATE POLICY "Moderators see original texts for a day, or while reported" ON "public"."chat_originals"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.is_moderator() AS is_moderator) AND ((created_at > (now() - '24:00:00'::interval)) OR private.is_message_under_report(message_id))));

COMMENT ON COLUMN "private"."everyday_phrases"."keys" IS 'The hidden words that may occur in it, as written; the first words of a warning.';

COMMENT ON COLUMN "private"."everyday_phrases"."warns" IS 'Whether it warns others, so that none of its words has a meaning in harmful phrases.';

COMMENT ON TABLE "public"."chat_originals" IS 'Original text of messages with hidden words; for moderators, kept for 24 hours and while a report is open.';

REVOKE ALL ON FUNCTION "private"."is_message_under_report"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_message_under_report"(uuid) TO "authenticated", "service_role";

REVOKE ALL ON FUNCTION "private"."looks_like_other"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."looks_like_other"(uuid, text) TO "authenticated", "service_role";

CREATE INDEX profiles_lookalike_idx ON public.profiles USING btree (private.lookalike_key(username));
