-- The words that users may say to each other. Most readers are minors, and no list of forbidden words is ever
-- complete, so texts may contain only known words. Each language is a file in supabase/vocabularies, which the server
-- loads. If none is loaded, no word is known and nothing passes.

create table private.vocabularies (
  language text not null primary key constraint vocabularies_language_is_a_short_name check (language ~ '^[a-z]{2,8}$'),
  checksum text not null,
  loaded_at timestamptz not null default now()
);
comment on table private.vocabularies is 'Enabled languages. `items` is the catalogue, `site` the words that admins added.';

-- Kinds: 'word' is known; 'trade' is a known word that may also be counted; 'slip' is a misspelled trade word, 'near'
-- another misspelled word; 'unsaid' is hidden in every language and has a meaning in phrases; 'said' is like 'unsaid'
-- but shown, for words that its language cannot do without: "die" is the most common word in German.
create table private.known_words (
  word text not null,
  language text not null references private.vocabularies (language) on delete cascade,
  kind text not null constraint known_words_kind_is_known check (kind in ('word', 'trade', 'slip', 'near', 'unsaid', 'said')),
  meaning text not null,
  rank text not null generated always as (
    case kind when 'said' then '0' when 'unsaid' then '1' when 'slip' then '5' when 'near' then '5'
      else case when left(meaning, 1) between '0' and '9' then '2' when meaning <> word then '3' else '4' end
    end || language
  ) stored,
  primary key (word, language)
);
comment on column private.known_words.meaning is 'The word that it stands for in phrases: "ur" stands for "your".';
comment on column private.known_words.rank is
  'Which enabled language decides what a word is: the lowest. Harmful meanings come first, numerals before other words.';
create index known_words_language_idx on private.known_words (language);
create index known_words_unsaid_idx on private.known_words (word) where kind = 'unsaid';

-- A step of a phrase: one of several options, repeated `least` to `most` times. `longest` is the number of words of
-- the longest option; `firsts` are the options' first words, if a text must contain one of them.
create type private.phrase_step as (
  options text[], firsts text[], longest integer, least integer, most integer, special text
);

-- Harmful phrases made of known words. A phrase is tried only if the text contains one of its keys.
create table private.harmful_phrases (
  key text not null,
  language text not null references private.vocabularies (language) on delete cascade,
  place integer not null,
  steps private.phrase_step[] not null,
  refusal text not null,
  primary key (key, language, place)
);
comment on column private.harmful_phrases.place is 'If several match, the first in its file determines the message.';
create index harmful_phrases_language_idx on private.harmful_phrases (language);

-- Common typos of a word: a letter left out, two swapped, one doubled. Short words are excluded, since their typos
-- are other words.
create function private.slips_of(word text) returns setof text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select unnest(array[
      left(word, at - 1) || substr(word, at + 1),
      left(word, at - 1) || substr(word, at + 1, 1) || substr(word, at, 1) || substr(word, at + 2),
      left(word, at) || substr(word, at)
    ])
    from generate_series(2, length(word)) as at
    where length(word) >= 5
  $$;

-- Adds words to a language. A later part of a file overrides an earlier one.
create function private.add_words(
  language text, words text[], kind text, meaning text default null, with_slips boolean default false
) returns void
  language sql
  set search_path = ''
  as $$
    insert into private.known_words as known (word, language, kind, meaning)
    select distinct on (word) word, add_words.language, add_words.kind, coalesce(add_words.meaning, word)
    from unnest(words) as written, private.plain_text(written) as word where word <> ''
    on conflict on constraint known_words_pkey do update set kind = excluded.kind, meaning = excluded.meaning;
    insert into private.known_words (word, language, kind, meaning)
    select distinct on (slip) slip, add_words.language, case add_words.kind when 'trade' then 'slip' else 'near' end, word
    from unnest(words) as written, private.plain_text(written) as word, private.slips_of(word) as slip where with_slips
    on conflict do nothing
  $$;
revoke execute on function private.add_words(text, text[], text, text, boolean) from public;

-- Parses a phrase into steps over the meanings of a text's words. `(a|b)` is an alternative, a trailing `?` makes a
-- word optional, a trailing `*` repeats it, and `*` alone stands for up to three words.
create function private.phrase_steps(phrase text) returns private.phrase_step[]
  language plpgsql stable strict
  set search_path = ''
  as $$
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
  $$;

-- The words of which a text must contain one to match the phrase: those of its rarest mandatory step.
create function private.phrase_keys(steps private.phrase_step[]) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select step.firsts from unnest(steps) as step
    where step.least > 0 and step.firsts is not null
    order by (
      select sum(case when word = any ('{you,your,me,i,im,my,the,a,to,it,is,are,and,for,in,on,or,give,send,get,have,want,can,will,go,do,dont,no,at,with,from,that,what,be,by,of,so,just,we,add,not,who,first,trade,up,this,if}')
        then 10 else 1 end)
      from unnest(step.firsts) as word
    ) limit 1
  $$;

-- Replaces a language with the words of a file of supabase/vocabularies; returns false if that file is already
-- loaded. Parts of a file: [words], [often] (whose typos are known too), [trade], [means], [unsaid] and [said] with
-- `meaning: spellings`, [phrases: the error message] and [everyday] (everyday.sql).
create function private.load_vocabulary(language text, file text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
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
        elsif line = '' or line like '#%' or part like 'phrases: %' or part = 'everyday' then
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
  $$;
revoke execute on function private.load_vocabulary(text, text) from public;

-- Loads the phrases of a file. Must run after the words of all enabled languages are loaded, since each may define
-- the meaning of a phrase's words.
create function private.load_phrases(language text, file text) returns void
  language plpgsql
  set search_path = ''
  as $$
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
      perform private.load_everyday(language, file);
    end
  $$;
revoke execute on function private.load_phrases(text, text) from public;
