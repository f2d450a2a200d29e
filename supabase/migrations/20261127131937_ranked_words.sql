SET local check_function_bodies = off;

DROP FUNCTION "private"."rank_of_word"(private.known_words);

ALTER TABLE "private"."known_words"
  ADD COLUMN "rank" text GENERATED ALWAYS AS ((
CASE kind
    WHEN 'said'::text THEN '0'::text
    WHEN 'unsaid'::text THEN '1'::text
    WHEN 'slip'::text THEN '5'::text
    WHEN 'near'::text THEN '5'::text
    ELSE
    CASE
        WHEN (("left"(meaning, 1) >= '0'::text) AND ("left"(meaning, 1) <= '9'::text)) THEN '2'::text
        WHEN (meaning <> word) THEN '3'::text
        ELSE '4'::text
    END
END || LANGUAGE)) STORED NOT NULL;

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
            select coalesce((select meaning from private.known_words where known_words.word = part order by rank limit 1), part)
            from unnest(words) with ordinality as parts (part, place) order by place
          ), array_fill(false, array[cardinality(words)])) is not null then 'This username is not allowed'
      end;
    end
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
                where known_words.word = piece and kind not in ('slip', 'near') order by rank limit 1
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
          order by words.kind in ('unsaid', 'said') desc, words.word = piece desc, words.rank limit 1
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

COMMENT ON COLUMN "private"."known_words"."rank" IS 'Which enabled language decides what a word is: the lowest. Harmful meanings come first, numerals before other words.';
