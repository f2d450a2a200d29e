-- What a trader's ratings come to stands with the profile, so that fifty thousand traders can be listed by it without
-- counting two hundred thousand ratings. Only triggers write it: nobody has the right to these columns.

alter table public.profiles
  add column rating_count integer not null default 0
    constraint profiles_rating_count_is_not_negative check (rating_count >= 0),
  add column rating_sum integer not null default 0
    constraint profiles_rating_sum_is_between_1_and_5_for_each_rating
    check (rating_sum between rating_count and 5 * rating_count),
  -- As if five more people had given three stars: one rating of five does not outdo forty of 4.9.
  add column rating_score double precision not null
    generated always as (
      case when rating_count = 0 then 0 else (rating_sum + 15)::double precision / (rating_count + 5) end
    ) stored;
comment on column public.profiles.rating_count is 'How many ratings the trader has; kept by triggers of user_ratings.';
comment on column public.profiles.rating_sum is 'All their stars together; the average is rating_sum / rating_count.';
comment on column public.profiles.rating_score is 'What "best rated" is ordered by: the average, drawn to 3 while there are few.';

-- Being rated is no edit of one's profile.
drop trigger profiles_stamp_update on public.profiles;
create trigger profiles_stamp_update
  before insert or update of username, avatar_url, listed, updated_at on public.profiles
  for each row execute function private.stamp_update();

-- Adds what a statement changed instead of counting anew, so that two people who rate a trader at once both count.
-- Security definer, because nobody who rates may write another's profile.
create function private.add_to_rating_counts(traders uuid[], ratings integer[], stars integer[]) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      -- In one order, so that two statements about the same traders wait for each other and do not block each other.
      perform from public.profiles where id = any (traders) order by id for no key update;
      update public.profiles
        set rating_count = rating_count + change.ratings, rating_sum = rating_sum + change.stars
        from (
          select trader, sum(r)::integer as ratings, sum(s)::integer as stars
          from unnest(traders, ratings, stars) as changes (trader, r, s)
          group by trader
        ) as change
        where profiles.id = change.trader and (change.ratings <> 0 or change.stars <> 0);
    end
  $$;
revoke execute on function private.add_to_rating_counts(uuid[], integer[], integer[]) from public;

create function private.count_given_ratings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.add_to_rating_counts(array_agg(rated_user_id), array_agg(1), array_agg(rating::integer))
        from given;
      return null;
    end
  $$;

create function private.count_changed_ratings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.add_to_rating_counts(array_agg(trader), array_agg(ratings), array_agg(stars))
        from (
          select rated_user_id as trader, 1 as ratings, rating::integer as stars from given
          union all select rated_user_id, -1, -rating from taken
        ) as changes;
      return null;
    end
  $$;

create function private.count_taken_ratings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.add_to_rating_counts(array_agg(rated_user_id), array_agg(-1), array_agg(-rating::integer))
        from taken;
      return null;
    end
  $$;

create trigger user_ratings_count_given
  after insert on public.user_ratings referencing new table as given
  for each statement execute function private.count_given_ratings();

create trigger user_ratings_count_changed
  after update on public.user_ratings referencing new table as given old table as taken
  for each statement execute function private.count_changed_ratings();

create trigger user_ratings_count_taken
  after delete on public.user_ratings referencing old table as taken
  for each statement execute function private.count_taken_ratings();

-- Ratings that were there before this migration.
update public.profiles
  set rating_count = counted.ratings, rating_sum = counted.stars
  from (
    select rated_user_id, count(*) as ratings, sum(rating) as stars from public.user_ratings group by rated_user_id
  ) as counted
  where profiles.id = counted.rated_user_id;

-- Pages of both tables are kept by the server until one of them changes.
alter publication supabase_realtime add table public.profiles, public.user_ratings;
