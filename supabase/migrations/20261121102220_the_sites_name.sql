-- A FruitValues_Team would be believed on Fruit Values. How the site is called is configuration, which the server writes
-- here at each start; where nobody does, as on a hosted project, `update private.settings set site_name = …` says it.

alter table private.settings
  add column site_name text constraint settings_site_name_has_at_most_100_characters check (char_length(site_name) <= 100);

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
      when private.passes_for_operator(username) or private.passes_for_site(username)
        then 'This username is reserved'
      when words ~ '\m(discord|insta|instagram|snapchat|tiktok|telegram|whatsapp|kik|skype|gmail|hotmail|yahoo|icloud)\M'
        or lower(username) ~ '(^|_)snap_|discord_?gg|mail_?com$'
        then 'A username may not say where to find you elsewhere'
    end
    from names
  $$;
