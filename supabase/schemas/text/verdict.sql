-- The verdict on text that users write to each other; every check of such text calls it.

-- Single letters may spell a word: of three or more in a row only votes and a few questions are allowed.
create function private.is_spelling(letters text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$ select length(letters) >= 3 and letters !~ '^([wlf]+|w[oul]l|[xv]+|lol|y?ru[a]?[wlf]?|icu|ura?[wlf]?|[nyk]{3,4}|x[dx]+)$' $$;

-- Whether stand-alone letters spell something, even across message boundaries.
create function private.holds_spelling(value text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select exists (
      select from regexp_matches(
        regexp_replace(private.plain_text(value), '[^a-z0-9 ]+', ' ', 'g'), '(?:^| )((?:[a-z] +){2,}[a-z])(?= |$)', 'g'
      ) as match where private.is_spelling(replace(match[1], ' ', ''))
    )
  $$;

-- Which parts are hidden because of their neighbors: letters that spell a word, and numbers that are neither a value
-- nor a count. `may_be_number` tells whether digits may be a phone number, even with other words between them.
create function private.judge_rows(
  parts text[], kinds text[], meanings text[], out hidden boolean[], out pieces text[], out may_be_number boolean
)
  language plpgsql immutable
  set search_path = ''
  as $$
    declare
      count constant integer := cardinality(parts);
      run integer[] := '{}';
      letters integer[] := '{}';
      loose text[] := '{}';
      all_figures text[] := '{}';
      figure text;
      at integer;
      outcome text;
      is_beside_trade boolean;
      is_beside_for boolean;
    begin
      hidden := array_fill(false, array[count]);
      pieces := '{}';
      may_be_number := false;
      for i in 1 .. count + 1 loop
        continue when i <= count and kinds[i] is null;
        if i <= count and length(parts[i]) = 1 and parts[i] between 'a' and 'z' then
          letters := letters || i;
        elsif letters <> '{}' then
          if private.is_spelling(array_to_string(parts[letters[1] : i - 1], '')) then
            foreach at in array letters loop hidden[at] := true; end loop;
          end if;
          letters := '{}';
        end if;
        if i <= count and (kinds[i] = 'figure' or left(meanings[i], 1) between '0' and '9') then
          run := run || i;
          is_beside_trade := coalesce(kinds[i - 1] = 'trade', false) or coalesce(kinds[i + 1] = 'trade', false);
          if kinds[i] = 'figure' and not private.is_trade_figure(parts[i], is_beside_trade) then
            hidden[i] := true;
          end if;
          if kinds[i] = 'figure' and meanings[i] <> '#' then all_figures := all_figures || parts[i]; end if;
          if kinds[i] = 'figure' and meanings[i] <> '#' and not is_beside_trade then
            is_beside_for := coalesce(meanings[i - 1] in ('for', 'v', 'vs', 'x'), false)
              or coalesce(meanings[i + 1] in ('for', 'v', 'vs', 'x'), false);
            if not is_beside_for then loose := loose || parts[i]; end if;
          end if;
        elsif run <> '{}' then
          outcome := private.judge_figures(array(
            select case when kinds[n] = 'figure' then parts[n] else meanings[n] end from unnest(run) as n
          ));
          may_be_number := may_be_number or outcome = 'refused';
          if outcome <> 'fine' or cardinality(run) > 1 and true = any (hidden[run[1] : run[cardinality(run)]]) then
            foreach at in array run loop hidden[at] := true; end loop;
          end if;
          run := '{}';
        end if;
        if i <= count and kinds[i] in ('unknown', 'figure') or hidden[i] or length(parts[i]) = 1 then
          pieces := pieces || parts[i];
        elsif i <= count and pieces <> '{}' then
          pieces := pieces || ' '::text;
        end if;
      end loop;
      may_be_number := may_be_number or loose <> '{}' and private.judge_figures(loose) = 'refused'
        or length(private.digits_of(array_to_string(all_figures, ''))) >= 10 and private.judge_figures(all_figures) = 'refused';
    end
  $$;

-- The error message of the first harmful phrase in the parts of a text; signs are no words.
create function private.find_harm_in_parts(kinds text[], meanings text[]) returns text
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      words text[];
      are_trade boolean[];
    begin
      select array_agg(meaning order by place), array_agg(kind = 'trade' or meaning = '#' order by place)
        into words, are_trade
        from unnest(kinds, meanings) with ordinality as part (kind, meaning, place) where kind is not null;
      return private.find_harm(coalesce(words, '{}'), are_trade);
    end
  $$;

-- Judges a text, by the same rules for every field. The verdict on a text stays the same as long as the vocabulary
-- does.
create function private.judge_text(written text) returns private.verdict
  language plpgsql stable strict security definer
  set search_path = ''
  as $$
    declare
      verdict private.verdict;
      read record;
      everyday record;
      found record;
      is_empty boolean;
      names_address boolean;
      has_unsaid boolean;
      harm text;
      -- '1 000 000' is one number.
      value constant text := regexp_replace(written, '(?<=[0-9]) (?=000(?![0-9]))', ',', 'g');
    begin
      -- One character may expand to a whole sentence: a thousand U+FDFA become eighteen thousand letters.
      if octet_length(value) > char_length(value) and char_length(normalize(value, nfkd)) > 4 * char_length(value) + 100 then
        verdict.refusal := 'Please write with letters: too many signs of this text stand for whole words';
        return verdict;
      end if;
      read := private.read_parts(value);
      if read.ats is null then
        verdict.shown := value;
        return verdict;
      end if;
      has_unsaid := array_position(read.kinds, 'unsaid') is not null;
      harm := case when not has_unsaid then private.find_harm_in_parts(read.kinds, read.meanings) end;
      if has_unsaid or harm is not null then
        everyday := private.mark_everyday_words(read.ats, read.gaps, read.chunks, read.parts, read.kinds, read.meanings);
        read.kinds := everyday.kinds;
        read.meanings := everyday.meanings;
        harm := private.find_harm_in_parts(read.kinds, read.meanings);
      end if;
      found := private.judge_rows(read.parts, read.kinds, read.meanings);
      with chunks as (
        select at, gap, chunk, coalesce(bool_or(kind in ('unknown', 'unsaid') or hide), false) as is_hidden,
          bool_or(kind is not null) or chunk !~ '^[[:punct:]]+$' as says_something
        from unnest(read.ats, read.gaps, read.chunks, read.kinds, found.hidden) as part (at, gap, chunk, kind, hide)
        group by at, gap, chunk
      )
      select string_agg(gap || case when is_hidden then '####' else chunk end, '' order by at),
        array_agg(chunk order by at) filter (where is_hidden),
        bool_or(is_hidden) and not bool_or(says_something and not is_hidden)
        into verdict.shown, verdict.hidden, is_empty
        from chunks;
      -- Hidden text is refused if there is a reason to tell the user. Runs of 100 non-space characters are skipped: they are
      -- not addresses, and would take these expressions seconds.
      names_address := verdict.hidden is not null and value !~ '\S{100}';
      verdict.refusal := case
        when names_address and private.holds_email_address(value) then 'Email addresses are not allowed here'
        when names_address and private.holds_link(value) then 'Links are not allowed here'
        when private.holds_parted_dot(value) then 'Links are not allowed here'
        when found.may_be_number then 'Phone numbers are not allowed here'
        else coalesce(
          harm,
          case when verdict.hidden is not null then private.find_harm(array[private.meaning_of_pieces(found.pieces)], '{false}') end,
          case when is_empty then 'Please use words that the site knows: none of this text could be shown' end
        )
      end;
      return verdict;
    end
  $$;
revoke execute on function private.judge_text(text) from public;

-- The text as others see it. Raises an error with the verdict's message if it is refused; every trigger that accepts
-- such text calls this. Like every refusal of what a user wants to show others, the error names the constraint
-- safe_text, by which the server counts it (private.note_refusal); other mistakes of a form are not counted.
create function private.require_known_text(value text) returns text
  language plpgsql stable strict security definer
  set search_path = ''
  as $$
    declare
      verdict constant private.verdict := private.judge_text(value);
    begin
      if verdict.refusal is not null then
        raise exception using errcode = 'check_violation', message = verdict.refusal, constraint = 'safe_text';
      end if;
      return verdict.shown;
    end
  $$;

-- The same without refusing, for imports by the owner or a server.
create function private.show_text(value text) returns text
  language sql stable strict security definer
  set search_path = ''
  as $$ select coalesce((private.judge_text(value)).shown, '####') $$;
