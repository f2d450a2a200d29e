-- What people may not write where others read it. Most readers are minors: no links, no addresses, no phone numbers,
-- no slurs. A filter of this kind is a fence and no wall; reports and admins are there for the rest.

-- 'word': the whole word with its usual endings. 'part': also inside another word. 'phrase': several words in a row.
create table private.blocked_words (
  word text not null primary key constraint blocked_words_are_normalised check (word ~ '^[a-z]+( [a-z]+)*$'),
  kind text not null constraint blocked_words_kind_is_known check (kind in ('word', 'part', 'phrase'))
);

-- What people write to get past the filter of 20261121090300_safe_text.sql, and ordinary trade talk that it took for
-- something else. tests/database/safe-text.test.ts is the table of examples both ways.

-- Look-alikes of other scripts and of letters drawn as signs, in the order of what they look like.
create function private.latin_text(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select translate(
      lower(regexp_replace(
        normalize(value, nfkd),
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
  $$;

-- Nearly every text is plain ASCII, which has nothing to take away or to spell anew.
create function private.plain_text(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select case when octet_length(value) = char_length(value) then lower(value)
      else translate(
        private.latin_text(value),
        'ƒғꞙʄцʊƈҟɓɗɖɠɦɨɩɭɱɳɲŋƙƥʂʈţƭʋɯʍƴʐƶɛɜєэɔ',
        'ffffuuckbddghiilmnnnkpstttvwwyzzeeeeo'
      )
    end
  $$;

-- The words of a text, also as they read with digits for letters ('sh1t') and when spelled out ('s h i t').
create function private.words_of(value text) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with plain as (select private.plain_text(value) as text),
    -- Figures stay figures: '455' is a price. Marks at the end of a word are marks.
    letters as (
      select translate(
        regexp_replace(
          regexp_replace(text, '(^|\s)[^a-z\s]+(?=\s|$)', '\1', 'g'),
          '[!.,?:;]+(?=\s|$)', '', 'g'
        ),
        '013457@$!', 'oieastasi'
      ) as text
      from plain
    ),
    spelled as (
      select array_agg(regexp_replace(match[1], '[^a-z]', '', 'g')) as words
      from letters, regexp_matches(text, '((?:\m[a-z][\s._*~|/\\,''"+=-]+){2,}[a-z]\M)', 'g') as match
    )
    select array_remove(
      regexp_split_to_array(plain.text, '[^a-z]+')
        || regexp_split_to_array(letters.text, '[^a-z]+')
        || coalesce(spelled.words, '{}'),
      ''
    )
    from plain, letters, spelled
  $$;

-- What is left of each word without each ending that it has. A word's possible stems are looked up among the blocked
-- ones, which takes a tenth of the time of holding every blocked word with every ending against it.
create function private.stems_of(words text[], endings text[]) returns setof text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select left(word, length(word) - length(ending))
    from unnest(words) as word, unnest(endings) as ending
    where right(word, length(ending)) = ending
  $$;
comment on function private.stems_of is 'What is left of each word without each ending that it has.';

-- Whether a text holds a blocked word. Letters held down ('shiiit') are let go before they are compared.
create function private.holds_blocked_word(value text) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    with spoken as (
      select distinct regexp_replace(word, '(.)\1{2,}', kept, 'g') as word
      from unnest(private.words_of(value)) as word, (values ('\1'), ('\1\1')) as variants (kept)
    ),
    pressed as (
      select word, regexp_replace(word, '(.)\1+', '\1', 'g') as once from spoken
    ),
    -- Blocked parts have no blank in them: they are never found across two words.
    whole as (
      select array_agg(word) as words, array_agg(once) as once, string_agg(word || ' ' || once, ' ') as text from pressed
    ),
    sentence as materialized (
      select ' ' || regexp_replace(private.plain_text(value), '[^a-z]+', ' ', 'g') || ' ' as text
    )
    select exists (
      select from private.blocked_words as blocked, whole
      where blocked.kind = 'part' and position(blocked.word in whole.text) > 0
    ) or exists (
      select from private.blocked_words as blocked
      where blocked.kind = 'word' and blocked.word in (
        select private.stems_of(words, '{"",s,es,ed,er,ers,ing,in}') from whole union all select unnest(once) from whole
      )
    ) or exists (
      select from private.blocked_words as blocked, sentence
      where blocked.kind = 'phrase' and position(' ' || blocked.word || ' ' in sentence.text) > 0
    )
  $$;

-- The text as it reads when single signs in a row ('e x a m p l e . c o m') are one word, and a dot is a dot however it
-- is dressed: '(dot)', '[.]', ' d0t '.
create function private.joined_text(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with joined as (
      select regexp_replace(private.plain_text(value), '(?<=(^|\s)\S)\s+(?=\S(\s|$))', '', 'g') as text
    )
    select regexp_replace(
      text, '\s*[(\[{<*_~|"''`]+\s*([.]|d[o0]t)\s*[)\]}>*_~|"''`]+\s*|\s+d[o0]t\s+|\s+[.]\s*(?=[a-z])', '.', 'g'
    )
    from joined
  $$;

create function private.holds_link(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select private.joined_text(value) ~ concat_ws('|',
      '(https?|hxxps?|ftp)\s*:?\s*/',
      '\mwww\s*[.,]\s*\w',
      '\m[0-9]{1,3}([.][0-9]{1,3}){3}\M',
      -- Nobody ends a sentence and begins the next with these.
      '[a-z0-9-]\s?[.,]\s?(com|org|xyz)\M',
      -- These are also words that begin one: 'fine. online now', 'ty. gg'.
      '[a-z0-9-][.](net|info|biz|io|co|uk|de|fr|ru|br|pl|nl|tv|app|dev|link|site|shop|store|online|club|live|website|zip)\M',
      '[a-z0-9-]{3,}[.]gg\M',
      '\m(discord|disc|dsc)\s*[.,/]?\s*gg\M|\mdiscord(app)?\s*[.,]?\s*com\M',
      -- An invitation without its beginning: its code holds a figure, which 'gg/wp' does not.
      '\mgg\s?/\s?(?=[a-z]*[0-9])[a-z0-9]{5,}',
      '\m(youtu\s?[.]\s?be|bit\s?[.]\s?ly|wa\s?[.]\s?me|tinyurl|linktr\s?[.]?\s?ee)\M',
      '\mt\s?[.]\s?me\s?/',
      -- Where to be found elsewhere: 'ana#1234', 'discord: ana', 'my insta is ana_05'.
      '[a-z0-9_.]{2,}#[0-9]{4}\M',
      '\m(discord|disc|snap|snapchat|insta|instagram|tiktok|telegram|whatsapp|kik|skype|wechat)\s*(name|user|username|tag|id)?\s*[:=@]+\s*[a-z0-9_.]{3,}',
      '\m(discord|disc|dc|snap|sc|snapchat|insta|instagram|ig|tiktok|telegram|whatsapp|kik|skype|wechat)\s+(name\s+|user\s+|username\s+|tag\s+|id\s+)?is\s+@?(?=[a-z.]*[0-9_])[a-z0-9_.]{3,}'
    )
  $$;

create function private.holds_email_address(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select private.joined_text(value) ~ concat_ws('|',
      '[^\s@]+\s?(@|[(\[{<]\s?at\s?[)\]}>])\s?[^\s@]+\s?[.,]\s?[a-z]{2,}',
      '\w\s+at\s+[a-z0-9-]+[.,]\s?(com|net|org|edu|de|uk|fr|ru|br|pl|nl|io|co)\M',
      '\w\s+at\s+(gmail|hotmail|outlook|yahoo|icloud|proton|protonmail|gmx|aol|live)\M',
      '@\s?(gmail|hotmail|outlook|yahoo|icloud|proton|protonmail|gmx|aol)\M',
      '\m(gmail|hotmail|outlook|yahoo|icloud|protonmail|gmx|aol)\s*[.,]?\s*com\M'
    )
  $$;

-- Counting ('1 2 3 4 5 6 7 8 9 10') and lists of values ('455 460 475 480') are no phone numbers, and a phone number with
-- '000' or a round figure behind it is one all the same. The table of examples is tests/database/safe-text.test.ts.

-- Whether five figures or more go up, or down, by the same each.
create function private.has_even_steps(figures numeric[]) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select count(step) >= 4 and min(step) = max(step) and min(step) <> 0
    from (
      select figure - lag(figure) over (order by place) as step
      from unnest(figures) with ordinality as listed (figure, place)
    ) as steps
  $$;

-- Whether a run of figures is counting, a price, or a list of prices. The rounder the figures of a list, the fewer it
-- takes: of a thousand phone numbers, cut into groups at will, at most two read so.
create function private.reads_as_values(run text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with prices as (
      -- '1 500 000' is one figure.
      select regexp_replace(run, '(?<=[0-9])[ .,](?=([0-9]{3}[ .,])*000(?![0-9]))', '', 'g') as text
    ),
    figures as (
      select array_agg(match[1]::numeric) as list, bool_and(match[1] !~ '^0[0-9]') as are_numbers,
        count(*) as count, min(length(match[1])) as shortest, max(length(match[1])) as longest,
        max(length(rtrim(match[1], '0'))) as detail
      from prices, regexp_matches(text, '([0-9]+)', 'g') as match
    ),
    fractions as (
      select array_agg(match[1]::numeric) as list from regexp_matches(run, '([0-9]+(?:[.][0-9]+)?)', 'g') as match
    )
    select run ~ '^[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?$'
      or regexp_replace(run, '[^0-9]', '', 'g') ~ '^(0?123456789(0|10)?|(10)?987654321(0)?)$'
      or private.has_even_steps(figures.list)
      or private.has_even_steps(fractions.list)
      or are_numbers and case
        when count = 1 then detail <= 6 and text ~ '000$'
        when count = 2 then detail <= 3 and 0 = all (select figure % 10 from unnest(figures.list) as figure)
        else shortest >= 2 and (
          detail <= 4 and 0 = all (select figure % 10 from unnest(figures.list) as figure)
          or longest <= 4 and 0 = all (select figure % 25 from unnest(figures.list) as figure)
          or longest <= 4 and count >= 4 and 0 = all (select figure % 5 from unnest(figures.list) as figure)
        )
      end
    from prices, figures, fractions
  $$;

-- The text with figures for what stands for them: 'five5one', 'fivefiveone', 'o77oo9', '5l5'.
create function private.spoken_figures(plain text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select string_agg(
      case
        when piece ~ '^(zero|one|two|three|four|five|six|seven|eight|nine|oh|o)+$' then
          replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            piece, 'zero', '0'), 'one', '1'), 'two', '2'), 'three', '3'), 'four', '4'), 'five', '5'), 'six', '6'),
            'seven', '7'), 'eight', '8'), 'nine', '9'), 'oh', '0'), 'o', '0')
        else piece
      end, '' order by place)
    from regexp_split_to_table(
      regexp_replace(plain, '(?<=[0-9])[li](?=[0-9])', '1', 'g'), '(?<=[a-z])(?![a-z])|(?<![a-z])(?=[a-z])'
    ) with ordinality as split (piece, place)
  $$;

-- Nine figures or more in a row, however they are parted, or seven of which four are words.
create function private.holds_phone_number(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with plain as (select private.plain_text(value) as text),
    spoken as (select private.spoken_figures(text) as text from plain),
    runs as (
      select match[1] as run from plain, unnest(array[
        '(\+?\(?[0-9](?:[\s().,/_*~|=''"`;<>-]{0,3}[0-9]){8,})',
        -- One by one between any signs, and as most numbers are written.
        '((?<![0-9])[0-9](?:[^a-z0-9]{1,6}[0-9](?![0-9])){8,})',
        '((?<![0-9])[0-9]{3}[^a-z0-9]{1,4}[0-9]{3}[^a-z0-9]{1,4}[0-9]{4}(?![0-9]))'
      ]) as pattern, regexp_matches(text, pattern, 'g') as match
      union all
      select match[1] from plain, spoken,
        regexp_matches(spoken.text, '([0-9](?:[\s().,/_*~|=-]{0,6}[0-9]){8,})', 'g') as match
      where plain.text <> spoken.text
      union all
      select private.spoken_figures(match[1]) from plain, regexp_matches(
        text, '((?:\m(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|[0-9])\M[\s,._/-]*){7,})', 'g'
      ) as match
      where text ~ '(\m(zero|one|two|three|four|five|six|seven|eight|nine)\M.*){4,}'
    )
    select exists (select from runs where not private.reads_as_values(run))
  $$;

-- A word cut once or twice ('fu ck') is the word. Only those that no two ordinary words make.
create function private.holds_cut_word(value text) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    with pieces as (
      select piece, lead(piece) over (order by place) as second, lead(piece, 2) over (order by place) as third
      from regexp_split_to_table(translate(private.plain_text(value), '013457@$!', 'oieastasi'), '[^a-z]+')
        with ordinality as split (piece, place)
    ),
    joined as (
      select array_agg(piece || second) || array_agg(piece || second || third) as words from pieces
    )
    select exists (
      select from private.blocked_words as blocked
      where blocked.kind = 'part'
        and blocked.word in (select private.stems_of(words, '{"",s,ed,er,ers,ing,in}') from joined)
    )
  $$;

-- Where to be found, or asking where another is to be found: in other apps nobody looks after children.
create function private.holds_handle(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with spoken as (
      select private.joined_text(value) as text,
        '(discord|disc|snap|snapchat|insta|instagram|tiktok|telegram|whats\s?app|kik|skype|wechat|facetime)' as app
    )
    select bool_or(variant ~ concat_ws('|',
      '\m(add|dm|pm|message|msg|text|follow|find|contact|hmu|call|reach|hit)\s+(me\s+)?(up\s+)?(on|at|in|via|thru|through)\s+(my\s+)?' || app || '\M',
      '\m(what\s?s|what\s+is|what\s+s|give\s+me|send\s+me|tell\s+me|drop)\s+(your|ur|u|yo)\s+' || app || '\M',
      '\mmy\s+' || app || '\s+(name\s+|user\s+|username\s+|tag\s+|id\s+)?@?(?=[a-z0-9_.]*[a-z])(?=[a-z.]*[0-9_])[a-z0-9_.]{3,}',
      '\m(' || app || '|ig|tg|sc|yt)\s*@[a-z0-9_.]{3,}',
      '@[a-z0-9_.]{3,}\s+(on|in|at)\s+(' || app || '|ig|tg)\M',
      '\m' || app || '\s+me\s*[:=]?\s*@?(?=[a-z0-9_.]*[a-z])(?=[a-z.]*[0-9_])[a-z0-9_.]{3,}',
      '\mwhats\s?app\s+me\M',
      '\mdi?s\s?cor+d\s*[.,/]?\s*gg\M',
      '\mdiscord\s*[:=]\s*[a-z0-9_.]{3,}',
      '\w\s?[.,]\s?com\M|\w\s*dot\s?com\M',
      '\mg[\s_-]?mail\s*[.,]?\s*com\M|(g|hot|proton)mailcom\M|\w\s+at\s+g[\s_-]?mail\M'
    ))
    -- Also with figures for letters: 'd1sc0rd', 'c0m'.
    from spoken, lateral (values (text), (translate(text, '013', 'oie'))) as variants (variant)
  $$;

-- The sentence that says why a text is refused, or null.
create function private.find_unsafe(value text) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case
      when private.holds_email_address(value) then 'E-mail addresses are not allowed here'
      when private.holds_link(value) then 'Links are not allowed here'
      when private.holds_phone_number(value) then 'Phone numbers are not allowed here'
      when private.holds_blocked_word(value) or private.holds_cut_word(value)
        then 'Please keep it friendly: a word in this text is not allowed here'
      when private.holds_handle(value) then 'Please stay here: where to find people elsewhere is not allowed'
    end
  $$;

-- One sign can stand for a whole sentence: a thousand times U+FDFA is eighteen thousand letters, which cost the filters
-- seconds. No language writes so; a few such signs in a text are let through.
create function private.refuse_unsafe_text(value text) returns void
  language plpgsql
  set search_path = ''
  as $$
    declare
      refusal constant text := case
        when char_length(normalize(value, nfkd)) > 4 * char_length(value) + 100
          then 'Please write with letters: too many signs of this text stand for whole words'
        else private.find_unsafe(value)
      end;
    begin
      if refusal is not null then
        raise exception using errcode = 'check_violation', message = refusal;
      end if;
    end
  $$;

-- A text as it is kept: what the filter reads and what a reader sees are the same. Signs that turn the direction of
-- writing go, since 'moc.elpmaxe' turned round is an address; of marks piled on a letter three stay, and of empty lines
-- one, so that nobody's message covers or pushes away those of others.
create function private.tidy_text(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select private.trim_text(
      regexp_replace(
        regexp_replace(
          regexp_replace(
            regexp_replace(value, '\r\n?|[\u0085\u2028\u2029]', E'\n', 'g'),
            '[\u0001-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]', '', 'g'
          ),
          '([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3})[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+',
          '\1', 'g'
        ),
        '\n([^\S\n]*\n){2,}', E'\n\n', 'g'
      )
    )
  $$;
