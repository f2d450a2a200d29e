-- A page of a user's received ratings, newest first, as a JSON array. Raters who are not listed have no name.
create function private.list_ratings(trader uuid, skipped integer, shown integer) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(jsonb_agg(to_jsonb(newest) order by newest.created_at desc, newest.id), '[]')
    from (
      select ratings.id, raters.username as rater, ratings.rating, ratings.comment, ratings.created_at,
        ratings.answer, ratings.answered_at
      from public.user_ratings as ratings
      left join public.profiles as raters on raters.id = ratings.rater_id and raters.listed
      where ratings.rated_user_id = trader
        and exists (select from public.profiles where profiles.id = trader and profiles.listed)
      order by ratings.created_at desc, ratings.id
      offset skipped limit shown
    ) as newest
  $$;

-- Clamps a page number past the end to the last page, so that a shared URL still shows something.
create function private.nearest_page(wanted integer, total bigint, size integer) returns integer
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select greatest(1, least(coalesce(wanted, 1), ceil(total::numeric / size)::integer))
  $$;

-- Counts of one- to five-star ratings; none for a user who is not listed.
create function private.count_stars(trader uuid) returns integer[]
  language sql stable security definer
  set search_path = ''
  as $$
    select array(
      select count(given.rating)::integer
      from generate_series(1, 5) as star
      left join public.user_ratings as given on given.rated_user_id = trader and given.rating = star
        and exists (select from public.profiles where profiles.id = trader and profiles.listed)
      group by star order by star
    )
  $$;

create function public.show_trader(username text, page integer default 1)
  returns table (
    id uuid, trader_name text, avatar_url text, rating_count integer, rating_sum integer, stars integer[],
    ratings jsonb
  )
  language sql stable
  set search_path = ''
  as $$
    select traders.id, traders.username, traders.avatar_url, traders.rating_count, traders.rating_sum,
      private.count_stars(traders.id),
      private.list_ratings(traders.id, (private.nearest_page(page, traders.rating_count, 20) - 1) * 20, 20)
    from public.profiles as traders
    where traders.listed and lower(traders.username) = lower(show_trader.username)
  $$;
comment on function public.show_trader is
  'A listed trader by case-insensitive name: the number of ratings by stars, and a page of 20 ratings, newest first.';

create function public.list_traders(search text default '', sort text default 'name', page integer default 1)
  returns table (
    id uuid, username text, avatar_url text, rating_count integer, rating_sum integer, recent_ratings jsonb,
    total integer
  )
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      page_size constant integer := 24;
      -- `like`, because the planner can estimate how many names match; `_` is escaped, since names may contain it.
      wanted constant text :=
        '%' || regexp_replace(lower(private.trim_text(coalesce(search, ''))), '([\\%_])', '\\\1', 'g') || '%';
      ordering constant text := case sort
        when 'best' then 'rating_score desc, lower(username)'
        when 'most' then 'rating_count desc, lower(username)'
        else 'lower(username)'
      end;
      found_traders bigint;
    begin
      select count(*) into found_traders from public.profiles
        where listed and (wanted = '%%' or lower(profiles.username) like wanted);
      -- Paginates by keys alone, so that neither rows nor ratings of skipped traders are read.
      return query execute format(
        'select id, username, avatar_url, rating_count, rating_sum, private.list_ratings(id, 0, 3), $1
         from public.profiles
         where listed and id = any (array(
           select id from public.profiles
           where listed and ($2 = ''%%%%'' or lower(username) like $2)
           order by %s offset $3 limit $4
         ))
         order by %1$s', ordering)
        using found_traders::integer, wanted,
          (private.nearest_page(page, found_traders, page_size) - 1) * page_size, page_size;
    end
  $$;
comment on function public.list_traders is
  'A page of 24 listed traders with their three newest ratings; sort: name, best or most. total counts all that match.';
revoke execute on function public.list_traders(text, text, integer), public.show_trader(text, integer) from public;
grant execute on function public.list_traders(text, text, integer), public.show_trader(text, integer)
  to anon, authenticated, service_role;

-- All ratings that the caller received. A copy of one's own data does not need the names of unlisted raters.
create function public.list_received_ratings()
  returns table (id uuid, rating smallint, comment text, created_at timestamptz, rater text)
  language sql stable security definer
  set search_path = ''
  as $$
    select ratings.id, ratings.rating, ratings.comment, ratings.created_at, raters.username
    from public.user_ratings as ratings
    left join public.profiles as raters on raters.id = ratings.rater_id and raters.listed
    where ratings.rated_user_id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
    order by ratings.created_at, ratings.id
  $$;
comment on function public.list_received_ratings is 'Ratings that the caller received; raters who are not listed are anonymous.';
revoke execute on function public.list_received_ratings() from public, anon;
grant execute on function public.list_received_ratings() to authenticated;
