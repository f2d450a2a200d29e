-- Counting ('1 2 3 4 5 6 7 8 9 10') and lists of values ('455 460 475 480') are no phone numbers, and a phone number with
-- '000' or a round figure behind it is one all the same. The table of examples is tests/database/safe-text.test.ts.

-- Whether five figures or more go up, or down, by the same each.
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

-- Whether a run of figures is counting, a price, or a list of prices. The rounder the figures of a list, the fewer it
-- takes: of a thousand phone numbers, cut into groups at will, at most two read so.
create function private.reads_as_values(run text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with prices as (
      -- '1 500 000' is one figure.
      select regexp_replace(run, '(?<=[0-9])[ .,](?=([0-9]{3}[ .,])*000(?![0-9]))', '', 'g') as text
    ),
    figures as (
      select array_agg(match[1]::numeric) as list, bool_and(match[1] !~ '^0[0-9]') as are_numbers,
        count(*) as count, min(length(match[1])) as shortest, max(length(match[1])) as longest,
        max(length(rtrim(match[1], '0'))) as detail
      from prices, regexp_matches(text, '([0-9]+)', 'g') as match
    ),
    fractions as (
      select array_agg(match[1]::numeric) as list from regexp_matches(run, '([0-9]+(?:[.][0-9]+)?)', 'g') as match
    )
    select run ~ '^[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?$'
      or regexp_replace(run, '[^0-9]', '', 'g') ~ '^(0?123456789(0|10)?|(10)?987654321(0)?)$'
      or private.has_even_steps(figures.list)
      or private.has_even_steps(fractions.list)
      or are_numbers and case
        when count = 1 then detail <= 6 and text ~ '000$'
        when count = 2 then detail <= 3 and 0 = all (select figure % 10 from unnest(figures.list) as figure)
        else shortest >= 2 and (
          detail <= 4 and 0 = all (select figure % 10 from unnest(figures.list) as figure)
          or longest <= 4 and 0 = all (select figure % 25 from unnest(figures.list) as figure)
          or longest <= 4 and count >= 4 and 0 = all (select figure % 5 from unnest(figures.list) as figure)
        )
      end
    from prices, figures, fractions
  $$;

-- The text with figures for what stands for them: 'five5one', 'fivefiveone', 'o77oo9', '5l5'.
create function private.spoken_figures(plain text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select string_agg(
      case
        when piece ~ '^(zero|one|two|three|four|five|six|seven|eight|nine|oh|o)+$' then
          replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            piece, 'zero', '0'), 'one', '1'), 'two', '2'), 'three', '3'), 'four', '4'), 'five', '5'), 'six', '6'),
            'seven', '7'), 'eight', '8'), 'nine', '9'), 'oh', '0'), 'o', '0')
        else piece
      end, '' order by place)
    from regexp_split_to_table(
      regexp_replace(plain, '(?<=[0-9])[li](?=[0-9])', '1', 'g'), '(?<=[a-z])(?![a-z])|(?<![a-z])(?=[a-z])'
    ) with ordinality as split (piece, place)
  $$;

-- Nine figures or more in a row, however they are parted, or seven of which four are words.
create or replace function private.holds_phone_number(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with plain as (select private.plain_text(value) as text),
    spoken as (select private.spoken_figures(text) as text from plain),
    runs as (
      select match[1] as run from plain, unnest(array[
        '(\+?\(?[0-9](?:[\s().,/_*~|=''"`;<>-]{0,3}[0-9]){8,})',
        -- One by one between any signs, and as most numbers are written.
        '((?<![0-9])[0-9](?:[^a-z0-9]{1,6}[0-9](?![0-9])){8,})',
        '((?<![0-9])[0-9]{3}[^a-z0-9]{1,4}[0-9]{3}[^a-z0-9]{1,4}[0-9]{4}(?![0-9]))'
      ]) as pattern, regexp_matches(text, pattern, 'g') as match
      union all
      select match[1] from plain, spoken,
        regexp_matches(spoken.text, '([0-9](?:[\s().,/_*~|=-]{0,6}[0-9]){8,})', 'g') as match
      where plain.text <> spoken.text
      union all
      select private.spoken_figures(match[1]) from plain, regexp_matches(
        text, '((?:\m(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|[0-9])\M[\s,._/-]*){7,})', 'g'
      ) as match
      where text ~ '(\m(zero|one|two|three|four|five|six|seven|eight|nine)\M.*){4,}'
    )
    select exists (select from runs where not private.reads_as_values(run))
  $$;

create or replace function private.find_unsafe(value text) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case
      when private.holds_email_address(value) then 'E-mail addresses are not allowed here'
      when private.holds_link(value) then 'Links are not allowed here'
      when private.holds_phone_number(value) then 'Phone numbers are not allowed here'
      when private.holds_blocked_word(value) or private.holds_cut_word(value)
        then 'Please keep it friendly: a word in this text is not allowed here'
      when private.holds_handle(value) then 'Please stay here: where to find people elsewhere is not allowed'
    end
  $$;
drop function private.holds_spoken_number(text);
