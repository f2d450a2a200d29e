-- What gets past one look at one message: words cut in two, texts handed over piece by piece, writing that runs
-- backwards, names for other apps, and usernames that pass for an admin. The table of examples is
-- tests/database/safe-text.test.ts.

insert into private.blocked_words (kind, word)
select kind, regexp_split_to_table(words, '\s+')
from (values
  ('part', 'phuck fvck niqqa'),
  ('word', 'fuk fck fxck cnut pron nudez retart niglet erp')
) as list (kind, words);

insert into private.blocked_words (kind, word) values
  ('phrase', 'kill urself'), ('phrase', 'kill ur self'), ('phrase', 'unalive yourself'), ('phrase', 'unalive urself'),
  ('phrase', 'hang urself'), ('phrase', 'end your life'), ('phrase', 'end ur life'), ('phrase', 'send nood'),
  ('phrase', 'send noods'), ('phrase', 'send feet'), ('phrase', 'send pic of you'), ('phrase', 'send pic of u'),
  ('phrase', 'send pics of you'), ('phrase', 'send pics of u'), ('phrase', 'send a pic of you');

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

-- More letters that look like others, beside those of 20261121092650_evasion.sql.
alter function private.plain_text(text) rename to latin_text;
create function private.plain_text(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select translate(
      private.latin_text(value),
      'ƒғꞙʄцʊƈҟɓɗɖɠɦɨɩɭɱɳɲŋƙƥʂʈţƭʋɯʍƴʐƶɛɜєэɔ',
      'ffffuuckbddghiilmnnnkpstttvwwyzzeeeeo'
    )
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
    )
    select exists (
      select from pieces, unnest('{"",s,ed,er,ers,ing,in}'::text[]) as ending
      join private.blocked_words as blocked on blocked.kind = 'part'
      where blocked.word || ending in (piece || second, piece || second || third)
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

-- Figures and words for figures in any mixture, however far apart they stand in the line.
create function private.holds_spoken_number(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select text <> spoken and spoken ~ '[0-9](?:[\s().,/_*~|=-]{0,6}[0-9]){8,}'
      or private.plain_text(value) ~ '(?<![0-9])[0-9](?:[\s._-]{1,6}[0-9](?![0-9])){8,}'
    from (
      select text, (
        select string_agg(coalesce(array_position('{zero,one,two,three,four,five,six,seven,eight,nine}'::text[], piece) - 1 || '', piece), '' order by place)
        from regexp_split_to_table(text, '(?<=[a-z])(?![a-z])|(?<![a-z])(?=[a-z])') with ordinality as split (piece, place)
      ) as spoken
      from (select private.plain_text(value) as text) as plain
    ) as numbers
  $$;

create or replace function private.find_unsafe(value text) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case
      when private.holds_email_address(value) then 'E-mail addresses are not allowed here'
      when private.holds_link(value) then 'Links are not allowed here'
      when private.holds_phone_number(value) or private.holds_spoken_number(value)
        then 'Phone numbers are not allowed here'
      when private.holds_blocked_word(value) or private.holds_cut_word(value)
        then 'Please keep it friendly: a word in this text is not allowed here'
      when private.holds_handle(value) then 'Please stay here: where to find people elsewhere is not allowed'
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

create or replace function private.check_chat_message() returns trigger
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

create or replace function private.check_rating() returns trigger
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


-- Usernames with a cut word, and those that are an address elsewhere. Names that stand already stay.
create or replace function private.find_username_fault(username text) returns text
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
      when private.passes_for_operator(username) then 'This username is reserved'
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

create or replace function private.check_username() returns trigger
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
