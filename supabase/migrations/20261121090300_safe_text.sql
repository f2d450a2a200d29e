-- What people may not write where others read it. Most readers are minors: no links, no addresses, no phone numbers,
-- no slurs. A filter of this kind is a fence and no wall; reports and admins are there for the rest.

-- 'word': the whole word with its usual endings. 'part': also inside another word. 'phrase': several words in a row.
create table private.blocked_words (
  word text not null primary key constraint blocked_words_are_normalised check (word ~ '^[a-z]+( [a-z]+)*$'),
  kind text not null constraint blocked_words_kind_is_known check (kind in ('word', 'part', 'phrase'))
);

insert into private.blocked_words (kind, word)
select kind, regexp_split_to_table(words, '\s+')
from (values
  ('part', 'fuck nigger nigga faggot bitch whore slut asshole porn motherf dickhead blowjob handjob shithead bullshit'),
  ('word', 'shit shitty cunt dick cock pussy penis vagina dildo cum jizz wank wanker twat bastard boob tit titty rape rapist'),
  ('word', 'raping sex sexy nude nudes horny hentai pedo paedo pedophile molest fag tranny dyke kike chink spic'),
  ('word', 'gook paki wetback beaner coon retard retarded nazi hitler kkk kys milf orgasm masturbate hooker stfu')
) as list (kind, words);

insert into private.blocked_words (kind, word) values
  ('phrase', 'kill yourself'), ('phrase', 'kill your self'), ('phrase', 'hang yourself'), ('phrase', 'go die'),
  ('phrase', 'heil hitler'), ('phrase', 'send nudes'), ('phrase', 'sieg heil');

-- Look-alikes become plain lower-case letters: accents and width by Unicode, a few Cyrillic ones by hand. What cannot
-- be seen is taken out, because it would part a word for the filter and not for the reader.
create function private.plain_text(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select translate(
      lower(regexp_replace(
        normalize(value, nfkd),
        '[\u0300-\u036f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]', '', 'g'
      )),
      'аеорсухікмтнвӏ', 'aeopcyxikmthbl'
    )
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
      from letters, regexp_matches(text, '((?:\m[a-z][\s._*-]+){2,}[a-z]\M)', 'g') as match
    )
    select array_remove(
      regexp_split_to_array(plain.text, '[^a-z]+')
        || regexp_split_to_array(letters.text, '[^a-z]+')
        || coalesce(spelled.words, '{}'),
      ''
    )
    from plain, letters, spelled
  $$;

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
    )
    select exists (
      select from pressed
      join private.blocked_words as blocked on blocked.kind = 'part'
        and (position(blocked.word in pressed.word) > 0 or position(blocked.word in pressed.once) > 0)
    ) or exists (
      select from pressed, unnest('{"",s,es,ed,er,ers,ing,in}'::text[]) as ending
      join private.blocked_words as blocked on blocked.kind = 'word'
      where pressed.word = blocked.word || ending or pressed.once = blocked.word
    ) or exists (
      select from private.blocked_words as blocked
      where blocked.kind = 'phrase'
        and position(' ' || blocked.word || ' ' in
          ' ' || regexp_replace(private.plain_text(value), '[^a-z]+', ' ', 'g') || ' ') > 0
    )
  $$;

create function private.holds_link(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select private.plain_text(value) ~
      ('(https?|ftp)\s*:\s*/|\mwww\s*[.,]\s*\w|\mdiscord\s*([.,]|dot|\(dot\))?\s*gg\M|\m(youtu[.]be|t[.]me|bit[.]ly|wa[.]me)\M'
      || '|\w\s?([.]|\(dot\)|\[dot\]|\sdot\s)\s?(com|net|org|info|biz|gg|io|co|uk|de|fr|ru|br|pl|nl|tv|xyz|app|dev|link|site|shop|store|online|club|live|website|zip)\M(?!\w)')
  $$;

create function private.holds_email_address(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select private.plain_text(value) ~
      ('[^\s@]+\s?(@|\(at\)|\[at\])\s?[^\s@]+\s?([.]|\(dot\)|\[dot\]|\sdot\s)\s?[a-z]{2,}'
      || '|\w\s+at\s+(gmail|hotmail|outlook|yahoo|icloud|proton|protonmail|gmx|aol|live)\M'
      || '|@\s?(gmail|hotmail|outlook|yahoo|icloud|proton|protonmail|gmx|aol)\M')
  $$;

-- Nine digits or more in a row, however they are parted. Values are numbers too: what ends in 000 or is parted by
-- commas at each thousand is a price.
create function private.holds_phone_number(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select exists (
      select from regexp_matches(private.plain_text(value), '(\+?\(?[0-9](?:[\s().,/-]{0,3}[0-9]){8,})', 'g') as match
      where match[1] !~ '000$' and match[1] !~ '^[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?$'
    )
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
      when private.holds_blocked_word(value) then 'Please keep it friendly: a word in this text is not allowed here'
    end
  $$;

create function private.refuse_unsafe_text(value text) returns void
  language plpgsql
  set search_path = ''
  as $$
    declare
      refusal text := private.find_unsafe(value);
    begin
      if refusal is not null then
        raise exception using errcode = 'check_violation', message = refusal;
      end if;
    end
  $$;
