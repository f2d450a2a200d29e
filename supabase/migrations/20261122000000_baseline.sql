-- The product's database as it stood when `supabase/schemas` became the place to change it: those files in their order, and
-- rows.sql. Every later migration is written by `npm run schema`.

-- What policies, triggers and generated columns are built from. The API shows only the schema public, so nothing in
-- here can be called or read from outside; the roles need to reach it because policies run as them.
create schema private;
grant usage on schema private to anon, authenticated, service_role;

-- Takes off the white space that JavaScript's trim() takes off, so that browser and database agree on what is empty.
create function private.trim_text(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select btrim(value, E' \t\n\x0b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
      '\u2028\u2029\u202f\u205f\u3000\ufeff')
  $$;

-- The time of an edit is the server's, whatever the client sent.
create function private.stamp_update() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      new.updated_at := now();
      return new;
    end
  $$;

-- What the operator decides by environment variables; the server writes it here at each start.
create table private.settings (
  only_row boolean not null primary key default true constraint settings_has_one_row check (only_row),
  rating_min_account_age interval not null default '0',
  stores_contact_messages boolean not null default false,
  contact_key uuid not null default gen_random_uuid(),
  site_name text constraint settings_site_name_has_at_most_100_characters check (char_length(site_name) <= 100)
);
comment on column private.settings.contact_key is 'Keeps the digests of contact_paces from being guessed.';

create function private.refuse_truncate() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      raise exception using
        errcode = 'insufficient_privilege',
        message = format('Rows of %I are never changed or deleted', tg_table_name);
    end
  $$;

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

-- Who is an admin. Nobody gives themselves a role: only the operator's command and servers with the secret key write.
create table public.user_roles (
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null constraint user_roles_role_is_admin check (role = 'admin'),
  created_at timestamptz not null default now(),
  primary key (user_id, role)
);
comment on table public.user_roles is 'Roles beyond that of a signed-in person; the only one is admin.';

alter table public.user_roles enable row level security;

revoke all on table public.user_roles from anon, authenticated;
grant select on table public.user_roles to authenticated;
grant all on table public.user_roles to service_role;

-- Whoever set up a second factor is known by both. Until it is given, a session (aal1) may read what every signed-in
-- person reads, and does nothing in its person's name. The site asks for the factor at sign-in; a caller with a stolen
-- password and curl does not ask.
create function private.owes_second_factor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(auth.jwt() ->> 'aal', 'aal1') <> 'aal2' and exists (
      select from auth.mfa_factors where user_id = (select auth.uid()) and status = 'verified'
    )
  $$;

-- An admin with half a sign-in is no admin.
create function private.is_admin() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role = 'admin'
    ) and not private.owes_second_factor()
  $$;

create policy "People see their own roles, admins all" on public.user_roles
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

-- What others see of a person: a name and a picture, never the e-mail address. Every account has a profile from
-- sign-up on, with a name made of harmless words, so that no page ever needs another name to show.
create table public.profiles (
  id uuid not null primary key references auth.users (id) on delete cascade,
  username text not null
    constraint profiles_username_has_3_to_20_letters_digits_or_underscores check (username ~ '^[A-Za-z0-9_]{3,20}$'),
  avatar_url text
    constraint profiles_avatar_url_has_at_most_2048_characters check (char_length(avatar_url) <= 2048)
    -- A picture on another host would tell that host who looks at it.
    constraint profiles_avatar_url_is_a_picture_of_their_own check (
      avatar_url ~ ('^/storage/v1/object/public/avatars/' || id::text || '/[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$')
    ),
  listed boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What a trader's ratings come to, so that fifty thousand traders are listed by it without counting two hundred
  -- thousand ratings. Only triggers write it: no role has the right to these columns.
  rating_count integer not null default 0
    constraint profiles_rating_count_is_not_negative check (rating_count >= 0),
  rating_sum integer not null default 0
    constraint profiles_rating_sum_is_between_1_and_5_for_each_rating
    check (rating_sum between rating_count and 5 * rating_count),
  -- As if five more people had given three stars: one rating of five does not outdo forty of 4.9.
  rating_score double precision not null
    generated always as (
      case when rating_count = 0 then 0 else (rating_sum + 15)::double precision / (rating_count + 5) end
    ) stored
);
comment on table public.profiles is 'A person as others see them.';
comment on column public.profiles.listed is 'Whether the community page shows this person, and others may rate them.';
comment on column public.profiles.rating_count is 'How many ratings the trader has; kept by triggers of user_ratings.';
comment on column public.profiles.rating_sum is 'All their stars together; the average is rating_sum / rating_count.';
comment on column public.profiles.rating_score is 'What "best rated" is ordered by: the average, drawn to 3 while there are few.';

-- Ana and ana would be taken for the same person.
create unique index profiles_username_is_unique_regardless_of_case on public.profiles (lower(username));
create index profiles_username_idx on public.profiles (username);
create index profiles_listed_name_idx on public.profiles (lower(username)) include (id, username) where listed;
create index profiles_listed_score_idx on public.profiles (rating_score desc, lower(username))
  include (id, username) where listed;
create index profiles_listed_count_idx on public.profiles (rating_count desc, lower(username))
  include (id, username) where listed;

alter table public.profiles enable row level security;
create policy "Visitors see listed profiles" on public.profiles
  for select to anon
  using (listed);

create policy "People see listed profiles and their own, admins all" on public.profiles
  for select to authenticated
  using (listed or id = (select auth.uid()) or (select private.is_admin()));

create policy "People change their own profile" on public.profiles
  for update to authenticated
  using (id = (select auth.uid()))
  with check (id = (select auth.uid()));

create policy "Half a sign-in adds nothing" on public.profiles
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Half a sign-in changes nothing" on public.profiles
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Half a sign-in removes nothing" on public.profiles
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

revoke all on table public.profiles from anon, authenticated;
grant select on table public.profiles to anon, authenticated;
grant update (username, avatar_url, listed, updated_at) on table public.profiles to authenticated;
grant all on table public.profiles to service_role;

create trigger profiles_stamp_update
  before insert or update of username, avatar_url, listed, updated_at on public.profiles
  for each row execute function private.stamp_update();

-- A child believes a TheAdmin, an Adm1n and a Mod_Ana as much as an Admin. So names are compared as they read: in lower
-- case, with figures and l as the letters they stand for, also when underscores part them.
create function private.passes_for_operator(username text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with read as (
      select translate(lower(username), '01345789l', 'oieastbgi') as plain,
        -- The words of 'ModTeam', 'mod_team' and 'MOD7'.
        regexp_split_to_array(
          lower(regexp_replace(username, '([a-z])([A-Z])', '\1 \2', 'g')), '[^a-z]+'
        ) as words
    )
    select replace(plain, '_', '') ~ 'admin(?!ton)|moderat|officiai'
      or words && '{mod,mods,staff,support}'
      or replace(plain, '_', '') ~ '^(the|reai)?(mod|staff|support|system|owner|anonymous)s?[0-9oieastbg]*$'
    from read
  $$;

-- The letters of a name as it reads, in lower case: figures and l count as what they stand for.
create function private.letters_as_read(name text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$ select regexp_replace(translate(lower(name), '01345789l', 'oieastbgi'), '[^a-z]+', '', 'g') $$;

-- A name of few letters may be part of any word, so it is reserved alone.
create function private.passes_for_site(username text) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
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
  $$;

-- The sentence that says why a username is refused, or null. Asked when a name is chosen: those that stand stay.
create function private.find_username_fault(username text) returns text
  language sql stable strict
  set search_path = ''
  as $$
    with names as (
      -- 'AnaDiscord_2' is Ana, Discord: words as a reader parts them.
      select lower(regexp_replace(regexp_replace(username, '([a-z])([A-Z])', '\1 \2', 'g'), '[_0-9]+', ' ', 'g')) as words
    )
    select case
      -- 'BadWord_99' hides its words from a reader of words.
      when private.holds_blocked_word(username)
        or private.holds_blocked_word(replace(regexp_replace(username, '([a-z])([A-Z])', '\1 \2', 'g'), '_', ' '))
        or private.holds_cut_word(username)
        then 'This username is not allowed'
      when private.holds_phone_number(username) then 'A username may not be a phone number'
      when private.passes_for_operator(username) or private.passes_for_site(username)
        then 'This username is reserved'
      when words ~ '\m(discord|insta|instagram|snapchat|tiktok|telegram|whatsapp|kik|skype|gmail|hotmail|yahoo|icloud)\M'
        or lower(username) ~ '(^|_)snap_|discord_?gg|mail_?com$'
        then 'A username may not say where to find you elsewhere'
    end
    from names
  $$;

-- How a name looks at a glance: l, I and 1 are one stroke, 0 and O one ring.
create function private.look_of_name(username text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select replace(replace(translate(lower(username), '01i5_', 'olls'), 'rn', 'm'), 'vv', 'w')
  $$;

-- Security definer, because who is an admin is nobody's to read.
create function private.looks_like_admin(person uuid, username text) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles
      join public.profiles on profiles.id = user_roles.user_id
      where user_roles.user_id <> person
        and private.look_of_name(profiles.username) = private.look_of_name(looks_like_admin.username)
    )
  $$;
revoke execute on function private.looks_like_admin(uuid, text) from public;
grant execute on function private.looks_like_admin(uuid, text) to authenticated, service_role;

-- A text that is too long is refused before a filter reads it: five million characters, which a request may hold, cost
-- the filters half a minute, in which neither statement_timeout nor anything else stops them.
create function private.check_username() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      fault text;
    begin
      -- The table refuses what is no name by its form.
      if new.username ~ '^[A-Za-z0-9_]{3,20}$' then
        fault := case
          when private.looks_like_admin(new.id, new.username) then 'This username is reserved'
          else private.find_username_fault(new.username)
        end;
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault;
      end if;
      return new;
    end
  $$;

create trigger profiles_check_username
  before insert or update of username on public.profiles
  for each row execute function private.check_username();

-- A name such as SunnyOtter4821 that nobody has yet and that tells nothing of the e-mail address.
create function private.generate_username(email text) returns text
  language plpgsql
  set search_path = ''
  as $$
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
        candidate := adjective || noun || (10 + floor(random() * 9990)::integer)::text;
        continue when char_length(candidate) > 20
          or position(lower(adjective) in address) > 0
          or position(lower(noun) in address) > 0
          or (char_length(split_part(address, '@', 1)) > 2
            and position(split_part(address, '@', 1) in lower(candidate)) > 0)
          or exists (select from public.profiles where lower(username) = lower(candidate))
          -- Digits read as letters may make a word of it.
          or private.find_username_fault(candidate) is not null;
        return candidate;
      end loop;
      -- The words are used up, or the address holds them all.
      return 'Trader' || substr(md5(random()::text), 1, 12);
    end
  $$;
revoke execute on function private.generate_username(text) from public;

-- Two sign-ups may draw the same name at the same time: the second one draws again.
create function private.create_profile() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      loop
        insert into public.profiles (id, username) values (new.id, private.generate_username(new.email))
          on conflict do nothing;
        exit when exists (select from public.profiles where id = new.id);
      end loop;
      return new;
    end
  $$;

create trigger create_profile_at_sign_up
  after insert on auth.users
  for each row execute function private.create_profile();

-- A name that changes every minute hides who somebody is, and hundreds of ratings by one hand are no opinion. Each person
-- does so much of either in 24 hours; what was deleted since counts too. The server and the operator are not counted.
create table private.daily_acts (
  user_id uuid not null references public.profiles (id) on delete cascade,
  act text not null constraint daily_acts_act_is_known check (act in ('rate', 'rename')),
  done timestamptz[] not null,
  primary key (user_id, act)
);
comment on table private.daily_acts is 'When each person did within the last 24 hours what is limited by the day.';

-- The row's lock makes acts of the same moment count each other.
create function private.count_daily_act(person uuid, what text, most integer, refusal text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      recent integer;
    begin
      insert into private.daily_acts as acts (user_id, act, done) values (person, what, array[now()])
        on conflict (user_id, act) do update
          set done = array(select at from unnest(acts.done) as at where at > now() - interval '24 hours') || now()
        returning cardinality(done) into recent;
      if recent > most then
        raise exception using errcode = 'PT429', message = refusal;
      end if;
    end
  $$;
revoke execute on function private.count_daily_act(uuid, text, integer, text) from public;

create function private.limit_renames() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if new.id = (select auth.uid()) then
        perform private.count_daily_act(
          new.id, 'rename', 3, 'You can change your username 3 times a day. Please try again tomorrow.'
        );
      end if;
      return null;
    end
  $$;

create trigger profiles_limit_renames
  after update of username on public.profiles
  for each row when (old.username is distinct from new.username)
  execute function private.limit_renames();

-- People delete their own account, with everything that hangs on it: profile, saved trades, ratings, messages, mutes,
-- reports. Only from a session that is still open and was signed in to within ten minutes, with the second factor
-- where there is one: a token that was stolen, or a device left open, must not be enough.
create function private.has_proved_lately(claims jsonb) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
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
  $$;
revoke execute on function private.has_proved_lately(jsonb) from public;

create function public.delete_own_account() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if not private.has_proved_lately(auth.jwt()) then
        raise exception using
          errcode = 'PT403', message = 'Please log in again first: deleting an account needs a fresh sign-in';
      end if;
      delete from auth.users where id = (select auth.uid());
    end
  $$;
comment on function public.delete_own_account() is
  'Deletes the account of whoever calls it within ten minutes of signing in, and all that hangs on it.';
revoke execute on function public.delete_own_account() from public, anon, service_role;
grant execute on function public.delete_own_account() to authenticated;

create function public.list_own_account_log()
  returns table (created_at timestamptz, action text, ip text)
  language sql stable security definer
  set search_path = ''
  as $$
    select entries.created_at, entries.payload ->> 'action', entries.ip_address::text
    from auth.audit_log_entries as entries
    where entries.payload ->> 'actor_id' = (select auth.uid())::text
      and not (select private.owes_second_factor())
    order by entries.created_at
  $$;
comment on function public.list_own_account_log() is
  'What the log of accounts holds of whoever calls it, the oldest first.';

-- What the auth service keeps of a person besides the account itself, for the file of all their data: sign-ins that are
-- still open, and the log of what was done with the account. Nobody reads another's, and half a sign-in reads nothing.
create function public.list_own_sessions()
  returns table (created_at timestamptz, refreshed_at timestamptz, user_agent text, ip text)
  language sql stable security definer
  set search_path = ''
  as $$
    select sessions.created_at, sessions.refreshed_at at time zone 'utc', sessions.user_agent, host(sessions.ip)
    from auth.sessions as sessions
    where sessions.user_id = (select auth.uid()) and not (select private.owes_second_factor())
    order by sessions.created_at
  $$;
comment on function public.list_own_sessions() is 'The open sign-ins of whoever calls it, the oldest first.';
revoke execute on function public.list_own_sessions(), public.list_own_account_log() from public, anon, service_role;
grant execute on function public.list_own_sessions(), public.list_own_account_log() to authenticated;

-- The number that a value text stands for: '640M', '1.5b', '1,500,000', '2 T'; null when it is unpriced, which is not
-- the same as worth 0. Commas and spaces are taken only where they part thousands, so that '1,5M' is not fifteen
-- million. The same grammar as parseValue() in domain/values/value-text.ts; a test holds the two together.
create function private.parse_value_text(value text) returns numeric
  language plpgsql immutable strict parallel safe
  set search_path = ''
  as $$
    declare
      parts text[];
      number numeric;
    begin
      -- No column holds more than 20 characters; a longer text is not worth a parse.
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
      -- Beyond what a number in the browser can be.
      return case when number < 1.7976931348623158e308 then trim_scale(number) end;
    end
  $$;

-- The groups that the values list shows as tabs.
create table public.categories (
  id uuid not null primary key default gen_random_uuid(),
  slug text not null unique
    constraint categories_slug_has_1_to_50_characters check (char_length(slug) between 1 and 50)
    constraint categories_slug_has_only_lowercase_letters_digits_and_hyphens check (slug ~ '^[a-z0-9-]+$'),
  name text not null
    constraint categories_name_has_1_to_50_characters
    check (char_length(name) <= 50 and private.trim_text(name) <> ''),
  icon text not null default ''
    constraint categories_icon_has_at_most_10_characters check (char_length(icon) <= 10),
  display_order integer not null default 0
    constraint categories_display_order_is_0_to_9999 check (display_order between 0 and 9999),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.categories is 'Groups of items, in the order of their tabs.';
comment on column public.categories.icon is 'An emoji.';

create index categories_display_order_idx on public.categories (display_order);

alter table public.categories enable row level security;
create policy "Everybody sees categories" on public.categories
  for select to anon, authenticated
  using (true);

create policy "Admins add categories" on public.categories
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change categories" on public.categories
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins delete categories" on public.categories
  for delete to authenticated
  using ((select private.is_admin()));

revoke all on table public.categories from anon, authenticated;
grant select on table public.categories to anon, authenticated;
grant insert (slug, name, icon, display_order, updated_at) on table public.categories to authenticated;
grant update (slug, name, icon, display_order, updated_at) on table public.categories to authenticated;
grant delete on table public.categories to authenticated;
grant all on table public.categories to service_role;

create trigger categories_stamp_update
  before insert or update on public.categories
  for each row execute function private.stamp_update();

-- The catalogue. Values are kept as the text that admins type ('100M'), and as the number it stands for: lists are
-- ordered by the number, since the text '9M' would come before '100M'. A null number is an unpriced value.

-- Custom fields are an object with keys custom_… and plain values.
create function private.is_custom_fields(fields jsonb) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select case when jsonb_typeof(fields) = 'object' then not exists (
      select from jsonb_each(fields) as field
      where field.key !~ '^custom_\S{1,50}$' or jsonb_typeof(field.value) not in ('string', 'number', 'boolean')
    ) else false end
  $$;

create table public.items (
  id uuid not null primary key default gen_random_uuid(),
  name text not null
    constraint items_name_has_1_to_100_characters
    check (char_length(name) <= 100 and private.trim_text(name) <> ''),
  slug text not null unique
    constraint items_slug_has_1_to_100_characters check (char_length(slug) between 1 and 100)
    constraint items_slug_has_only_lowercase_letters_digits_and_hyphens check (slug ~ '^[a-z0-9-]+$'),
  category_id uuid references public.categories (id) on delete restrict,
  image_url text
    constraint items_image_url_has_at_most_2048_characters check (char_length(image_url) <= 2048)
    constraint items_image_url_is_a_web_address check (image_url ~ '^(https?://|/)'),
  rarity text not null default 'common'
    constraint items_rarity_is_known check (rarity in ('common', 'uncommon', 'rare', 'legendary', 'mythical')),
  demand text not null default 'medium'
    constraint items_demand_is_known check (demand in ('low', 'medium', 'high', 'very_high')),
  type text not null default 'fruit'
    constraint items_type_is_known
    check (type in ('fruit', 'gamepass', 'item', 'material', 'weapon', 'accessory')),
  is_permanent boolean not null default false,
  current_value text not null default '0'
    constraint items_current_value_has_1_to_20_characters
    check (char_length(current_value) <= 20 and private.trim_text(current_value) <> ''),
  previous_value text not null default '0'
    constraint items_previous_value_has_1_to_20_characters
    check (char_length(previous_value) <= 20 and private.trim_text(previous_value) <> ''),
  permanent_value text
    constraint items_permanent_value_has_at_most_20_characters check (char_length(permanent_value) <= 20),
  permanent_previous_value text
    constraint items_permanent_previous_value_has_at_most_20_characters
    check (char_length(permanent_previous_value) <= 20),
  beli_price text
    constraint items_beli_price_has_at_most_20_characters check (char_length(beli_price) <= 20),
  robux_price text
    constraint items_robux_price_has_at_most_20_characters check (char_length(robux_price) <= 20),
  current_value_number numeric generated always as (private.parse_value_text(current_value)) stored,
  previous_value_number numeric generated always as (private.parse_value_text(previous_value)) stored,
  permanent_value_number numeric generated always as (private.parse_value_text(permanent_value)) stored,
  permanent_previous_value_number numeric
    generated always as (private.parse_value_text(permanent_previous_value)) stored,
  beli_price_number numeric generated always as (private.parse_value_text(beli_price)) stored,
  robux_price_number numeric generated always as (private.parse_value_text(robux_price)) stored,
  custom_fields jsonb not null default '{}'
    constraint items_custom_fields_have_custom_keys_and_plain_values check (private.is_custom_fields(custom_fields))
    constraint items_custom_fields_have_at_most_10000_characters check (char_length(custom_fields::text) <= 10000),
  values_checked_at timestamptz not null default now(),
  change_reason text
    constraint items_change_reason_has_at_most_200_characters check (char_length(change_reason) <= 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.items is 'The catalogue of tradable items with their values.';
comment on column public.items.permanent_value is 'Null when the item has no permanent value.';
comment on column public.items.current_value_number is 'The number current_value stands for; null when unpriced.';
comment on column public.items.values_checked_at is
  'When the values were last changed, or checked and found right. Insert into item_value_checks to move it.';
comment on column public.items.change_reason is
  'Write only: send it along with a changed value, and it is kept with the change in item_value_changes.';

-- One index for each order of the list, unpriced last, ties by name.
create index items_current_value_number_idx on public.items (current_value_number desc nulls last, name);
create index items_permanent_value_number_idx on public.items (permanent_value_number desc nulls last, name);
create index items_name_idx on public.items (name);
create index items_category_id_idx on public.items (category_id);

-- For the question above.
create index items_image_url_idx on public.items (image_url);

alter table public.items enable row level security;
create policy "Everybody sees items" on public.items
  for select to anon, authenticated
  using (true);

create policy "Admins add items" on public.items
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change items" on public.items
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins delete items" on public.items
  for delete to authenticated
  using ((select private.is_admin()));

revoke all on table public.items from anon, authenticated;
grant select on table public.items to anon, authenticated;

-- Not values_checked_at: a check is a row of item_value_checks, with the name of who checked.
grant insert (
  name, slug, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
  permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, change_reason, updated_at
) on table public.items to authenticated;
grant update (
  name, slug, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
  permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, change_reason, updated_at
) on table public.items to authenticated;
grant delete on table public.items to authenticated;
grant all on table public.items to service_role;

create trigger items_stamp_insert
  before insert on public.items
  for each row execute function private.stamp_update();

-- The foreign key would refuse this as well, with a sentence that only a developer understands.
create function private.keep_used_category() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      count integer := (select count(*) from public.items where category_id = old.id);
    begin
      if count > 0 then
        raise exception using
          errcode = 'foreign_key_violation',
          message = format('The category %s still has %s; move or delete them first', old.name,
            case count when 1 then '1 item' else count || ' items' end);
      end if;
      return old;
    end
  $$;

create trigger categories_keep_used_category
  before delete on public.categories
  for each row execute function private.keep_used_category();

-- Which fields a page shows. A page without a row shows all of them.
create table public.page_configurations (
  id uuid not null primary key default gen_random_uuid(),
  page_name text not null unique
    constraint page_configurations_page_name_is_known
    check (page_name in ('values', 'fruit_detail', 'calculator', 'trade_history')),
  visible_fields text[] not null default '{}'
    constraint page_configurations_visible_fields_is_a_list_of_names
    check (
      coalesce(array_ndims(visible_fields), 1) = 1
      and array_position(visible_fields, null) is null
      and cardinality(visible_fields) <= 200
      and char_length(array_to_string(visible_fields, '')) <= 10000
    ),
  updated_at timestamptz not null default now()
);
comment on table public.page_configurations is 'The fields that each page shows; a page without a row shows all.';

alter table public.page_configurations enable row level security;
create policy "Everybody sees page configurations" on public.page_configurations
  for select to anon, authenticated
  using (true);

create policy "Admins add page configurations" on public.page_configurations
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change page configurations" on public.page_configurations
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins delete page configurations" on public.page_configurations
  for delete to authenticated
  using ((select private.is_admin()));

revoke all on table public.page_configurations from anon, authenticated;
grant select on table public.page_configurations to anon, authenticated;
grant insert (page_name, visible_fields, updated_at) on table public.page_configurations to authenticated;
grant update (page_name, visible_fields, updated_at) on table public.page_configurations to authenticated;
grant delete on table public.page_configurations to authenticated;
grant all on table public.page_configurations to service_role;

create trigger page_configurations_stamp_update
  before insert or update on public.page_configurations
  for each row execute function private.stamp_update();

-- The fields of the item form: the eight standard ones, and the custom ones that admins define. The browser keeps a
-- copy under adminFieldConfig; this table wins, so that a second admin or browser has the same fields.
create table public.field_definitions (
  id uuid not null primary key default gen_random_uuid(),
  name text not null unique
    constraint field_definitions_name_is_standard_or_custom
    check (
      name in (
        'name', 'slug', 'category_id', 'rarity', 'type', 'demand', 'current_value', 'previous_value'
      )
      or name ~ '^custom_\S{1,50}$'
    ),
  label text not null
    constraint field_definitions_label_has_1_to_50_characters
    check (char_length(label) <= 50 and private.trim_text(label) <> ''),
  type text not null default 'text'
    constraint field_definitions_type_is_known check (type in ('text', 'select', 'number', 'checkbox')),
  options text[] not null default '{}'
    constraint field_definitions_options_is_a_list_of_words
    check (
      coalesce(array_ndims(options), 1) = 1
      and array_position(options, null) is null
      and cardinality(options) <= 100
      and char_length(array_to_string(options, '')) <= 5000
    ),
  visible boolean not null default true,
  required boolean not null default false,
  display_order integer not null default 100
    constraint field_definitions_display_order_is_0_to_9999 check (display_order between 0 and 9999),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint field_definitions_required_fields_are_visible check (visible or not required),
  constraint field_definitions_name_and_category_are_required check (required or name not in ('name', 'category_id'))
);
comment on table public.field_definitions is 'The fields of the item form, standard and custom.';
comment on column public.field_definitions.name is
  'A column of items, or the key of a custom field in items.custom_fields.';

alter table public.field_definitions enable row level security;
create policy "Everybody sees field definitions" on public.field_definitions
  for select to anon, authenticated
  using (true);

create policy "Admins add custom fields" on public.field_definitions
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change field definitions" on public.field_definitions
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

-- What items hold in a removed field stays there, and comes back with it.
create policy "Admins delete custom fields" on public.field_definitions
  for delete to authenticated
  using (starts_with(name, 'custom_') and (select private.is_admin()));

revoke all on table public.field_definitions from anon, authenticated;
grant select on table public.field_definitions to anon, authenticated;
grant insert (name, label, type, options, visible, required, display_order, updated_at)
  on table public.field_definitions to authenticated;
grant update (name, label, type, options, visible, required, display_order, updated_at)
  on table public.field_definitions to authenticated;
grant delete on table public.field_definitions to authenticated;
grant all on table public.field_definitions to service_role;

create trigger field_definitions_stamp_update
  before insert or update on public.field_definitions
  for each row execute function private.stamp_update();

-- The update grant covers name, because an upsert writes it; renaming would part a field from what items hold in it.
create function private.keep_field_name() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      raise exception using errcode = 'check_violation', message = 'The name of a field cannot be changed';
    end
  $$;

create trigger field_definitions_keep_field_name
  before update of name on public.field_definitions
  for each row when (old.name is distinct from new.name)
  execute function private.keep_field_name();

-- Nobody rewrites history, not even with the secret key. Two things only may happen to a row: it goes with its item,
-- and it forgets a person whose account is gone.
create function private.keep_item_record() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      person_column constant text := tg_argv[0];
      person constant uuid := (to_jsonb(old) ->> person_column)::uuid;
      -- Generated columns are not yet computed in the new row.
      before constant jsonb := to_jsonb(old) - array['old_number', 'new_number'];
      after constant jsonb := to_jsonb(new) - array['old_number', 'new_number'];
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
  $$;

-- The ledger: every change of a value from the first day on, written by a trigger, readable by all, changeable by
-- nobody. It is what the chart of an item is drawn from.
create table public.item_value_changes (
  id bigint not null generated always as identity primary key,
  item_id uuid not null references public.items (id) on delete cascade,
  mode text not null constraint item_value_changes_mode_is_known check (mode in ('regular', 'permanent')),
  old_value text,
  new_value text,
  old_number numeric generated always as (private.parse_value_text(old_value)) stored,
  new_number numeric generated always as (private.parse_value_text(new_value)) stored,
  reason text constraint item_value_changes_reason_has_at_most_200_characters check (char_length(reason) <= 200),
  changed_by uuid references public.profiles (id) on delete set null,
  changed_at timestamptz not null default now()
);
comment on table public.item_value_changes is 'Every change of an item''s value, oldest first by changed_at.';
comment on column public.item_value_changes.new_number is 'Null when the value became unpriced.';

create index item_value_changes_item_id_changed_at_idx on public.item_value_changes (item_id, changed_at);
create index item_value_changes_changed_by_idx on public.item_value_changes (changed_by);

alter table public.item_value_changes enable row level security;
create policy "Everybody sees value changes" on public.item_value_changes
  for select to anon, authenticated
  using (true);

revoke all on table public.item_value_changes from anon, authenticated, service_role;
grant select on table public.item_value_changes to anon, authenticated, service_role;

create trigger item_value_changes_keep_record
  before update or delete on public.item_value_changes
  for each row execute function private.keep_item_record('changed_by');

create trigger item_value_changes_refuse_truncate
  before truncate on public.item_value_changes
  for each statement execute function private.refuse_truncate();

-- Stamps each edit of an item, and writes changed values into the ledger. A respelling ('1000K', '1M') is no change.
-- Security definer, because nobody who edits items may write the ledger by themselves.
create function private.follow_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      changed_by constant uuid := (select id from public.profiles where id = (select auth.uid()));
      regular_changed constant boolean :=
        old.current_value_number is distinct from private.parse_value_text(new.current_value);
      permanent_changed constant boolean :=
        old.permanent_value_number is distinct from private.parse_value_text(new.permanent_value);
      reason constant text := nullif(private.trim_text(new.change_reason), '');
    begin
      if regular_changed then
        insert into public.item_value_changes (item_id, mode, old_value, new_value, reason, changed_by)
        values (old.id, 'regular', old.current_value, new.current_value, reason, changed_by);
      end if;
      if permanent_changed then
        insert into public.item_value_changes (item_id, mode, old_value, new_value, reason, changed_by)
        values (old.id, 'permanent', old.permanent_value, new.permanent_value, reason, changed_by);
      end if;

      -- A check moves values_checked_at alone, which nobody else may write: that is no edit.
      if regular_changed or permanent_changed then
        new.values_checked_at := now();
      elsif new.values_checked_at is distinct from old.values_checked_at then
        new.updated_at := old.updated_at;
        return new;
      end if;
      new.change_reason := null;
      new.updated_at := now();
      return new;
    end
  $$;

create trigger items_follow_item
  before update on public.items
  for each row execute function private.follow_item();

-- A new item's values are its first changes, from nothing. After the insert, because the ledger refers to the item.
create function private.record_first_values() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      changed_by constant uuid := (select id from public.profiles where id = (select auth.uid()));
    begin
      insert into public.item_value_changes (item_id, mode, new_value, reason, changed_by)
      select new.id, mode, value, nullif(private.trim_text(new.change_reason), ''), changed_by
      from (values ('regular', new.current_value), ('permanent', new.permanent_value)) as first_values (mode, value)
      where private.parse_value_text(value) is not null;
      if new.change_reason is not null then
        update public.items set change_reason = null where id = new.id;
      end if;
      return null;
    end
  $$;

create trigger items_record_first_values
  after insert on public.items
  for each row execute function private.record_first_values();

-- "Still right": an admin looked at an item's values and left them. Insert { item_id }; the rest is filled in.
create table public.item_value_checks (
  id bigint not null generated always as identity primary key,
  item_id uuid not null references public.items (id) on delete cascade,
  checked_by uuid default auth.uid() references public.profiles (id) on delete set null,
  checked_at timestamptz not null default now()
);
comment on table public.item_value_checks is 'When an item''s values were found still right, and by whom.';

create index item_value_checks_item_id_checked_at_idx on public.item_value_checks (item_id, checked_at desc);
create index item_value_checks_checked_by_idx on public.item_value_checks (checked_by);

alter table public.item_value_checks enable row level security;
create policy "Everybody sees value checks" on public.item_value_checks
  for select to anon, authenticated
  using (true);

create policy "Admins add value checks" on public.item_value_checks
  for insert to authenticated
  with check ((select private.is_admin()));

revoke all on table public.item_value_checks from anon, authenticated, service_role;
grant select on table public.item_value_checks to anon, authenticated, service_role;
grant insert (item_id) on table public.item_value_checks to authenticated, service_role;

create trigger item_value_checks_keep_record
  before update or delete on public.item_value_checks
  for each row execute function private.keep_item_record('checked_by');

create trigger item_value_checks_refuse_truncate
  before truncate on public.item_value_checks
  for each statement execute function private.refuse_truncate();

create function private.follow_value_check() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      update public.items
        set values_checked_at = new.checked_at
        where id = new.item_id and values_checked_at < new.checked_at;
      return null;
    end
  $$;

create trigger item_value_checks_follow_value_check
  after insert on public.item_value_checks
  for each row execute function private.follow_value_check();

-- Many items at once, from a file: all of it or nothing. The caller's own rights hold for every row, and each change
-- goes into the ledger as if it had been made by hand. Each element of `changes` is a whole item. With an id it changes
-- that item, if it is still as it was at `updated_at`; without one it is new. `removals` are items with id and
-- updated_at, which is how an import is taken back.
create function public.import_items(changes jsonb, removals jsonb default '[]', reason text default null)
  returns setof public.items
  language plpgsql
  set search_path = ''
  as $$
    declare
      touched constant jsonb := changes || removals;
      stale text;
    begin
      if row_security_active('public.items') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins import items';
      end if;
      if jsonb_array_length(touched) > 5000 then
        raise exception using
          errcode = 'check_violation', message = 'Too many items at once: at most 5000';
      end if;

      -- In one order for everybody, so that two imports wait for each other and never for themselves.
      perform from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(touched) as element)
        order by id for update;
      select string_agg(coalesce(items.name, expected.name, expected.id::text), ', ' order by items.name) into stale
        from jsonb_to_recordset(touched) as expected (id uuid, updated_at timestamptz, name text)
        left join public.items on items.id = expected.id
        where expected.id is not null and items.updated_at is distinct from expected.updated_at;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by somebody else meanwhile: %s', left(stale, 300)),
          hint = 'Nothing was imported. Choose the file again to compare it with what is there now.';
      end if;

      delete from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(removals) as element);

      return query
        update public.items set
          name = change.name, slug = change.slug, category_id = change.category_id, image_url = change.image_url,
          rarity = change.rarity, demand = change.demand, type = change.type, is_permanent = change.is_permanent,
          current_value = change.current_value, previous_value = change.previous_value,
          permanent_value = change.permanent_value, permanent_previous_value = change.permanent_previous_value,
          beli_price = change.beli_price, robux_price = change.robux_price, custom_fields = change.custom_fields,
          change_reason = import_items.reason
        from jsonb_populate_recordset(null::public.items, changes) as change
        where items.id = change.id
        returning items.*;

      return query
        insert into public.items (
          name, slug, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, change_reason
        )
        select
          name, slug, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, beli_price, robux_price, custom_fields, import_items.reason
        from jsonb_populate_recordset(null::public.items, changes)
        where id is null
        returning items.*;
    end
  $$;
revoke all on function public.import_items(jsonb, jsonb, text) from public, anon;
grant execute on function public.import_items(jsonb, jsonb, text) to authenticated, service_role;

-- The four ad slots. Their rows are part of the schema: admins fill and enable them, nobody adds or removes one.
create table public.ads (
  id uuid not null primary key default gen_random_uuid(),
  placement text not null unique
    constraint ads_placement_is_known
    check (placement in ('values_grid', 'detail_header', 'detail_content', 'detail_sidebar')),
  ad_code text not null default ''
    constraint ads_ad_code_has_at_most_20000_characters check (char_length(ad_code) <= 20000),
  enabled boolean not null default false,
  updated_at timestamptz not null default now()
);
comment on table public.ads is 'Advertisement code by placement; shown only when enabled and not empty.';
comment on column public.ads.ad_code is 'HTML that nobody has checked: show it in a sandboxed frame only.';

alter table public.ads enable row level security;
create policy "Everybody sees ads" on public.ads
  for select to anon, authenticated
  using (true);

create policy "Admins change ads" on public.ads
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

revoke all on table public.ads from anon, authenticated;
grant select on table public.ads to anon, authenticated;
grant update (ad_code, enabled, updated_at) on table public.ads to authenticated;
grant all on table public.ads to service_role;

create trigger ads_stamp_update
  before insert or update on public.ads
  for each row execute function private.stamp_update();

-- Saved trades. A trade is seen by the person who saved it and by nobody else, admins included. What it says of values
-- is the database's own: names, values and totals that a client sends are replaced.
create table public.trade_history (
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  version smallint not null default 1
    constraint trade_history_version_is_known check (version in (0, 1)),
  your_items jsonb not null
    constraint trade_history_your_items_is_a_list check (jsonb_typeof(your_items) = 'array'),
  their_items jsonb not null
    constraint trade_history_their_items_is_a_list check (jsonb_typeof(their_items) = 'array'),
  your_total numeric not null default 0,
  their_total numeric not null default 0,
  has_unpriced boolean not null default false,
  trade_partner_email text
    constraint trade_history_trade_partner_email_has_at_most_255_characters
    check (char_length(trade_partner_email) <= 255),
  created_at timestamptz not null default now()
);
comment on table public.trade_history is 'Trades as people saved them, with the values of that moment.';
comment on column public.trade_history.version is
  'How the entries are written. 1: {id, name, value, viewMode}, with quantity where given. 0: {name, quantity}, from before.';
comment on column public.trade_history.has_unpriced is 'An entry has no value, so the totals cannot be judged.';
comment on column public.trade_history.trade_partner_email is 'Free text of the owner, shown to nobody else.';

create index trade_history_user_id_created_at_idx on public.trade_history (user_id, created_at desc);

alter table public.trade_history enable row level security;
create policy "People see their own trades" on public.trade_history
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "People save trades in their own name" on public.trade_history
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy "People delete their own trades" on public.trade_history
  for delete to authenticated
  using (user_id = (select auth.uid()));

create policy "Half a sign-in sees and does nothing here" on public.trade_history
  as restrictive for all to authenticated
  using (not (select private.owes_second_factor()))
  with check (not (select private.owes_second_factor()));

revoke all on table public.trade_history from anon, authenticated;
grant select, delete on table public.trade_history to authenticated;
grant insert (user_id, your_items, their_items, your_total, their_total, trade_partner_email)
  on table public.trade_history to authenticated;
grant all on table public.trade_history to service_role;

create function private.refuse_trade(reason text) returns void
  language plpgsql
  set search_path = ''
  as $$
    begin
      raise exception using errcode = 'invalid_parameter_value', message = reason;
    end
  $$;

-- The item that an entry means: by id, as the calculator writes it, or by name, as older entries have it.
create function private.find_traded_item(entry jsonb) returns public.items
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      item_id constant text := entry ->> 'id';
      item public.items;
    begin
      if not entry ? 'id' then
        select * into item from public.items
          where lower(items.name) = lower(private.trim_text(entry ->> 'name')) order by slug limit 1;
      elsif item_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
        select * into item from public.items where items.id = item_id::uuid;
      end if;
      return item;
    end
  $$;

-- One side of a trade with the catalogue's names and values instead of the client's, its total, and whether an entry
-- of it has no value. Refuses what is no list of one to nine known items.
create function private.settle_side(
  side text, entries jsonb, out settled jsonb, out total numeric, out has_unpriced boolean
)
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      entry jsonb;
      item public.items;
      mode text;
      quantity integer;
      value text;
    begin
      settled := '[]';
      total := 0;
      has_unpriced := false;
      if jsonb_typeof(entries) is distinct from 'array' or jsonb_array_length(entries) not between 1 and 9 then
        perform private.refuse_trade(format('%s must be a list of 1 to 9 items', side));
      end if;

      for entry in select * from jsonb_array_elements(entries) loop
        if jsonb_typeof(entry) <> 'object' then
          perform private.refuse_trade(format('Each entry of %s must be an object with the id of an item', side));
        end if;
        item := private.find_traded_item(entry);
        if item.id is null then
          perform private.refuse_trade(format(
            '%s has an item that is not in the catalogue: %s',
            side, left(coalesce(entry ->> 'name', entry ->> 'id', 'no id and no name'), 100)));
        end if;
        mode := coalesce(entry ->> 'viewMode', 'regular');
        if mode not in ('regular', 'permanent') then
          perform private.refuse_trade(format('viewMode of %s must be regular or permanent', item.name));
        end if;
        if coalesce(entry ->> 'quantity', '1') !~ '^[1-9][0-9]{0,2}$' then
          perform private.refuse_trade(format('quantity of %s must be a whole number from 1 to 999', item.name));
        end if;
        quantity := coalesce(entry ->> 'quantity', '1')::integer;
        value := case mode when 'permanent' then item.permanent_value else item.current_value end;

        settled := settled || jsonb_build_array(
          jsonb_build_object('id', item.id, 'name', item.name, 'value', value, 'viewMode', mode)
            || case when entry ? 'quantity' then jsonb_build_object('quantity', quantity) else '{}' end);
        total := total + quantity * coalesce(private.parse_value_text(value), 0);
        has_unpriced := has_unpriced or private.parse_value_text(value) is null;
      end loop;
    end
  $$;

-- Whether a side is written as before version 1: names and quantities, no ids.
create function private.is_older_side(entries jsonb) returns boolean
  language sql immutable strict
  set search_path = ''
  as $$
    select jsonb_typeof(entries) = 'array' and jsonb_array_length(entries) > 0
      and not exists (
        select from jsonb_array_elements(entries) as entry
        where entry ? 'id' or not (entry ? 'name' and entry ? 'quantity')
      )
  $$;

create function private.settle_trade() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      yours record;
      theirs record;
    begin
      -- Records brought over from elsewhere keep their totals: their items' values were those of another day. Only
      -- the database's owner and servers with the secret key can bring such; what a client writes is always settled.
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
      -- Whoever else writes a record has no say in whom its owner traded with.
      new.trade_partner_email := case
        when new.user_id = (select auth.uid()) then nullif(private.trim_text(new.trade_partner_email), '')
      end;
      return new;
    end
  $$;

create trigger trade_history_settle_trade
  before insert on public.trade_history
  for each row execute function private.settle_trade();

-- A person keeps five thousand trades at most: without an end one account could fill the disk, a thousand rows a request.
-- The owner and servers may bring over more.
create function private.require_room_for_trades() returns trigger
  language plpgsql
  set search_path = ''
  as $$
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
          message = 'There is room for 5000 saved trades: delete one to save another';
      end if;
      return null;
    end
  $$;

create trigger trade_history_require_room
  after insert on public.trade_history
  for each statement execute function private.require_room_for_trades();

-- What traders think of each other: one rating per rater and trader, which rating again replaces.
create table public.user_ratings (
  id uuid not null primary key default gen_random_uuid(),
  rater_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  rated_user_id uuid not null references public.profiles (id) on delete cascade,
  rating smallint not null constraint user_ratings_rating_is_1_to_5 check (rating between 1 and 5),
  comment text constraint user_ratings_comment_has_at_most_500_characters check (char_length(comment) <= 500),
  created_at timestamptz not null default now(),
  constraint user_ratings_one_per_rater_and_trader unique (rater_id, rated_user_id),
  constraint user_ratings_nobody_rates_themselves check (rater_id <> rated_user_id)
);
comment on table public.user_ratings is 'One rating per rater and trader; upsert on (rater_id, rated_user_id).';
comment on column public.user_ratings.created_at is 'When the rating was given, or last replaced.';

create index user_ratings_rated_user_id_created_at_idx on public.user_ratings (rated_user_id, created_at desc);

alter table public.user_ratings enable row level security;

-- Whoever may see a trader may see their ratings: the question is put to the rows of profiles that the reader sees.
create policy "A trader's ratings are seen by those who see the trader" on public.user_ratings
  for select to anon, authenticated
  using (exists (select from public.profiles where profiles.id = rated_user_id));

create policy "People rate listed traders in their own name" on public.user_ratings
  for insert to authenticated
  with check (
    rater_id = (select auth.uid())
    and exists (select from public.profiles where profiles.id = rated_user_id and profiles.listed)
  );

create policy "People change their own ratings of listed traders" on public.user_ratings
  for update to authenticated
  using (rater_id = (select auth.uid()))
  with check (
    rater_id = (select auth.uid())
    and exists (select from public.profiles where profiles.id = rated_user_id and profiles.listed)
  );

create policy "People delete their own ratings, admins any" on public.user_ratings
  for delete to authenticated
  using (rater_id = (select auth.uid()) or (select private.is_admin()));

create policy "Half a sign-in adds nothing" on public.user_ratings
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Half a sign-in changes nothing" on public.user_ratings
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Half a sign-in removes nothing" on public.user_ratings
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

revoke all on table public.user_ratings from anon, authenticated;
grant select on table public.user_ratings to anon, authenticated;
grant insert (rater_id, rated_user_id, rating, comment) on table public.user_ratings to authenticated;

-- The two ids as well, because an upsert writes them; a trigger keeps them as they are.
grant update (rater_id, rated_user_id, rating, comment) on table public.user_ratings to authenticated;
grant delete on table public.user_ratings to authenticated;
grant all on table public.user_ratings to service_role;

create function private.check_rating() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if tg_op = 'UPDATE' then
        if (new.rater_id, new.rated_user_id) is distinct from (old.rater_id, old.rated_user_id) then
          raise exception using
            errcode = 'check_violation', message = 'A rating stays with its rater and its trader';
        end if;
        new.created_at := now();
      end if;
      new.comment := nullif(private.trim_text(new.comment), '');
      -- The table refuses a longer one.
      if char_length(new.comment) <= 500 then
        new.comment := nullif(private.tidy_text(new.comment), '');
        perform private.refuse_unsafe_text(new.comment);
      end if;
      return new;
    end
  $$;

create trigger user_ratings_check_rating
  before insert or update on public.user_ratings
  for each row execute function private.check_rating();

-- Accounts made a minute ago to praise or to smear: the operator can ask for a minimum age.
create function private.check_rater_age() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      minimum constant interval := (select rating_min_account_age from private.settings);
      made_at constant timestamptz := (select created_at from auth.users where id = new.rater_id);
    begin
      if minimum > interval '0' and coalesce(made_at, now()) > now() - minimum then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Your account is too new to rate traders';
      end if;
      return new;
    end
  $$;

create trigger user_ratings_check_rater_age
  before insert on public.user_ratings
  for each row execute function private.check_rater_age();

-- Adds what a statement changed instead of counting anew, so that two people who rate a trader at once both count.
-- Security definer, because nobody who rates may write another's profile.
create function private.add_to_rating_counts(traders uuid[], ratings integer[], stars integer[]) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      -- In one order, so that two statements about the same traders wait for each other and do not block each other.
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
  $$;
revoke execute on function private.add_to_rating_counts(uuid[], integer[], integer[]) from public;

create function private.count_given_ratings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.add_to_rating_counts(array_agg(rated_user_id), array_agg(1), array_agg(rating::integer))
        from given;
      return null;
    end
  $$;

create trigger user_ratings_count_given
  after insert on public.user_ratings referencing new table as given
  for each statement execute function private.count_given_ratings();

create function private.count_changed_ratings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.add_to_rating_counts(array_agg(trader), array_agg(ratings), array_agg(stars))
        from (
          select rated_user_id as trader, 1 as ratings, rating::integer as stars from given
          union all select rated_user_id, -1, -rating from taken
        ) as changes;
      return null;
    end
  $$;

create trigger user_ratings_count_changed
  after update on public.user_ratings referencing new table as given old table as taken
  for each statement execute function private.count_changed_ratings();

create function private.count_taken_ratings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.add_to_rating_counts(array_agg(rated_user_id), array_agg(-1), array_agg(-rating::integer))
        from taken;
      return null;
    end
  $$;

create trigger user_ratings_count_taken
  after delete on public.user_ratings referencing old table as taken
  for each statement execute function private.count_taken_ratings();

create function private.limit_ratings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if new.rater_id = (select auth.uid()) then
        perform private.count_daily_act(
          new.rater_id, 'rate', 30, 'You can give 30 ratings a day. Please try again tomorrow.'
        );
      end if;
      return null;
    end
  $$;

-- After the row is there: an upsert that replaces a rating fires both triggers before it, and would count twice.
create trigger user_ratings_limit_ratings
  after insert or update on public.user_ratings
  for each row execute function private.limit_ratings();

-- A page of somebody's ratings, newest first, as a JSON list. A rater who is not to be seen has no name.
create function private.list_ratings(trader uuid, skipped integer, shown integer) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_agg(to_jsonb(newest) order by newest.created_at desc, newest.id), '[]')
    from (
      select ratings.id, raters.username as rater, ratings.rating, ratings.comment, ratings.created_at
      from public.user_ratings as ratings
      left join public.profiles as raters on raters.id = ratings.rater_id and raters.listed
      where ratings.rated_user_id = trader
      order by ratings.created_at desc, ratings.id
      offset skipped limit shown
    ) as newest
  $$;

-- A page that is too high becomes the last one, so that a shared address still shows something.
create function private.nearest_page(wanted integer, total bigint, size integer) returns integer
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select greatest(1, least(coalesce(wanted, 1), ceil(total::numeric / size)::integer))
  $$;

create function public.show_trader(username text, page integer default 1)
  returns table (
    id uuid, trader_name text, avatar_url text, rating_count integer, rating_sum integer, stars integer[],
    ratings jsonb
  )
  language sql stable
  set search_path = ''
  as $$
    select traders.id, traders.username, traders.avatar_url, traders.rating_count, traders.rating_sum,
      array(
        select count(given.rating)::integer
        from generate_series(1, 5) as star
        left join public.user_ratings as given on given.rated_user_id = traders.id and given.rating = star
        group by star order by star
      ),
      private.list_ratings(traders.id, (private.nearest_page(page, traders.rating_count, 20) - 1) * 20, 20)
    from public.profiles as traders
    where traders.listed and lower(traders.username) = lower(show_trader.username)
  $$;
comment on function public.show_trader is
  'A listed trader by name, whatever its case: how many gave one to five stars, and a page of 20 ratings, newest first.';

create function public.list_traders(search text default '', sort text default 'name', page integer default 1)
  returns table (
    id uuid, username text, avatar_url text, rating_count integer, rating_sum integer, recent_ratings jsonb,
    total integer
  )
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      page_size constant integer := 24;
      -- Of `like` the planner can tell that few names match; `_` is a letter of names, and no wildcard.
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
      -- The page is cut by keys alone: neither the rows nor the ratings of those who are skipped are read.
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
  $$;
comment on function public.list_traders is
  'A page of 24 listed traders with their three newest ratings; sort: name, best or most. total counts all that match.';
revoke execute on function public.list_traders(text, text, integer), public.show_trader(text, integer) from public;
grant execute on function public.list_traders(text, text, integer), public.show_trader(text, integer)
  to anon, authenticated, service_role;

-- Triggers of chat_messages fire in the order of their names: …_ask_for_… come before …_check_message, which counts the
-- message.

-- The live chat, and what protects the people in it: muting somebody for oneself, and reports to the admins.
create table public.chat_mutes (
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  muted_user_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, muted_user_id),
  constraint chat_mutes_nobody_mutes_themselves check (user_id <> muted_user_id)
);
comment on table public.chat_mutes is 'Whose messages a person does not want to see.';

create index chat_mutes_muted_user_id_idx on public.chat_mutes (muted_user_id);

alter table public.chat_mutes enable row level security;
create policy "People see whom they muted" on public.chat_mutes
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "People mute others for themselves" on public.chat_mutes
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy "People unmute for themselves" on public.chat_mutes
  for delete to authenticated
  using (user_id = (select auth.uid()));

create policy "Half a sign-in adds nothing" on public.chat_mutes
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Half a sign-in changes nothing" on public.chat_mutes
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Half a sign-in removes nothing" on public.chat_mutes
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

revoke all on table public.chat_mutes from anon, authenticated;
grant select, delete on table public.chat_mutes to authenticated;
grant insert (user_id, muted_user_id) on table public.chat_mutes to authenticated;
grant all on table public.chat_mutes to service_role;

create table public.chat_messages (
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  username text not null default '',
  message text not null
    constraint chat_messages_message_has_1_to_1000_characters check (char_length(message) between 1 and 1000),
  created_at timestamptz not null default now()
);
comment on table public.chat_messages is 'Chat messages, trimmed and filtered.';
comment on column public.chat_messages.username is 'The writer''s profile name of that moment, whatever the client sent.';

create index chat_messages_created_at_idx on public.chat_messages (created_at desc);
create index chat_messages_user_id_created_at_idx on public.chat_messages (user_id, created_at desc);

alter table public.chat_messages enable row level security;
create policy "People write messages in their own name" on public.chat_messages
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy "People delete their own messages, admins any" on public.chat_messages
  for delete to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

create policy "Signed-in people see every message" on public.chat_messages
  for select to authenticated
  using (true);

create policy "Half a sign-in adds nothing" on public.chat_messages
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Half a sign-in changes nothing" on public.chat_messages
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Half a sign-in removes nothing" on public.chat_messages
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

revoke all on table public.chat_messages from anon, authenticated;
grant select, delete on table public.chat_messages to authenticated;
grant insert (user_id, username, message) on table public.chat_messages to authenticated;
grant all on table public.chat_messages to service_role;

-- Sending that survives lost answers: the browser chooses a message's id, so that the same message sent again is refused
-- as stored already and never stands there twice.
grant insert (id) on table public.chat_messages to authenticated;

-- How fast each person writes, counted apart from the messages that stand.
create table private.chat_paces (
  user_id uuid not null primary key references public.profiles (id) on delete cascade,
  sent timestamptz[] not null
);
comment on table private.chat_paces is 'When each person sent their latest messages, at most as many as one may send in ten seconds.';

-- Five messages in ten seconds per person, counted apart from the messages that stand: whoever deletes what they wrote
-- does not get to write more. The lock makes messages sent at the same moment wait for each other.
create function private.limit_chat_rate(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      most constant integer := 5;
      span constant interval := interval '10 seconds';
      recent timestamptz[];
    begin
      insert into private.chat_paces as pace (user_id, sent) values (person, '{}')
        on conflict (user_id) do update set sent = pace.sent
        returning array(select at from unnest(sent) as at where at > clock_timestamp() - span order by at) into recent;
      if cardinality(recent) >= most then
        raise exception using
          errcode = 'PT429',
          message = 'You are sending messages too fast: at most 5 in 10 seconds',
          hint = ceil(extract(epoch from recent[1] + span - clock_timestamp()))::text;
      end if;
      update private.chat_paces set sent = recent || clock_timestamp() where user_id = person;
    end
  $$;

-- What a person's short messages of the last minute come to together with a new one. Offers are given figure by
-- figure too: three figures at a time are prices.
create function private.find_unsafe_together(person uuid, value text) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select private.find_unsafe(
      regexp_replace(string_agg(message, ' ' order by created_at) || ' ' || value, '(^|\s)[0-9]{3}(\s+[0-9]{3})+$', ' ')
    )
    from (
      select message, created_at from public.chat_messages
      where user_id = person and created_at > now() - interval '1 minute' and char_length(message) <= 30
      order by created_at desc limit 8
    ) as pieces
    where char_length(value) <= 30
  $$;

create function private.check_chat_message() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      refusal text;
    begin
      new.message := private.trim_text(new.message);
      if char_length(new.message) > 1000 then
        raise exception using errcode = 'check_violation', message = 'Message too long (max 1000 characters)';
      end if;
      new.message := private.tidy_text(new.message);
      -- What cannot be seen is no message either.
      if private.trim_text(private.plain_text(new.message)) = '' then
        raise exception using errcode = 'check_violation', message = 'Message cannot be empty';
      end if;
      perform private.refuse_unsafe_text(new.message);
      new.username := coalesce((select username from public.profiles where id = new.user_id), 'Anonymous');
      if row_security_active('public.chat_messages') then
        perform private.limit_chat_rate(new.user_id);
        refusal := private.find_unsafe_together(new.user_id, new.message);
        if refusal is not null then
          raise exception using errcode = 'check_violation', message = refusal;
        end if;
        new.created_at := clock_timestamp();
      end if;
      return new;
    end
  $$;

create trigger chat_messages_check_message
  before insert or update on public.chat_messages
  for each row execute function private.check_chat_message();

-- Whoever writes something bad and deletes it before anybody reports it does not get away with it: what people delete is
-- kept for a day, for reports that come late and for the admins who judge them. Then it goes for good. What goes with an
-- account, or by the hand of the operator, is not kept.
create table public.deleted_chat_messages (
  id uuid not null primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  username text not null,
  message text not null,
  created_at timestamptz not null,
  deleted_at timestamptz not null default now()
);
comment on table public.deleted_chat_messages is 'What people deleted from the chat within the last 24 hours, for the admins.';

create index deleted_chat_messages_user_id_idx on public.deleted_chat_messages (user_id);
create index deleted_chat_messages_created_at_idx on public.deleted_chat_messages (created_at);
create index deleted_chat_messages_deleted_at_idx on public.deleted_chat_messages (deleted_at);

alter table public.deleted_chat_messages enable row level security;
create policy "Admins see for a day what people deleted" on public.deleted_chat_messages
  for select to authenticated
  using (deleted_at > now() - interval '24 hours' and (select private.is_admin()));

revoke all on table public.deleted_chat_messages from anon, authenticated;
grant select on table public.deleted_chat_messages to authenticated;
grant all on table public.deleted_chat_messages to service_role;

-- Called at each deletion, and by the server every hour.
create function private.forget_deleted_messages() returns void
  language sql
  set search_path = ''
  as $$
    delete from public.deleted_chat_messages where deleted_at <= now() - interval '24 hours'
  $$;
revoke execute on function private.forget_deleted_messages() from public;

create function private.keep_deleted_message() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.forget_deleted_messages();
      insert into public.deleted_chat_messages (id, user_id, username, message, created_at)
        values (old.id, old.user_id, old.username, old.message, old.created_at)
        on conflict (id) do nothing;
      return null;
    end
  $$;
revoke execute on function private.keep_deleted_message() from public;

-- A cascade runs as the table's owner, for whom row-level security is not active.
create trigger chat_messages_keep_deleted_message
  after delete on public.chat_messages
  for each row when (row_security_active('public.chat_messages'))
  execute function private.keep_deleted_message();

-- A browser chooses its messages' ids. One that was deleted is not written again: a lost acknowledgement must not bring
-- the message back, nor a harmless text under the same id take its place before the admins.
create function private.refuse_deleted_id() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if exists (select from public.deleted_chat_messages where id = new.id) then
        raise exception using errcode = 'unique_violation', message = 'This message was sent and deleted';
      end if;
      return new;
    end
  $$;
revoke execute on function private.refuse_deleted_id() from public;

create trigger chat_messages_ask_for_deleted_id
  before insert on public.chat_messages
  for each row execute function private.refuse_deleted_id();

create view public.shown_chat_messages
  with (security_invoker = true)
  as
    select id, user_id, username, message, created_at
    from public.chat_messages
    where user_id not in (
      select chat_mutes.muted_user_id from public.chat_mutes where chat_mutes.user_id = (select auth.uid())
    );
comment on view public.shown_chat_messages is 'The messages of those whom the reader did not mute.';
revoke all on public.shown_chat_messages from anon, authenticated, service_role;
grant select on public.shown_chat_messages to authenticated, service_role;

-- What people report and how admins answer: reports with the message as it was, and silences in the chat.

create table public.chat_reports (
  id uuid not null primary key default gen_random_uuid(),
  message_id uuid references public.chat_messages (id) on delete set null,
  message text not null default '',
  reported_user_id uuid references public.profiles (id) on delete cascade,
  reporter_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  reason text constraint chat_reports_reason_has_at_most_500_characters check (char_length(reason) <= 500),
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by uuid references public.profiles (id) on delete set null,
  sent_at timestamptz,
  reported_message_id uuid,
  constraint chat_reports_one_per_reporter_and_message unique (reported_message_id, reporter_id),
  constraint chat_reports_nobody_reports_themselves check (reporter_id <> reported_user_id)
);
comment on table public.chat_reports is 'Messages that people found bad, for the admins.';
comment on column public.chat_reports.message is 'What the message said, kept when it is deleted.';
comment on column public.chat_reports.sent_at is 'When the message was sent, kept when it is deleted.';
comment on column public.chat_reports.reported_message_id is 'Which message it is about, kept when it is deleted.';

create index chat_reports_created_at_idx on public.chat_reports (created_at desc);
create index chat_reports_reported_user_id_idx on public.chat_reports (reported_user_id);
create index chat_reports_reporter_id_idx on public.chat_reports (reporter_id);
create index chat_reports_resolved_by_idx on public.chat_reports (resolved_by);

-- Open reports are few among many; admins hear of new ones live.
create index chat_reports_open_idx on public.chat_reports (created_at) where resolved_at is null;
create index chat_reports_message_id_idx on public.chat_reports (message_id);

alter table public.chat_reports enable row level security;
create policy "People see their own reports, admins all" on public.chat_reports
  for select to authenticated
  using (reporter_id = (select auth.uid()) or (select private.is_admin()));

create policy "People report messages in their own name" on public.chat_reports
  for insert to authenticated
  with check (reporter_id = (select auth.uid()));

create policy "Admins resolve reports" on public.chat_reports
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins delete reports" on public.chat_reports
  for delete to authenticated
  using ((select private.is_admin()));

create policy "Half a sign-in sees and does nothing here" on public.chat_reports
  as restrictive for all to authenticated
  using (not (select private.owes_second_factor()))
  with check (not (select private.owes_second_factor()));

revoke all on table public.chat_reports from anon, authenticated;
grant select, delete on table public.chat_reports to authenticated;
grant insert (message_id, reporter_id, reason) on table public.chat_reports to authenticated;
grant update (resolved_at) on table public.chat_reports to authenticated;
grant all on table public.chat_reports to service_role;

-- A report says what the message said and who wrote it by the database's knowledge, not by the reporter's.
create function private.fill_chat_report() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      reported record;
    begin
      -- The lock waits for a deletion that is under way, which the second look then finds.
      select user_id, message, created_at into reported
        from public.chat_messages where id = new.message_id for key share;
      new.reported_message_id := new.message_id;
      if not found then
        new.message_id := null;
        select user_id, message, created_at into reported
          from public.deleted_chat_messages
          where id = new.reported_message_id and deleted_at > now() - interval '24 hours';
      end if;
      if not found then
        raise exception using errcode = 'invalid_parameter_value', message = 'This message is gone';
      end if;
      new.message := reported.message;
      new.reported_user_id := reported.user_id;
      new.sent_at := reported.created_at;
      new.reason := nullif(private.trim_text(new.reason), '');
      return new;
    end
  $$;

create trigger chat_reports_fill_report
  before insert on public.chat_reports
  for each row execute function private.fill_chat_report();

create function private.sign_resolution() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      new.resolved_at := case when new.resolved_at is not null then now() end;
      new.resolved_by := case
        when new.resolved_at is not null then (select id from public.profiles where id = (select auth.uid()))
      end;
      return new;
    end
  $$;

create trigger chat_reports_sign_resolution
  before update of resolved_at on public.chat_reports
  for each row execute function private.sign_resolution();

-- Admins can ask a person to be silent in the chat for a time. The rest of the site stays open to that person.
create table public.chat_silences (
  user_id uuid not null primary key references public.profiles (id) on delete cascade,
  until timestamptz not null default 'infinity',
  reason text not null
    constraint chat_silences_reason_has_1_to_200_characters
    check (char_length(reason) <= 200 and private.trim_text(reason) <> ''),
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint chat_silences_end_after_they_begin check (until > created_at),
  constraint chat_silences_nobody_silences_themselves check (created_by <> user_id)
);
comment on table public.chat_silences is 'Who may not write in the chat; a silence that is over counts no more.';
comment on column public.chat_silences.until is 'When it ends by itself; infinity for good.';
comment on column public.chat_silences.reason is 'The silenced person reads it.';

create index chat_silences_created_by_idx on public.chat_silences (created_by);
create index chat_silences_until_idx on public.chat_silences (until);

alter table public.chat_silences enable row level security;
create policy "People see their own silence, admins all" on public.chat_silences
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

create policy "Admins silence people" on public.chat_silences
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change silences" on public.chat_silences
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins lift silences" on public.chat_silences
  for delete to authenticated
  using ((select private.is_admin()));

revoke all on table public.chat_silences from anon, authenticated;
grant select, delete on table public.chat_silences to authenticated;

-- user_id, because an upsert writes it: silencing somebody again replaces the silence there was.
grant insert (user_id, until, reason), update (user_id, until, reason) on table public.chat_silences to authenticated;
grant all on table public.chat_silences to service_role;

-- Imports by the owner and by servers keep the times and names that they bring.
create function private.sign_silence() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      new.reason := private.trim_text(new.reason);
      if row_security_active('public.chat_silences') then
        new.created_at := now();
        new.created_by := (select id from public.profiles where id = (select auth.uid()));
      end if;
      return new;
    end
  $$;

create trigger chat_silences_sign_silence
  before insert or update of until on public.chat_silences
  for each row execute function private.sign_silence();

-- '10 minutes', '1 hour', '7 days', rounded up: what is left is never less than said.
create function private.name_time_left(span interval) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select count || ' ' || unit || case when count > 1 then 's' else '' end
    from (values (60, 'minute', 90 * 60), (3600, 'hour', 36 * 3600), (86400, 'day', null)) as units (seconds, unit, up_to),
      ceil(extract(epoch from span) / units.seconds) as count
    where up_to is null or extract(epoch from span) <= up_to
    order by seconds limit 1
  $$;

-- What a silenced person is told; read by children.
create function private.tell_silence(silence public.chat_silences) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case
      when isfinite(silence.until) then format('You can''t write in the chat for %s, until %s UTC. Reason: %s',
        private.name_time_left(silence.until - now()),
        to_char(silence.until at time zone 'UTC', 'Mon FMDD, YYYY, FMHH12:MI AM'),
        silence.reason)
      else format('You can''t write in the chat any more. Reason: %s', silence.reason)
    end
  $$;

-- The writer's own silence is all that the writer sees; whoever writes in another's name is refused by the policy.
create function private.refuse_silenced() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      silence public.chat_silences;
    begin
      select * into silence from public.chat_silences where user_id = new.user_id and until > now();
      if silence.user_id is not null and row_security_active('public.chat_messages') then
        raise exception using
          errcode = 'PT403', message = private.tell_silence(silence), detail = silence.until::text;
      end if;
      return new;
    end
  $$;

-- Triggers fire by name: before chat_messages_check_message, which would count the message.
create trigger chat_messages_ask_for_silence
  before insert on public.chat_messages
  for each row execute function private.refuse_silenced();

create function private.stores_contact_messages() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$ select stores_contact_messages from private.settings $$;

-- What the contact form sends when the operator wants it kept here (settings.stores_contact_messages); by default
-- nothing leaves the browser, and nothing is accepted.
create table public.contact_messages (
  id uuid not null primary key default gen_random_uuid(),
  name text not null
    constraint contact_messages_name_has_1_to_100_characters
    check (char_length(name) <= 100 and private.trim_text(name) <> ''),
  email text not null
    constraint contact_messages_email_has_at_most_255_characters check (char_length(email) <= 255)
    constraint contact_messages_email_is_an_address check (email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  subject text not null
    constraint contact_messages_subject_has_1_to_200_characters
    check (char_length(subject) <= 200 and private.trim_text(subject) <> ''),
  message text not null
    constraint contact_messages_message_has_1_to_2000_characters
    check (char_length(message) <= 2000 and private.trim_text(message) <> ''),
  created_at timestamptz not null default now()
);
comment on table public.contact_messages is 'Messages to the operator; read by admins only.';

create index contact_messages_created_at_idx on public.contact_messages (created_at desc);
create index contact_messages_email_created_at_idx on public.contact_messages (lower(email), created_at);

alter table public.contact_messages enable row level security;
create policy "Everybody writes to the operator who wants it" on public.contact_messages
  for insert to anon, authenticated
  with check ((select private.stores_contact_messages()));

create policy "Admins read contact messages" on public.contact_messages
  for select to authenticated
  using ((select private.is_admin()));

create policy "Admins delete contact messages" on public.contact_messages
  for delete to authenticated
  using ((select private.is_admin()));

revoke all on table public.contact_messages from anon, authenticated;
grant insert (name, email, subject, message) on table public.contact_messages to anon, authenticated;
grant select, delete on table public.contact_messages to authenticated;
grant all on table public.contact_messages to service_role;

create table private.contact_paces (
  sender bytea not null primary key,
  sent timestamptz[] not null
);
comment on table private.contact_paces is 'When each sender wrote to the operator within the last hour.';

create function private.digest_contact_sender() returns bytea
  language sql stable
  set search_path = ''
  as $$
    select sha256(convert_to(contact_key || coalesce(
        (select auth.uid())::text,
        nullif(current_setting('request.headers', true), '')::json ->> 'x-client-network'
      ), 'UTF8'))
    from private.settings
  $$;

-- Ten an hour from one sender, three an hour with one e-mail address for answers, and against a crowd of senders a
-- hundred in ten minutes in all. The lock makes messages sent at the same moment count each other.
create function private.limit_contact_rate() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      hour_ago constant timestamptz := now() - interval '1 hour';
      me constant bytea := private.digest_contact_sender();
    begin
      perform pg_advisory_xact_lock(hashtextextended('contact_messages', 0));
      update private.contact_paces set sent = array(select at from unnest(sent) as at where at > hour_ago);
      delete from private.contact_paces where sent = '{}';
      if (select cardinality(sent) from private.contact_paces where sender = me) >= 10
        or (select count(*) from public.contact_messages
          where lower(email) = lower(new.email) and created_at > hour_ago) >= 3
        or (select count(*) from public.contact_messages
          where created_at > now() - interval '10 minutes') >= 100
      then
        raise exception using errcode = 'PT429', message = 'Too many messages right now, please try again later';
      end if;
      if me is not null then
        insert into private.contact_paces as pace (sender, sent) values (me, array[now()])
          on conflict (sender) do update set sent = pace.sent || now();
      end if;
      return new;
    end
  $$;

create trigger contact_messages_limit_rate
  before insert on public.contact_messages
  for each row execute function private.limit_contact_rate();

-- What admins did: who, when, to what, and what changed. Written by triggers, readable by admins, changeable by nobody.
create table public.admin_acts (
  id bigint not null generated always as identity primary key,
  at timestamptz not null default now(),
  admin_id uuid,
  act text not null constraint admin_acts_act_is_known check (act in ('insert', 'update', 'delete')),
  table_name text not null,
  row_id uuid not null,
  person_id uuid,
  old jsonb,
  new jsonb,
  title text
);
comment on table public.admin_acts is 'What admins did, in the order of id.';
comment on column public.admin_acts.admin_id is
  'Without a foreign key, so that the act stays when the account goes; null for the operator and servers.';
comment on column public.admin_acts.person_id is 'The person it was about, where it was about one.';
comment on column public.admin_acts.old is 'The row that was deleted, or the changed columns before.';
comment on column public.admin_acts.new is 'The row that was added, or the changed columns after.';
comment on column public.admin_acts.title is 'What the row was called; null for what is about a person.';

-- The list is read newest first, as a whole or by one of these.
create index admin_acts_admin_id_id_idx on public.admin_acts (admin_id, id);
create index admin_acts_table_name_id_idx on public.admin_acts (table_name, id);
create index admin_acts_person_id_idx on public.admin_acts (person_id) where person_id is not null;

alter table public.admin_acts enable row level security;
create policy "Admins see what admins did" on public.admin_acts
  for select to authenticated
  using ((select private.is_admin()));

revoke all on table public.admin_acts from anon, authenticated, service_role;
grant select on table public.admin_acts to authenticated, service_role;

-- Writes what an admin or a server did into admin_acts; the arguments are columns that are not kept.
create function private.record_act() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      unkept constant text[] := coalesce(tg_argv, '{}');
      before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - unkept end;
      after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - unkept end;
      known constant jsonb := coalesce(before, after);
      whole constant jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
    begin
      if tg_table_name <> 'user_roles' and not private.is_admin() and auth.role() is distinct from 'service_role' then
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
        coalesce(whole ->> 'item_id', whole ->> 'id', whole ->> 'user_id')::uuid,
        coalesce(whole ->> 'reported_user_id', whole ->> 'rater_id', whole ->> 'user_id')::uuid,
        coalesce(
          known ->> 'label', known ->> 'name', known ->> 'page_name', known ->> 'placement',
          (select name from public.items where id = (whole ->> 'item_id')::uuid)
        ),
        before, after
      );
      return null;
    end
  $$;

create trigger items_record_act
  after insert or update or delete on public.items
  for each row execute function private.record_act(
    'created_at', 'updated_at', 'values_checked_at', 'change_reason', 'current_value_number', 'previous_value_number',
    'permanent_value_number', 'permanent_previous_value_number', 'beli_price_number', 'robux_price_number'
  );

create trigger categories_record_act
  after insert or update or delete on public.categories
  for each row execute function private.record_act('created_at', 'updated_at');

create trigger page_configurations_record_act
  after insert or update or delete on public.page_configurations
  for each row execute function private.record_act('updated_at');

create trigger field_definitions_record_act
  after insert or update or delete on public.field_definitions
  for each row execute function private.record_act('created_at', 'updated_at');

create trigger ads_record_act
  after insert or update or delete on public.ads
  for each row execute function private.record_act('updated_at');

create trigger user_roles_record_act
  after insert or update or delete on public.user_roles
  for each row execute function private.record_act('created_at');

create trigger chat_silences_record_act
  after insert or update or delete on public.chat_silences
  for each row execute function private.record_act('created_at', 'created_by');

-- Who reported stays between the reporter and the admins of today.
create trigger chat_reports_record_resolution
  after delete or update of resolved_at on public.chat_reports
  for each row execute function private.record_act('reporter_id', 'resolved_by');

-- Taking back one's own message is no act of an admin.
create trigger chat_messages_record_act
  after delete on public.chat_messages
  for each row when (old.user_id is distinct from auth.uid())
  execute function private.record_act();

-- Taking back one's own rating is no act of an admin, nor is what goes by itself with an account.
create trigger user_ratings_record_act
  after delete on public.user_ratings
  for each row when (old.rater_id is distinct from auth.uid() and pg_trigger_depth() = 0)
  execute function private.record_act('rated_user_id');

-- What was deleted here is somebody's letter with an address; that it was deleted is all that stays.
create trigger contact_messages_record_act
  after delete on public.contact_messages
  for each row execute function private.record_act('id', 'name', 'email', 'subject', 'message', 'created_at');

create trigger item_value_checks_record_act
  after insert on public.item_value_checks
  for each row execute function private.record_act('id', 'item_id', 'checked_by', 'checked_at');

-- When an account is deleted, what admins did about it stays, and what it held of that person goes.
create function private.forget_person_in_acts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      update public.admin_acts set old = null, new = null where person_id = old.id;
      return null;
    end
  $$;

create trigger profiles_forget_person_in_acts
  after delete on public.profiles
  for each row execute function private.forget_person_in_acts();

-- Who may do what with the files of the two buckets, and what keeps files and the rows that show them together.
-- rows.sql makes the buckets.

-- A picture that no item shows any more goes with the item, or when another takes its place. The row is what makes a
-- file readable; the file itself is taken away by the storage service. Items may share a picture: the last one counts.
create function private.remove_item_image() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      file constant text := substring(old.image_url from '/storage/v1/object/public/item-images/([^?#]+)$');
    begin
      if file is null or exists (select from public.items where image_url = old.image_url) then
        return null;
      end if;
      -- A hosted project asks for this before it lets SQL remove the row of a file.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'item-images' and name = file;
      return null;
    end
  $$;

create trigger items_remove_deleted_image
  after delete on public.items
  for each row when (old.image_url is not null)
  execute function private.remove_item_image();

create trigger items_remove_replaced_image
  after update of image_url on public.items
  for each row when (old.image_url is not null and old.image_url is distinct from new.image_url)
  execute function private.remove_item_image();

create function private.is_own_avatar(name text) returns boolean
  language sql stable
  set search_path = ''
  as $$ select name ~ ('^' || auth.uid()::text || '/[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$') $$;

-- What a profile shows no more is removed with it. The row is what makes a file readable; the file itself is taken
-- away by the storage service.
create function private.remove_avatars() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      -- A hosted project asks for this before it lets SQL remove the row of a file.
      perform set_config('storage.allow_delete_query', 'true', true);
      if tg_op = 'DELETE' then
        delete from storage.objects where bucket_id = 'avatars' and starts_with(name, old.id::text || '/');
      else
        delete from storage.objects
        where bucket_id = 'avatars' and name = substring(old.avatar_url from '/avatars/(.+)$');
      end if;
      return null;
    end
  $$;

create trigger profiles_remove_avatars
  after delete on public.profiles
  for each row execute function private.remove_avatars();

create trigger profiles_remove_replaced_avatar
  after update of avatar_url on public.profiles
  for each row when (old.avatar_url is not null and old.avatar_url is distinct from new.avatar_url)
  execute function private.remove_avatars();

create function private.owner_of_avatar(name text) returns uuid
  language sql immutable
  set search_path = ''
  as $$ select substring(name from '^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/')::uuid $$;

-- A limit on the pictures of one person: the one that is shown, its successor, and what lost connections left.
create function private.require_few_avatars() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      person constant text := split_part(new.name, '/', 1);
      -- The one that is shown, the one that takes its place, and what a lost connection may have left.
      most constant integer := 4;
    begin
      perform pg_advisory_xact_lock(hashtextextended('avatars/' || person, 0));
      if (select count(*) from storage.objects where bucket_id = 'avatars' and starts_with(name, person || '/')) > most then
        raise exception using errcode = '42501', message = format('There is room for %s pictures of a person', most);
      end if;
      -- Who signed may have left since.
      if not exists (select from public.profiles where id = private.owner_of_avatar(new.name)) then
        raise exception using errcode = '42501', message = 'There is no such person';
      end if;
      return null;
    end
  $$;

create trigger avatars_are_few
  after insert or update of bucket_id, name on storage.objects
  for each row when (new.bucket_id = 'avatars')
  execute function private.require_few_avatars();

-- Admins take unkind pictures away: what is removed is shown by no profile any more, and the act is kept.
create function private.forget_removed_avatar() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
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
      if private.is_admin() or auth.role() = 'service_role' then
        insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'delete', 'avatars', person, person);
      end if;
      return null;
    end
  $$;

create trigger avatars_forget_removed
  after delete on storage.objects
  for each row when (old.bucket_id = 'avatars')
  execute function private.forget_removed_avatar();

create policy "Admins see item images" on storage.objects
  for select to authenticated
  using (bucket_id = 'item-images' and (select private.is_admin()));

create policy "Admins add item images" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'item-images' and (select private.is_admin()));

create policy "Admins replace item images" on storage.objects
  for update to authenticated
  using (bucket_id = 'item-images' and (select private.is_admin()))
  with check (bucket_id = 'item-images' and (select private.is_admin()));

create policy "Admins remove item images" on storage.objects
  for delete to authenticated
  using (bucket_id = 'item-images' and (select private.is_admin()));

create policy "People see their own avatars, admins all" on storage.objects
  for select to authenticated
  using (bucket_id = 'avatars' and (private.is_own_avatar(name) or (select private.is_admin())));

create policy "People replace their own avatars" on storage.objects
  for update to authenticated
  using (bucket_id = 'avatars' and private.is_own_avatar(name))
  with check (bucket_id = 'avatars' and private.is_own_avatar(name));

create policy "People remove their own avatars, admins any" on storage.objects
  for delete to authenticated
  using (bucket_id = 'avatars' and (private.is_own_avatar(name) or (select private.is_admin())));

create policy "People add avatars of their own" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'avatars' and private.is_own_avatar(name));

create policy "Half a sign-in adds nothing" on storage.objects
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Half a sign-in changes nothing" on storage.objects
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Half a sign-in removes nothing" on storage.objects
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

-- The chat's private channel, `chat`: signed-in people see who is here, and show that they are. It carries nothing else:
-- messages are rows of chat_messages, so that the rules for them hold, and nobody can speak past them by a broadcast.
create policy "Signed-in people see who is in the chat" on realtime.messages
  for select to authenticated
  using (extension = 'presence' and (select realtime.topic()) = 'chat');

create policy "Signed-in people show that they are in the chat" on realtime.messages
  for insert to authenticated
  with check (extension = 'presence' and (select realtime.topic()) = 'chat');

create policy "Half a sign-in is not in the chat" on realtime.messages
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

-- The tables whose changes are followed live: by signed-in screens, and by the server, which keeps rendered pages until
-- one of them changes. Row-level security decides who is told of an insert or an update.
alter publication supabase_realtime add table
  public.items,
  public.categories,
  public.item_value_changes,
  public.page_configurations,
  public.ads,
  public.field_definitions,
  public.chat_messages,
  public.chat_reports,
  public.profiles,
  public.user_ratings;

-- Rows that the product needs and nobody types in: they come with the schema, into a fresh database and a hosted one.
-- A schema diff does not see rows, so `npm run schema` adds this file to the migration it writes whenever applying it
-- would change something. Each statement may therefore run again: it adds what is missing and leaves what people changed.

insert into private.settings (only_row) values (true) on conflict do nothing;

-- What the word filter looks for: a part anywhere in a word, a word with its endings, a phrase word by word.
insert into private.blocked_words (kind, word)
select kind, regexp_split_to_table(words, '\s+')
from (values
  ('part', 'fuck nigger nigga faggot bitch whore slut asshole porn motherf dickhead blowjob handjob shithead bullshit'),
  ('word', 'shit shitty cunt dick cock pussy penis vagina dildo cum jizz wank wanker twat bastard boob tit titty rape rapist'),
  ('word', 'raping sex sexy nude nudes horny hentai pedo paedo pedophile molest fag tranny dyke kike chink spic'),
  ('word', 'gook paki wetback beaner coon retard retarded nazi hitler kkk kys milf orgasm masturbate hooker stfu'),
  ('part', 'phuck fvck niqqa'),
  ('word', 'fuk fck fxck cnut pron nudez retart niglet erp')
) as list (kind, words)
on conflict do nothing;

insert into private.blocked_words (kind, word) values
  ('phrase', 'kill yourself'), ('phrase', 'kill your self'), ('phrase', 'hang yourself'), ('phrase', 'go die'),
  ('phrase', 'heil hitler'), ('phrase', 'send nudes'), ('phrase', 'sieg heil'),
  ('phrase', 'kill urself'), ('phrase', 'kill ur self'), ('phrase', 'unalive yourself'), ('phrase', 'unalive urself'),
  ('phrase', 'hang urself'), ('phrase', 'end your life'), ('phrase', 'end ur life'), ('phrase', 'send nood'),
  ('phrase', 'send noods'), ('phrase', 'send feet'), ('phrase', 'send pic of you'), ('phrase', 'send pic of u'),
  ('phrase', 'send pics of you'), ('phrase', 'send pics of u'), ('phrase', 'send a pic of you')
on conflict do nothing;

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

-- Pictures of people. Whoever has a picture's address sees it; each person keeps only their own, in a folder named by
-- their id. The name of a picture says nothing: it is made anew for each, so that no cache shows the old one.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('avatars', 'avatars', true, 1048576, '{image/jpeg,image/png,image/webp}')
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
