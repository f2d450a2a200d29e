-- Lets through what children say every day about a mother who calls or a phone that died. Such words are normally
-- hidden; they are shown within a whole clause that reveals nothing about who or where anyone is. docs/decisions/0099
-- says why.

-- A clause of a file's part [everyday] as a regular expression over a text's words, each followed by a space. Words
-- of the catalogue are prefixed with '+' and other trade words with '='; '|' marks the end of a sentence.
create table private.everyday_phrases (
  language text not null references private.vocabularies (language) on delete cascade,
  place integer not null,
  keys text[] not null,
  pattern text not null,
  warns boolean not null,
  primary key (language, place)
);
comment on table private.everyday_phrases is 'Clauses that are shown even though they contain hidden words.';
comment on column private.everyday_phrases.keys is 'The hidden words that may occur in it, as written; the first words of a warning.';
comment on column private.everyday_phrases.warns is 'Whether it warns others, so that none of its words has a meaning in harmful phrases.';

-- One alternative of a clause: literal words, or `<parents>` for any word with that meaning, `<trade>` for any trade
-- word, `<item>` for a catalogue word. Literal words match with or without a prefix, since words such as legs and
-- traders are trade words too.
create function private.everyday_option(language text, option text) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case
      when option = '<trade>' then '(?:[0-9][0-9.]*[kmbx]? )?[=+][^ ]+ '
      when option = '<item>' then '(?:[0-9][0-9.]*[kmbx]? )?[+][^ ]+ '
      when option like '<%>' then '[=+]?(?:' || (
        select string_agg(distinct word, '|') from private.known_words as known
        where known.language = everyday_option.language and kind not in ('slip', 'near') and meaning = btrim(option, '<>')
      ) || ') '
      else (select string_agg('[=+]?' || piece || ' ', '' order by number) from unnest(string_to_array(option, ' ')) with ordinality as split (piece, number))
    end
  $$;

-- The pattern of the whole clause. It must be delimited by sentence ends, by words of `beside` or, after it, by words
-- of `after`; a clause that begins with `*` may follow anything.
create function private.everyday_pattern(language text, phrase text, beside text, after text) returns text
  language sql stable strict
  set search_path = ''
  as $$
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
  $$;

-- Replaces the loaded clauses with the part [everyday] of a file.
create function private.load_everyday(language text, file text) returns void
  language plpgsql
  set search_path = ''
  as $$
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
  $$;
revoke execute on function private.load_everyday(text, text) from public;

-- Marks hidden words within everyday clauses as known. Such a word has no meaning in harmful phrases, and neither has
-- any other word of a warning: "never go first" must reach those whom it warns.
create function private.mark_everyday_words(ats bigint[], gaps text[], chunks text[], parts text[], inout kinds text[], inout meanings text[])
  language plpgsql stable
  set search_path = ''
  as $$
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
  $$;
