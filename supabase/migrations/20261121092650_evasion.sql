-- What people write to get past the filter of 20261121090300_safe_text.sql, and ordinary trade talk that it took for
-- something else. tests/database/safe-text.test.ts is the table of examples both ways.

-- Look-alikes of other scripts and of letters drawn as signs, in the order of what they look like.
create or replace function private.plain_text(value text) returns text
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

-- The words of a text, also as they read with digits for letters ('sh1t') and when spelled out ('s h i t').
create or replace function private.words_of(value text) returns text[]
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

create or replace function private.holds_link(value text) returns boolean
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

create or replace function private.holds_email_address(value text) returns boolean
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

-- Nine digits or more in a row, however they are parted, or seven spelled out. Values are numbers too: what ends in 000,
-- is parted by commas at each thousand, or is a row of round figures ('100 200 350') is a price.
create or replace function private.holds_phone_number(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with plain as (select private.plain_text(value) as text)
    select exists (
      select from plain, regexp_matches(text, '(\+?\(?[0-9](?:[\s().,/_*~|=-]{0,3}[0-9]){8,})', 'g') as match
      where match[1] !~ '000$'
        and match[1] !~ '^[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?$'
        and match[1] !~ '^[0-9]+0([\s,/|-]+[0-9]+0)+$'
    ) or exists (
      select from plain
      where text ~ '(\m(zero|oh|one|two|three|four|five|six|seven|eight|nine|[0-9])\M[\s,._/-]*){7,}'
        and text ~ '(\m(zero|one|two|three|four|five|six|seven|eight|nine)\M.*){4,}'
    )
  $$;
