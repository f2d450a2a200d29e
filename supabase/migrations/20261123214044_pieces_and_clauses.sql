SET local check_function_bodies = off;

DROP INDEX "public"."deleted_chat_messages_user_id_idx";

CREATE OR REPLACE FUNCTION private.everyday_option (
  language text,
  option   text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select case
      when option = '<trade>' then '(?:[0-9][0-9.]*[kmbx]? )?[=+][^ ]+ '
      when option = '<item>' then '(?:[0-9][0-9.]*[kmbx]? )?[+][^ ]+ '
      when option like '<%>' then '[=+]?(?:' || (
        select string_agg(distinct word, '|') from private.known_words as known
        where known.language = everyday_option.language and kind not in ('slip', 'near') and meaning = btrim(option, '<>')
      ) || ') '
      else (select string_agg('[=+]?' || piece || ' ', '' order by number) from unnest(string_to_array(option, ' ')) with ordinality as split (piece, number))
    end
  $function$;

CREATE OR REPLACE FUNCTION private.everyday_pattern (
  language text,
  phrase   text,
  beside   text,
  after    text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select case when phrase like '* %' then '(?<= )' else '(?<= (?:[|]|[=+]?(?:' || beside || ')) )' end
      || string_agg(
        '(?:' || (
          select string_agg(private.everyday_option(language, option), '|' order by number)
          from unnest(string_to_array(btrim(token[1], '()'), '|')) with ordinality as listed (option, number)
        ) || ')' || case token[2] when '?' then '?' when '*' then '{0,4}' else '' end,
        '' order by place
      )
      || '(?=[|]|[=+]?(?:' || beside || '|' || after || ') )'
    from regexp_matches(phrase, '(\([^)]*\)|[^\s?*]+)([?*]?)', 'g') with ordinality as step (token, place)
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
        -- What was hidden in one of them by itself is no news; letters that only together spell are.
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

CREATE OR REPLACE FUNCTION private.know_everyday (
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
      -- Which part each word of the line is; 0 for the end of a sentence.
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
        -- Dough is a word, too.
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

CREATE INDEX deleted_chat_messages_user_id_created_at_idx ON public.deleted_chat_messages USING btree (user_id, created_at DESC);
