-- Normalization of text before it is judged: look-alike characters become the letters that they stand for, and links
-- and addresses become recognizable.

-- Maps look-alikes from other scripts and letter-like symbols to Latin letters, in the order of those letters.
create function private.latin_text(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
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
  $$;

-- Nearly every text is plain ASCII and needs only lower-casing.
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

-- The text with runs of single characters ('e x a m p l e . c o m') joined to words, and with disguised dots
-- ('(dot)', '[.]', ' d0t ') replaced.
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

-- The text as stored, so that the filter and readers see the same. Bidirectional control characters are removed,
-- since 'moc.elpmaxe' reversed is an address. At most three combining marks per letter and one empty line in a row
-- are kept, so that a message can neither cover others nor push them away.
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
