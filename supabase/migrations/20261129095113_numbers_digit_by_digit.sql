SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.judge_figures (
  figures text[]
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    with read as (
      select private.digits_of(figure) as digits, figure ~ '^[0-9.,]+$' as is_bare
      from unnest(figures) as figure
    ),
    taken as (
      select sum(length(digits)) as length, bool_and(is_bare) as all_bare, array_agg(digits::numeric) as list,
        bool_and(digits !~ '^0[0-9]') and bool_and(length(digits) >= 2 and right(digits, 1) in ('0', '5')) as are_prices,
        count(*) filter (where not is_bare and length(rtrim(digits, '0')) <= 2) as round_ones,
        count(*) as count
      from read
    )
    select case
      when are_prices or length < 5 or count = 1 and length < 7 or private.has_even_steps(list) then 'fine'
      -- One digit at a time is dictated, whatever unit it is given: '7m 7m 8m 9m 2m 1m 4m'.
      when all_bare and length >= 7 or length >= 9 and round_ones < count - 1 or length >= 7 and length = count then 'refused'
      when all_bare then 'hidden'
      else 'fine'
    end
    from taken
  $function$;
