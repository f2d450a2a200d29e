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

create policy "Bystanders take no name and no picture" on public.profiles
  as restrictive for update to authenticated
  using (not (select private.is_bystander()));

revoke all on table public.profiles from anon, authenticated;
grant select on table public.profiles to anon, authenticated;
grant update (username, avatar_url, listed) on table public.profiles to authenticated;
grant all on table public.profiles to service_role;

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
        -- An anonymous one needs its profile for the trades it keeps, and is shown to nobody.
        insert into public.profiles (id, username, listed)
          values (new.id, private.generate_username(new.email), not new.is_anonymous)
          on conflict do nothing;
        exit when exists (select from public.profiles where id = new.id);
      end loop;
      return new;
    end
  $$;

create trigger create_profile_at_sign_up
  after insert on auth.users
  for each row execute function private.create_profile();

create function private.list_full_account() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      update public.profiles set listed = true where id = new.id;
      -- The chat is open to it at once, where it follows something already.
      perform pg_notify('realtime_rights', new.id::text);
      return null;
    end
  $$;

create trigger list_account_that_became_full
  after update of is_anonymous on auth.users
  for each row when (old.is_anonymous and not new.is_anonymous)
  execute function private.list_full_account();

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
