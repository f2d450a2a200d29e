-- What others see of a person: a name and a picture, never the e-mail address. Every account has a profile from
-- sign-up on, with a name made of harmless words, so that no page ever needs another name to show.

create table public.profiles (
  id uuid not null primary key references auth.users (id) on delete cascade,
  username text not null
    constraint profiles_username_has_3_to_20_letters_digits_or_underscores check (username ~ '^[A-Za-z0-9_]{3,20}$'),
  avatar_url text
    constraint profiles_avatar_url_has_at_most_2048_characters check (char_length(avatar_url) <= 2048)
    constraint profiles_avatar_url_is_a_web_address check (avatar_url ~ '^(https?://|/)'),
  listed boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.profiles is 'A person as others see them.';
comment on column public.profiles.listed is 'Whether the community page shows this person, and others may rate them.';

-- Ana and ana would be taken for the same person.
create unique index profiles_username_is_unique_regardless_of_case on public.profiles (lower(username));
create index profiles_username_idx on public.profiles (username);

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

revoke all on table public.profiles from anon, authenticated;
grant select on table public.profiles to anon, authenticated;
grant update (username, avatar_url, listed, updated_at) on table public.profiles to authenticated;
grant all on table public.profiles to service_role;

create trigger profiles_stamp_update
  before insert or update on public.profiles
  for each row execute function private.stamp_update();

-- A name is read by everybody, and must not pass for one of the operator's people. The sentence that says why a name
-- is refused, or null; its form is held by the table.
create function private.find_username_fault(username text) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case
      -- 'BadWord_99' hides its words from a reader of words.
      when private.holds_blocked_word(username)
        or private.holds_blocked_word(replace(regexp_replace(username, '([a-z])([A-Z])', '\1 \2', 'g'), '_', ' '))
        then 'This username is not allowed'
      when private.holds_phone_number(username) then 'A username may not be a phone number'
      when lower(username)
        ~ '^_*(admin|administrator|moderator|mod|support|staff|official|system|owner|anonymous)[0-9_]*$'
        then 'This username is reserved'
    end
  $$;

create function private.check_username() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      fault constant text := private.find_username_fault(new.username);
    begin
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

-- Accounts that were there before this migration.
insert into public.profiles (id, username)
select id, private.generate_username(email) from auth.users;
