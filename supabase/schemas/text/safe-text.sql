-- Text that users write for others to read consists of known words, trade figures and a few symbols. One function
-- judges all such text; docs/decisions/0027 says why. tests/database/safe-text holds thousands of evasions and
-- harmless lines.

-- The text as shown to others, the hidden words, and the error message if the whole text is refused.
create type private.verdict as (shown text, hidden text[], refusal text);

-- Removes emoji that express a mood or an item. Others are unknown words and hidden as such.
create function private.without_emoji(plain text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select case when octet_length(plain) = char_length(plain) then plain else translate(
      plain,
      '😀😃😄😁😆😅😂🤣😭😊🙂🙃😉😎🤩🤔🤨😐😑😶🙄😬😮😯😲😳🥺😥😢😞😔😟😕🙁☹😖😫😩🥱😴😤😠😡😱😨😰🤯🥳🤠🤑🤗🤫🤭🤓😇🥹🫡🫠😵🤷🤦🙋🙌👏👍👎👌🤝🙏💪👋✌🤞👀💀☠'
        || '🔥💯✅❌✔✖❎⭕⭐🌟✨💫🎉🎊🎁🎃🎄🏆🥇🥈🥉💎💰🪙👑⚔🗡🛡⚡❄🌊🌋🌀🌪☁☀🌙🌈💨💧☄💥🧊🪨🕊'
        || '🐉🐲🦊🐯🐅🐆🦁🐺🦅🦜🐦🕷🕸👻👾🤖🦖🦕🐘🦣🦈🐍🐢🐙🦑🦀🐟🐠🐬🐳🐋🐶🐕🐱🍎🍏🍐🍊🍋🍌🍇🍓🍉🍍🥭🍩🍪🎂🍿🥥'
        || '❤🧡💛💚💙💜🖤🤍🤎💔➕➖✚➡⬅⬆⬇→←↑↓↔🔄🔁🔃❓❗‼⁉⏳⌛⏰🚀🚪🎮🎯🎲🧡🟢🔴🟡🔵🟣🟠⚪⚫🟥🟩🟦🟨🔺🔻📈📉🏻🏼🏽🏾🏿♂♀×÷',
      ''
    ) end
  $$;

-- Splits a token into the parts that are judged separately: 'w/f/l?' has three, '2kits' has two.
create function private.separate_parts(plain text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
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
  $$;

-- Detects a domain even if both of its sides are words: 'fruit.me'. Exempts some words that often end a sentence
-- without a following space.
create function private.holds_glued_dot(plain text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select plain ~ '[a-z0-9-][.,]+[a-z]' and plain ~
      '(^|[^a-z0-9])(?!(ok|okay|no|yes|ye|yea|yeah|ya|lol|ty|thx|bro|nah|np|gg|nvm|wait|hm|hmm|sry|idk|oh|pls|plz|fr|k|w|l|f)[.,])[a-z0-9-]+[.,]+[a-z]{2,3}([^a-z]|$)|[a-z0-9-][.,]+(com|net|org|info|shop|store|site|live|online|club|link|free|game|games|fun|app|website|world|zone|team|pro|vip|top|win|trade|page|space|tech|cool|chat|gift|gifts|click|codes|life|space)([^a-z]|$)'
  $$;

-- The same with spaces around the dot, or a dot that begins a word: 'fruits . me', '.gg'.
create function private.holds_parted_dot(value text) returns boolean
  language plpgsql immutable strict
  set search_path = ''
  as $$
    begin
      return strpos(value, '.') > 0 and lower(value) ~
        '(^|\s)[.]\s*(me|gg|com|net|org|io|co|shop|store|site|xyz|ly|fun|club|info|tv|app|live|online|trade|win|vip|link|free|uk|de|us)([^a-z]|$)';
    end
  $$;

-- Users who wrote in the chat within the last 24 hours may be mentioned by name; other handles are unknown words.
create function private.is_chat_participant(name text) returns boolean
  language plpgsql stable strict
  set search_path = ''
  as $$
    begin
      return exists (
        select from public.profiles
        join public.chat_messages on chat_messages.user_id = profiles.id
        where lower(profiles.username) = lower(rtrim(name, '.,!?:;')) and chat_messages.created_at > now() - interval '24 hours'
      );
    end
  $$;

-- How a word reads whose letters are replaced by signs: 'sh1t', 'fuuck'.
create function private.undisguised(piece text) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select array[plain, regexp_replace(plain, '([a-z])\1+', '\1', 'g')]
    from translate(piece, '013457@$!89', 'oieastasibg') as plain
  $$;

-- Whether a word is a hidden one: '5hit' is no five of anything.
create function private.is_disguised(piece text) returns boolean
  language sql stable strict
  set search_path = ''
  as $$
    select exists (select from private.known_words where word = any (private.undisguised(piece)) and kind = 'unsaid')
  $$;

-- The parts of a text in order, as one row of parallel arrays: the chunk of each part, its kind and its meaning. A
-- chunk without letters or digits has one part, whose kind is null. In PL/pgSQL, which caches query plans.
create function private.read_parts(
  value text, out ats bigint[], out gaps text[], out chunks text[], out parts text[], out kinds text[], out meanings text[]
)
  language plpgsql stable strict
  set search_path = ''
  as $$
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
  $$;

-- The meaning of consecutive unknown pieces joined to one word: 'fu ck', 's h i t'.
create function private.meaning_of_pieces(pieces text[]) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select words.meaning
    from generate_subscripts(pieces, 1) as first, generate_series(first + 1, least(first + 11, cardinality(pieces))) as last,
      lateral (select translate(array_to_string(pieces[first : last], ''), '013457@$!', 'oieastasi') as whole) as joined,
      private.known_words as words
    where words.kind = 'unsaid' and length(whole) between 3 and 14
      and words.word in (whole, regexp_replace(whole, '([a-z])\1+', '\1', 'g'))
    limit 1
  $$;

-- Whether the words contain a phrase. Matches step by step, tracking the set of all positions that the phrase may
-- have reached from any start.
create function private.holds_phrase(words text[], are_trade boolean[], steps private.phrase_step[]) returns boolean
  language plpgsql immutable
  set search_path = ''
  as $$
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
  $$;

-- The error message of the first harmful phrase in a text, given the meanings of its words.
create function private.find_harm(words text[], are_trade boolean[]) returns text
  language plpgsql stable
  set search_path = ''
  as $$
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
  $$;
