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

create or replace function private.find_username_fault(username text) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case
      -- 'BadWord_99' hides its words from a reader of words.
      when private.holds_blocked_word(username)
        or private.holds_blocked_word(replace(regexp_replace(username, '([a-z])([A-Z])', '\1 \2', 'g'), '_', ' '))
        then 'This username is not allowed'
      when private.holds_phone_number(username) then 'A username may not be a phone number'
      when private.passes_for_operator(username) then 'This username is reserved'
    end
  $$;
