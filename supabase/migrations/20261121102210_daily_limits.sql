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

-- After the row is there: an upsert that replaces a rating fires both triggers before it, and would count twice.
create trigger user_ratings_limit_ratings
  after insert or update on public.user_ratings
  for each row execute function private.limit_ratings();
