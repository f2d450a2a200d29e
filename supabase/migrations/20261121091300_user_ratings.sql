-- What traders think of each other: one rating per rater and trader, which rating again replaces.

create table public.user_ratings (
  id uuid not null primary key default gen_random_uuid(),
  rater_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  rated_user_id uuid not null references public.profiles (id) on delete cascade,
  rating smallint not null constraint user_ratings_rating_is_1_to_5 check (rating between 1 and 5),
  comment text constraint user_ratings_comment_has_at_most_500_characters check (char_length(comment) <= 500),
  created_at timestamptz not null default now(),
  constraint user_ratings_one_per_rater_and_trader unique (rater_id, rated_user_id),
  constraint user_ratings_nobody_rates_themselves check (rater_id <> rated_user_id)
);
comment on table public.user_ratings is 'One rating per rater and trader; upsert on (rater_id, rated_user_id).';
comment on column public.user_ratings.created_at is 'When the rating was given, or last replaced.';

create index user_ratings_rated_user_id_created_at_idx on public.user_ratings (rated_user_id, created_at desc);

alter table public.user_ratings enable row level security;

-- Whoever may see a trader may see their ratings: the question is put to the rows of profiles that the reader sees.
create policy "A trader's ratings are seen by those who see the trader" on public.user_ratings
  for select to anon, authenticated
  using (exists (select from public.profiles where profiles.id = rated_user_id));

create policy "People rate listed traders in their own name" on public.user_ratings
  for insert to authenticated
  with check (
    rater_id = (select auth.uid())
    and exists (select from public.profiles where profiles.id = rated_user_id and profiles.listed)
  );

create policy "People change their own ratings of listed traders" on public.user_ratings
  for update to authenticated
  using (rater_id = (select auth.uid()))
  with check (
    rater_id = (select auth.uid())
    and exists (select from public.profiles where profiles.id = rated_user_id and profiles.listed)
  );

create policy "People delete their own ratings, admins any" on public.user_ratings
  for delete to authenticated
  using (rater_id = (select auth.uid()) or (select private.is_admin()));

revoke all on table public.user_ratings from anon, authenticated;
grant select on table public.user_ratings to anon, authenticated;
grant insert (rater_id, rated_user_id, rating, comment) on table public.user_ratings to authenticated;
-- The two ids as well, because an upsert writes them; a trigger keeps them as they are.
grant update (rater_id, rated_user_id, rating, comment) on table public.user_ratings to authenticated;
grant delete on table public.user_ratings to authenticated;
grant all on table public.user_ratings to service_role;

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
        new.created_at := now();
      end if;
      new.comment := nullif(private.trim_text(new.comment), '');
      perform private.refuse_unsafe_text(new.comment);
      return new;
    end
  $$;

create trigger user_ratings_check_rating
  before insert or update on public.user_ratings
  for each row execute function private.check_rating();

-- Accounts made a minute ago to praise or to smear: the operator can ask for a minimum age.
create function private.check_rater_age() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      minimum constant interval := (select rating_min_account_age from private.settings);
      made_at constant timestamptz := (select created_at from auth.users where id = new.rater_id);
    begin
      if minimum > interval '0' and coalesce(made_at, now()) > now() - minimum then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Your account is too new to rate traders';
      end if;
      return new;
    end
  $$;

create trigger user_ratings_check_rater_age
  before insert on public.user_ratings
  for each row execute function private.check_rater_age();
