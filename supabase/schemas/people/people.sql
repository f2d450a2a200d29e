-- Public profiles: a name and a picture, never the email address. Every account has a profile from sign-up on, with a
-- generated harmless name, so that no page needs a fallback name.
create table public.profiles (
  id uuid not null primary key references auth.users (id) on delete cascade,
  username text not null
    constraint profiles_username_has_3_to_20_letters_digits_or_underscores check (username ~ '^[A-Za-z0-9_]{3,20}$'),
  avatar_url text
    constraint profiles_avatar_url_has_at_most_2048_characters check (char_length(avatar_url) <= 2048)
    -- A picture on another host would reveal its viewers to that host.
    constraint profiles_avatar_url_is_a_drawing_or_a_picture_of_their_own check (
      avatar_url ~ ('^/storage/v1/object/public/avatars/' || id::text || '/[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$')
      or avatar_url ~ '^/items/[a-z0-9-]{1,80}\.svg#(amber|coral|rose|plum|violet|ocean|teal|moss|sand|slate)$'
    ),
  listed boolean not null default false,
  -- Denormalized rating totals, so that listing fifty thousand traders does not count two hundred thousand ratings. Only
  -- triggers write them; no role is granted these columns.
  rating_count integer not null default 0
    constraint profiles_rating_count_is_not_negative check (rating_count >= 0),
  rating_sum integer not null default 0
    constraint profiles_rating_sum_is_between_1_and_5_for_each_rating
    check (rating_sum between rating_count and 5 * rating_count),
  -- A Bayesian average with five prior ratings of 3 stars, so that a single 5 does not outrank forty of 4.9.
  rating_score double precision not null
    generated always as (
      case when rating_count = 0 then 0 else (rating_sum + 15)::double precision / (rating_count + 5) end
    ) stored
);
comment on table public.profiles is 'Public profiles of users.';
comment on column public.profiles.avatar_url is
  'A catalogue drawing with a background color, such as /items/dragon.svg#teal, or an approved picture of the user''s own.';
comment on column public.profiles.listed is 'Whether the community page shows this user and others may rate them; the user decides.';
comment on column public.profiles.rating_count is 'Number of ratings; maintained by triggers on user_ratings.';
comment on column public.profiles.rating_sum is 'Sum of all stars; the average is rating_sum / rating_count.';
comment on column public.profiles.rating_score is 'Sort key of "best rated": the average, pulled toward 3 while there are few ratings.';

-- Ana and ana would be mistaken for the same user.
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

create policy "Users see listed profiles and their own; moderators see all" on public.profiles
  for select to authenticated
  using (listed or id = (select auth.uid()) or (select private.is_moderator()));

create policy "Users change their own profile" on public.profiles
  for update to authenticated
  using (id = (select auth.uid()))
  with check (id = (select auth.uid()));

create policy "Sessions without the second factor cannot insert" on public.profiles
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot update" on public.profiles
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot delete" on public.profiles
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

create policy "Anonymous accounts and applications cannot change profiles" on public.profiles
  as restrictive for update to authenticated
  using (not (select private.is_anonymous_or_application()));

grant select on table public.profiles to anon, authenticated;
grant update (username, avatar_url, listed) on table public.profiles to authenticated;

-- If two concurrent sign-ups draw the same name, the second draws again.
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

-- Opens the chat at once to a user who is already connected.
create function private.notify_full_account() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform pg_notify('realtime_rights', new.id::text);
      return null;
    end
  $$;

create trigger notify_full_account
  after update of is_anonymous on auth.users
  for each row when (old.is_anonymous and not new.is_anonymous)
  execute function private.notify_full_account();

create table private.full_accounts (
  user_id uuid not null primary key references auth.users (id) on delete cascade,
  since timestamptz not null default now()
);
comment on table private.full_accounts is 'Since when accounts that were anonymous ones have been full ones.';

create function private.record_full_account() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      insert into private.full_accounts (user_id) values (new.id) on conflict do nothing;
      return null;
    end
  $$;
revoke execute on function private.record_full_account() from public;

create trigger record_full_account
  after update of is_anonymous on auth.users
  for each row when (old.is_anonymous and not new.is_anonymous)
  execute function private.record_full_account();

-- Since when somebody has had an account, apart from the time as an anonymous visitor.
create function private.find_account_start(person uuid) returns timestamptz
  language sql stable strict security definer
  set search_path = ''
  as $$
    select coalesce((select since from private.full_accounts where user_id = person), created_at)
    from auth.users where id = person
  $$;
revoke execute on function private.find_account_start(uuid) from public;

-- A name that changes every minute hides who a user is, and hundreds of ratings by one user are not an opinion.
-- Limits both per user and 24 hours; acts undone since count too. The server and the operator are exempt.
create table private.daily_acts (
  user_id uuid not null references public.profiles (id) on delete cascade,
  act text not null constraint daily_acts_act_is_known check (act in ('rate', 'rename', 'report', 'ask_parent', 'ask')),
  done timestamptz[] not null,
  primary key (user_id, act)
);
comment on table private.daily_acts is 'Times of each user''s actions with a daily limit within the last 24 hours.';

-- The row lock makes concurrent acts count each other.
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
      -- A rename that a moderator required does not count.
      if not private.must_choose_name(new.id) then
        perform private.count_daily_act(
          new.id, 'rename', 3, 'You can change your username 3 times a day. Please try again tomorrow.'
        );
      end if;
      return null;
    end
  $$;

-- Row-level security applies only to users themselves, not to the functions that rename them, whoever calls those.
create trigger profiles_limit_renames
  after update of username on public.profiles
  for each row when (old.username is distinct from new.username and row_security_active('public.profiles'))
  execute function private.limit_renames();

-- Limits how many rows of a table a user may keep (the first argument; the second is the refusal): without a limit one
-- account could fill the disk, a thousand rows per request. The owner and servers may import more.
create function private.limit_own_rows() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      person constant uuid := (select auth.uid());
      kept bigint;
    begin
      if not row_security_active(tg_relid) then
        return null;
      end if;
      -- Serializes concurrent inserts, so that each is counted.
      perform pg_advisory_xact_lock(hashtextextended(tg_table_name || '/' || person, 0));
      execute format('select count(*) from %s where user_id = $1', tg_relid::regclass) into kept using person;
      if kept > tg_argv[0]::integer then
        raise exception using errcode = 'check_violation', message = tg_argv[1];
      end if;
      return null;
    end
  $$;
