-- Ratings among traders: one per rater and trader; rating again replaces it.
create table public.user_ratings (
  id uuid not null primary key default gen_random_uuid(),
  rater_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  rated_user_id uuid not null references public.profiles (id) on delete cascade,
  rating smallint not null constraint user_ratings_rating_is_1_to_5 check (rating between 1 and 5),
  comment text constraint user_ratings_comment_has_at_most_500_characters check (char_length(comment) <= 500),
  created_at timestamptz not null default now(),
  answer text constraint user_ratings_answer_has_at_most_500_characters check (char_length(answer) <= 500),
  answered_at timestamptz,
  constraint user_ratings_one_per_rater_and_trader unique (rater_id, rated_user_id),
  constraint user_ratings_nobody_rates_themselves check (rater_id <> rated_user_id)
);
comment on table public.user_ratings is 'One rating per rater and trader; upsert on (rater_id, rated_user_id).';
comment on column public.user_ratings.created_at is 'When the rating was given, or last replaced.';
comment on column public.user_ratings.answer is 'The rated trader''s answer; written by answer_rating.';
comment on column public.user_ratings.answered_at is 'Kept when the answer is removed, since each rating can be answered only once.';

create index user_ratings_rated_user_id_created_at_idx on public.user_ratings (rated_user_id, created_at desc);

alter table public.user_ratings enable row level security;
create policy "Users rate listed traders in their own name" on public.user_ratings
  for insert to authenticated
  with check (
    rater_id = (select auth.uid())
    and exists (select from public.profiles where profiles.id = rated_user_id and profiles.listed)
  );

create policy "Users change their own ratings of listed traders" on public.user_ratings
  for update to authenticated
  using (rater_id = (select auth.uid()))
  with check (
    rater_id = (select auth.uid())
    and exists (select from public.profiles where profiles.id = rated_user_id and profiles.listed)
  );

create policy "Users delete their own ratings; moderators those of others" on public.user_ratings
  for delete to authenticated
  using (
    rater_id = (select auth.uid())
    or rated_user_id <> (select auth.uid()) and (select private.is_moderator())
  );

create policy "Ratings are visible where the trader and the rater are" on public.user_ratings
  for select to anon, authenticated
  using (
    exists (select from public.profiles where profiles.id = rated_user_id)
    and exists (select from public.profiles where profiles.id = rater_id)
  );

create policy "Sessions without the second factor cannot insert" on public.user_ratings
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot update" on public.user_ratings
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot delete" on public.user_ratings
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

create policy "Anonymous accounts and applications cannot insert" on public.user_ratings
  as restrictive for insert to authenticated
  with check (not (select private.is_anonymous_or_application()));

create policy "Anonymous accounts and applications cannot update" on public.user_ratings
  as restrictive for update to authenticated
  using (not (select private.is_anonymous_or_application()));

create policy "Anonymous accounts and applications cannot delete" on public.user_ratings
  as restrictive for delete to authenticated
  using (not (select private.is_anonymous_or_application()));

grant select on table public.user_ratings to anon, authenticated;
grant insert (rater_id, rated_user_id, rating, comment) on table public.user_ratings to authenticated;

-- Includes both ids, because an upsert writes them; a trigger keeps them unchanged.
grant update (rater_id, rated_user_id, rating, comment) on table public.user_ratings to authenticated;
grant delete on table public.user_ratings to authenticated;

-- The comment that the row replaces. An upsert fires the triggers for an insert first, which know of no old row: a
-- comment that stays is not judged again.
create function private.find_old_comment(rating public.user_ratings) returns text
  language sql stable
  set search_path = ''
  as $$
    select comment from public.user_ratings where rater_id = rating.rater_id and rated_user_id = rating.rated_user_id
  $$;

-- The same for a rating that is deleted and given again. Keyed, so that nobody finds the rater who is not listed by trying
-- everyone.
create function private.derive_rating_id(rater uuid, trader uuid) returns uuid
  language sql stable strict security definer
  set search_path = ''
  as $$ select md5(contact_key || '/' || rater || '/' || trader)::uuid from private.settings $$;
revoke execute on function private.derive_rating_id(uuid, uuid) from public;
grant execute on function private.derive_rating_id(uuid, uuid) to authenticated, service_role;

create function private.check_rating() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if tg_op = 'UPDATE' then
        if (new.rater_id, new.rated_user_id) is distinct from (old.rater_id, old.rated_user_id) then
          raise exception using
            errcode = 'check_violation', message = 'A rating stays with its rater and its trader';
        end if;
        -- Removal by a moderator keeps the date; an edit by the rater clears the answer, which was to the old text.
        if row_security_active('public.user_ratings') then
          new.created_at := now();
          if (new.rating, new.comment) is distinct from (old.rating, old.comment) then
            new.answer := null;
            new.answered_at := null;
          end if;
        end if;
      elsif row_security_active('public.user_ratings') then
        -- One that is deleted and given again is still the one that was reported or sanctioned.
        new.id := private.derive_rating_id(new.rater_id, new.rated_user_id);
        -- Of two first ratings at once, the second changes the first, as an upsert does, instead of failing for its id.
        perform pg_advisory_xact_lock(hashtextextended('rating/' || new.id, 0));
      end if;
      new.comment := nullif(private.trim_text(new.comment), '');
      new.answer := nullif(private.trim_text(new.answer), '');
      -- Longer comments are left to the check constraint.
      if char_length(new.comment) <= 500 and new.comment is distinct from private.find_old_comment(new) then
        new.comment := nullif(private.tidy_text(new.comment), '');
        -- In imports by the owner or a server, unknown words are hidden, not refused.
        new.comment := left(
          case when row_security_active('public.user_ratings') then private.require_known_text(new.comment)
            else private.show_text(new.comment) end,
          500
        );
      end if;
      if char_length(new.answer) <= 500 and (tg_op = 'INSERT' or new.answer is distinct from old.answer) then
        new.answer := left(private.show_text(nullif(private.tidy_text(new.answer), '')), 500);
      end if;
      return new;
    end
  $$;

create trigger user_ratings_check_rating
  before insert or update on public.user_ratings
  for each row execute function private.check_rating();

-- The rated user may answer once, and may remove the answer. Answers follow the same text rules as comments.
create function public.answer_rating(rating_id uuid, answer text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      said constant text := nullif(private.trim_text(answer_rating.answer), '');
    begin
      if private.owes_second_factor() or private.is_anonymous_or_application() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in to answer a rating';
      end if;
      perform private.require_chosen_name((select auth.uid()));
      if said is not null then
        perform private.require_free_writing((select auth.uid()));
      end if;
      update public.user_ratings set answer = said, answered_at = coalesce(answered_at, now())
        where id = rating_id and rated_user_id = (select auth.uid()) and (said is null or answered_at is null);
      if not found then
        raise exception using errcode = 'PT404', message = 'This rating is gone, or you answered it already';
      end if;
      -- Not in the trigger, which also sees the answers that are restored.
      perform private.require_known_text(private.tidy_text(said));
    end
  $$;
comment on function public.answer_rating is 'Answers a rating, once, as the rated trader; null removes the answer.';
revoke execute on function public.answer_rating(uuid, text) from public, anon;
grant execute on function public.answer_rating(uuid, text) to authenticated, service_role;

-- Against accounts created only to praise or smear, the operator can require a minimum age.
create function private.check_rater_age() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      minimum constant interval := (select rating_min_account_age from private.settings);
    begin
      if minimum > interval '0' and coalesce(private.find_account_start(new.rater_id), now()) > now() - minimum then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Your account is too new to rate traders';
      end if;
      return new;
    end
  $$;

create trigger user_ratings_check_rater_age
  before insert on public.user_ratings
  for each row execute function private.check_rater_age();

-- Adds a statement's changes instead of recounting, so that concurrent ratings of a trader both count. Security
-- definer, because raters may not write another user's profile.
create function private.add_to_rating_counts(traders uuid[], ratings integer[], stars integer[]) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      -- Locked in id order, so that concurrent statements about the same traders cannot deadlock.
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

create trigger user_ratings_count_given
  after insert on public.user_ratings referencing new table as given
  for each statement execute function private.count_given_ratings();

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

create trigger user_ratings_count_changed
  after update on public.user_ratings referencing new table as given old table as taken
  for each statement execute function private.count_changed_ratings();

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

create trigger user_ratings_count_taken
  after delete on public.user_ratings referencing old table as taken
  for each statement execute function private.count_taken_ratings();

create function private.limit_ratings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if new.rater_id = (select auth.uid()) then
        perform private.count_daily_act(
          new.rater_id, 'rate', 30, 'You can give 30 ratings a day. Please try again tomorrow.'
        );
      end if;
      return null;
    end
  $$;

-- An after trigger: an upsert that replaces a rating fires both before triggers and would count twice.
create trigger user_ratings_limit_ratings
  after insert or update on public.user_ratings
  for each row execute function private.limit_ratings();
