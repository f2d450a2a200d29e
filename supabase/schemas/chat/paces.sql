-- Rate limits per user for actions limited by the second or minute; daily limits are in daily_acts.
create table private.paces (
  user_id uuid not null references public.profiles (id) on delete cascade,
  act text not null,
  done_at timestamptz[] not null,
  primary key (user_id, act)
);
comment on table private.paces is 'Times of each user''s recent actions, up to the limit of each action.';

-- Refuses an act beyond `most` within a span, with the seconds to wait as the hint. Counted independently of the rows
-- that the acts create, so that deleting them does not allow more. The lock serializes concurrent acts.
create function private.limit_rate(person uuid, what text, most integer, span interval, refusal text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      recent timestamptz[];
    begin
      insert into private.paces as pace (user_id, act, done_at) values (person, what, array[clock_timestamp()])
        on conflict (user_id, act) do update set done_at = array(
          select at from unnest(pace.done_at) as at where at > clock_timestamp() - span order by at
        ) || clock_timestamp()
        returning done_at into recent;
      if cardinality(recent) > most then
        raise exception using
          errcode = 'PT429', message = refusal,
          hint = ceil(extract(epoch from recent[1] + span - clock_timestamp()))::text;
      end if;
    end
  $$;

-- Each change of a profile, also one to what it is already, makes the server render /community again and is sent to
-- everybody who follows profiles.
create function private.limit_profile_changes() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      perform private.limit_rate(
        new.id, 'profile', 20, interval '1 minute',
        'You are changing your profile too fast: at most 20 times a minute'
      );
      return null;
    end
  $$;

create trigger profiles_limit_changes
  after update on public.profiles
  for each row when (row_security_active('public.profiles'))
  execute function private.limit_profile_changes();
