-- Rules for usernames: known words and at most four digits, and no names that pass for the site's team.

-- To a child, TheAdmin, Adm1n and Mod_Ana are as convincing as Admin. So names are compared as they read: in lower
-- case, with digits and l replaced by the letters that they resemble, and also when split by underscores. The game's
-- company and developers are reserved too.
create function private.resembles_operator(username text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with read as (
      select translate(lower(username), '01345789l', 'oieastbgi') as plain,
        -- Splits 'ModTeam', 'mod_team' and 'MOD7' into words.
        regexp_split_to_array(
          lower(regexp_replace(username, '([a-z])([A-Z])', '\1 \2', 'g')), '[^a-z]+'
        ) as words
    )
    select replace(plain, '_', '') ~ 'admin(?!ton)|moderat|officiai|robiox|robiux|buiiderman|gamerrobot|ripindra|^indra|indra$|bioxfruit|deveioper'
      or words && '{mod,mods,staff,support,dev,devs,owner,official,system,helper,verified,trusted,middleman}'
      or replace(plain, '_', '') ~ '^(the|site|vaiues?|game|trad(e|er|ing)|safety|chat|fruits?|item)(team|maker|creator|boss|guard|poiice)'
      or replace(plain, '_', '') ~ '^(verified|trusted|safe|middie)(trad|man|midd|seii|deai)'
      or replace(plain, '_', '') ~ '^(the|reai)?(mod|staff|support|system|owner|anonymous)s?[0-9oieastbg]*$'
    from read
  $$;

-- The letters of a name as it reads, in lower case, with digits and l replaced by the letters that they resemble.
create function private.letters_as_read(name text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$ select regexp_replace(translate(lower(name), '01345789l', 'oieastbgi'), '[^a-z]+', '', 'g') $$;

-- A short site name may be part of any word, so it is reserved only as a whole.
create function private.resembles_site_name(username text) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    select coalesce(
        (
          select case
            -- With or without its plural s.
            when char_length(site) >= 6 then position(regexp_replace(site, 's$', '') in private.letters_as_read(username)) > 0
            else site <> '' and site = private.letters_as_read(username)
          end
          from (select private.letters_as_read(site_name) as site from private.settings) as settings
        ),
        false
      )
  $$;

create function private.is_known_in_names(word text) returns boolean
  language sql stable strict
  set search_path = ''
  as $$
    select word in ('x', 'xx', 'i', 'a') or coalesce(
      (select bool_or(kind in ('word', 'trade')) and bool_and(kind <> 'unsaid') from private.known_words where known_words.word = is_known_in_names.word), false
    )
  $$;

-- Splits a run of letters into as few known words as possible; null if that is impossible. Only a few two-letter
-- words are allowed, since many together could spell anything.
create function private.cut_into_words(letters text) returns text[]
  language plpgsql stable strict
  set search_path = ''
  as $$
    declare
      -- For each prefix, the shortest split into known words, separated by spaces.
      ways text[] := array_fill(null::text, array[length(letters)]);
      word text;
      way text;
    begin
      if private.is_known_in_names(letters) then
        return array[letters];
      end if;
      for ending in 1 .. length(letters) loop
        for beginning in 1 .. ending loop
          word := substr(letters, beginning, ending - beginning + 1);
          continue when length(word) < 3 and word not in ('of', 'my', 'mr', 'xx', 'op')
            or beginning > 1 and ways[beginning - 1] is null or not private.is_known_in_names(word);
          way := concat_ws(' ', case when beginning > 1 then ways[beginning - 1] end, word);
          if ways[ending] is null or array_length(string_to_array(way, ' '), 1) < array_length(string_to_array(ways[ending], ' '), 1) then
            ways[ending] := way;
          end if;
        end loop;
      end loop;
      return string_to_array(ways[length(letters)], ' ');
    end
  $$;

-- The words of a name as a reader would split it; 'cool_tiger_99', 'CoolTiger' and 'cooltiger' give the same. Null if
-- a piece does not consist of known words.
create function private.words_of_name(username text) returns text[]
  language plpgsql stable strict
  set search_path = ''
  as $$
    declare
      words text[] := '{}';
      piece text;
    begin
      foreach piece in array regexp_split_to_array(
        lower(regexp_replace(regexp_replace(username, '([a-z])([A-Z])', '\1 \2', 'g'), '([A-Z])([A-Z][a-z])', '\1 \2', 'g')),
        '[ _0-9]+'
      ) loop
        continue when piece = '';
        words := words || private.cut_into_words(piece);
        if private.cut_into_words(piece) is null then
          return null;
        end if;
      end loop;
      return nullif(words, '{}');
    end
  $$;

-- Whether the words of a name form a rude word across a boundary.
create function private.makes_rude_word(words text[]) returns boolean
  language sql stable strict
  set search_path = ''
  as $$
    select exists (
      select from private.known_words as rude
      where rude.kind = 'unsaid' and length(rude.word) >= case when rude.meaning in ('foulword', 'kys', 'elsewhere') then 4 else 5 end
        and position(rude.word in array_to_string(words, '')) > 0
        and not exists (select from unnest(words) as word where position(rude.word in word) > 0)
    )
  $$;

-- The forbidden word in a name, if any; also tries digits as letters, and pieces joined to one word.
create function private.forbidden_word_in_name(username text) returns text
  language sql stable strict
  set search_path = ''
  as $$
    with pieces as (
      select string_to_array(btrim(lower(regexp_replace(
        regexp_replace(spelling, '([a-z])([A-Z])', '\1 \2', 'g'), '[_0-9]+', ' ', 'g'
      ))), ' ') as list
      -- Three or more digits in a row are not read as letters: 6455 is not a word.
      from unnest(array[username, translate(regexp_replace(username, '[0-9]{3,}', '_', 'g'), '013457', 'oieast')]) as spelling
    )
    select meaning from (
      select words.meaning from pieces, unnest(list) as piece, private.known_words as words
      where words.word = piece and words.kind = 'unsaid'
      union all
      select private.meaning_of_pieces(list) from pieces
    ) as found where meaning in ('foulword', 'kys', 'elsewhere') limit 1
  $$;

-- What is wrong with a name apart from its words. A year, or a number in the range of children's ages, may reveal an
-- age.
create function private.find_form_fault(username text) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case
      when private.resembles_operator(username) or private.resembles_site_name(username) then 'This username is reserved'
      when length(regexp_replace(username, '[^0-9]', '', 'g')) > 6 then 'A username may not be a phone number'
      when length(regexp_replace(username, '[^0-9]', '', 'g')) > 4 then 'A username can have at most four digits'
      when exists (
        select from regexp_matches(username, '[0-9]+', 'g') as match
        where match[1]::integer between 8 and 17 or match[1]::integer between 1990 and 2030
      ) then 'A username may not tell how old you are: please take another number'
      when username ~ '(^|[^0-9])(69|420|88|666|1488)([^0-9]|$)' then 'This username is not allowed'
    end
  $$;

-- The reason why a username is refused, or null. Checked when a name is chosen; existing names stay until their
-- owners are asked to choose another.
create function private.find_username_fault(username text) returns text
  language plpgsql stable strict security definer
  set search_path = ''
  as $$
    declare
      fault text := private.find_form_fault(username);
      words text[];
    begin
      if fault is not null then
        return fault;
      end if;
      fault := case private.forbidden_word_in_name(username)
        when 'foulword' then 'This username is not allowed'
        when 'kys' then 'This username is not allowed'
        when 'elsewhere' then 'A username may not say where to find you elsewhere'
      end;
      if fault is not null then
        return fault;
      end if;
      words := private.words_of_name(username);
      return case
        -- A Portuguese word, but at the end of a name it reads as a domain.
        when cardinality(words) > 1 and words[cardinality(words)] = 'com' then 'A username may not say where to find you elsewhere'
        when words is null then 'A username is made of words that the site knows: try one of the suggestions'
        when private.makes_rude_word(words)
          or private.find_harm(array(
            select coalesce((select meaning from private.known_words where known_words.word = part order by rank limit 1), part)
            from unnest(words) with ordinality as parts (part, place) order by place
          ), array_fill(false, array[cardinality(words)])) is not null then 'This username is not allowed'
      end;
    end
  $$;

-- How a name looks at a glance: l, I and 1 are the same, as are 0 and O.
create function private.lookalike_key(username text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select replace(replace(translate(lower(username), '01i5_', 'olls'), 'rn', 'm'), 'vv', 'w')
  $$;

-- Serializes the choice of names that look alike, so that each is compared with those chosen meanwhile.
create function private.lock_lookalikes(name text) returns void
  language sql
  set search_path = ''
  as $$
    select pg_advisory_xact_lock(hashtextextended('names/' || private.lookalike_key(name), 0))
  $$;

-- Whether a name resembles the username of an admin, editor or moderator. Only for names that the server writes: users
-- may not learn who they are, so they get the same message for every trader's name.
create function private.looks_like_admin(person uuid, username text) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles
      join public.profiles on profiles.id = user_roles.user_id
      where user_roles.user_id <> person
        and private.lookalike_key(profiles.username) = private.lookalike_key(looks_like_admin.username)
    )
  $$;
revoke execute on function private.looks_like_admin(uuid, text) from public;
grant execute on function private.looks_like_admin(uuid, text) to authenticated, service_role;

-- Whether a name resembles the public name of an editor, which everybody may read.
create function private.looks_like_editor_name(person uuid, username text) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    select exists (
      select from public.editor_names
      where editor_names.user_id <> person
        and private.lookalike_key(editor_names.name) = private.lookalike_key(looks_like_editor_name.username)
    )
  $$;
revoke execute on function private.looks_like_editor_name(uuid, text) from public;
grant execute on function private.looks_like_editor_name(uuid, text) to authenticated, service_role;

-- Whether a name would be taken for another trader's: Swift_Otter100 for SwiftOtter100. Security definer, because
-- traders need not be listed.
create function private.looks_like_other(person uuid, username text) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    select exists (
      select from public.profiles
      where private.lookalike_key(profiles.username) = private.lookalike_key(looks_like_other.username)
        and profiles.id <> person
        -- The same name is left to the unique index, whose error clients know.
        and lower(profiles.username) <> lower(looks_like_other.username)
    )
  $$;
revoke execute on function private.looks_like_other(uuid, text) from public;
grant execute on function private.looks_like_other(uuid, text) to authenticated, service_role;

create index profiles_lookalike_idx on public.profiles (private.lookalike_key(username));

-- Overlong text is refused before anything parses it. The server and the operator are exempt, since sign-up must work
-- no matter which vocabularies are loaded.
create function private.check_username() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      fault text;
    begin
      -- Malformed names are left to the check constraint.
      if new.username ~ '^[A-Za-z0-9_]{3,20}$' then
        -- Not for an import, which would hold a lock for each account.
        if row_security_active('public.profiles') then
          perform private.lock_lookalikes(new.username);
        end if;
        fault := case
          when private.looks_like_editor_name(new.id, new.username) then 'This username is reserved'
          when row_security_active('public.profiles') then private.find_username_fault(new.username)
          when private.looks_like_admin(new.id, new.username)
            or private.resembles_operator(new.username) or private.resembles_site_name(new.username)
            then 'This username is reserved'
        end;
        if fault is null and row_security_active('public.profiles') and private.looks_like_other(new.id, new.username) then
          fault := 'This username looks like that of another trader: please take another';
        end if;
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault, constraint = 'safe_text';
      end if;
      return new;
    end
  $$;

create trigger profiles_check_username
  before insert or update of username on public.profiles
  for each row   execute function private.check_username();

-- Generates an unused name such as SunnyOtter4821 that reveals nothing about the email address.
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
        candidate := adjective || noun || (100 + floor(random() * 9900)::integer)::text;
        continue when char_length(candidate) > 20
          or position(lower(adjective) in address) > 0
          or position(lower(noun) in address) > 0
          or (char_length(split_part(address, '@', 1)) > 2
            and position(split_part(address, '@', 1) in lower(candidate)) > 0)
          or exists (select from public.profiles where private.lookalike_key(username) = private.lookalike_key(candidate))
          or private.find_form_fault(candidate) is not null
          or private.makes_rude_word(array[lower(adjective), lower(noun)]);
        return candidate;
      end loop;
      -- No unused combination was found, or the email address contains all the words.
      return 'Trader' || substr(md5(random()::text), 1, 12);
    end
  $$;
revoke execute on function private.generate_username(text) from public;

-- Six unused names made of an adjective, a fruit or an animal, and digits.
create function public.suggest_usernames() returns setof text
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      fruits constant text[] := array(
        select name from public.items
        where type = 'fruit' and name ~ '^[A-Z][a-z]{2,7}$' and rarity in ('mythical', 'legendary')
          and name not in ('Pain', 'Gas', 'Love', 'Control', 'Bomb')
        order by random() limit 3
      );
      offered text[] := '{}';
      candidate text;
    begin
      for attempt in 1 .. 60 loop
        exit when cardinality(offered) >= 6;
        candidate := private.generate_username(null);
        if cardinality(offered) < cardinality(fruits) then
          candidate := regexp_replace(candidate, '^([A-Z][a-z]+)[A-Z][a-z]+', '\1' || fruits[cardinality(offered) + 1]);
        end if;
        continue when char_length(candidate) > 20 or private.find_username_fault(candidate) is not null
          or exists (select from public.profiles where private.lookalike_key(username) = private.lookalike_key(candidate));
        offered := offered || candidate;
      end loop;
      return query select unnest(offered);
    end
  $$;
comment on function public.suggest_usernames is 'Six usernames that are available and allowed.';
revoke execute on function public.suggest_usernames() from public, anon;
grant execute on function public.suggest_usernames() to authenticated, service_role;

-- Names that predate a rule stay, and their owners are asked to choose another.
create function public.find_own_username_fault() returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select private.find_username_fault(username) from public.profiles
    where id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
  $$;
comment on function public.find_own_username_fault is 'Why the caller''s own username should be changed, or null.';
revoke execute on function public.find_own_username_fault() from public, anon;
grant execute on function public.find_own_username_fault() to authenticated, service_role;
