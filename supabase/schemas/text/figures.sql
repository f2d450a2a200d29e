-- Numbers are for values and counts. Numbers that may add up to a phone number, a postal code, a one-time code or a
-- year of birth are neither, however they are split up.

-- Whether five or more numbers rise or fall in equal steps: counting, or a price list.
create function private.has_even_steps(figures numeric[]) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select count(step) >= 4 and min(step) = max(step) and min(step) <> 0
    from (
      select figure - lag(figure) over (order by place) as step
      from unnest(figures) with ordinality as listed (figure, place)
    ) as steps
  $$;

-- The syntax of a number: an optional prefix (#, x or v), digits, and an optional unit or ordinal suffix.
create function private.is_figure(part text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select part ~ '^[#xv]?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)([.,][0-9]{1,2})?(k|m|b|t|kk|bn|x|s|%|st|nd|rd|th|r|h)?$'
  $$;

-- The digits of a number: '2.5b' gives 25.
create function private.digits_of(figure text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$ select regexp_replace(figure, '[^0-9]', '', 'g') $$;

-- Whether a number is plausible in a trade: small, or as round as prices and levels are.
create function private.is_trade_figure(figure text, is_counted boolean) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with read as (
      select private.digits_of(figure) as digits, figure !~ '^[0-9.,]+$' as has_unit
    )
    select case
      when digits ~ '^0[0-9]' and figure !~ '^[#xv]?0[.,]' then false
      when has_unit or figure ~ '[.,][0-9]{1,2}$' then length(rtrim(digits, '0')) <= 4 and length(digits) <= 10
      when length(digits) <= 2 then true
      when length(digits) = 3 then is_counted or right(digits, 1) in ('0', '5')
      when length(digits) = 4 then is_counted or digits ~ '(00|50)$' or digits ~ '^(1[0-8]|2[1-9])(25|75)$'
      else length(rtrim(digits, '0')) <= 3
    end
    from read
  $$;

-- The verdict on a run of numbers: 'fine'; 'hidden' if it may be a code; 'refused' if it may be a phone number.
-- Prices are round and counting has equal steps; hardly any phone number has either.
create function private.judge_figures(figures text[]) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
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
  $$;
