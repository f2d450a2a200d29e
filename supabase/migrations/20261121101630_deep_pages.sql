-- Deep pages of the community read no row of those that they skip: the indexes hold all that the cut needs, so that
-- page 2,000 of 50,000 traders costs little more than the first one.

drop index public.profiles_listed_name_idx, public.profiles_listed_score_idx, public.profiles_listed_count_idx;
create index profiles_listed_name_idx on public.profiles (lower(username)) include (id, username) where listed;
create index profiles_listed_score_idx on public.profiles (rating_score desc, lower(username))
  include (id, username) where listed;
create index profiles_listed_count_idx on public.profiles (rating_count desc, lower(username))
  include (id, username) where listed;

create or replace function public.list_traders(search text default '', sort text default 'name', page integer default 1)
  returns table (
    id uuid, username text, avatar_url text, rating_count integer, rating_sum integer, recent_ratings jsonb,
    total integer
  )
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      page_size constant integer := 24;
      -- Of `like` the planner can tell that few names match; `_` is a letter of names, and no wildcard.
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
      -- The page is cut by keys alone: neither the rows nor the ratings of those who are skipped are read.
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
