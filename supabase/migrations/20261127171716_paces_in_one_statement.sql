SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.limit_rate (
  person  uuid,
  what    text,
  most    integer,
  span    interval,
  refusal text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
  $function$;
