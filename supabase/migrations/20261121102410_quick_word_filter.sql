-- The same verdicts in a tenth of the time. Every word of a text used to be held against every blocked word with every
-- ending; now a word's possible stems are looked up among the blocked ones, and a part is searched in all words at once.

create function private.stems_of(words text[], endings text[]) returns setof text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select left(word, length(word) - length(ending))
    from unnest(words) as word, unnest(endings) as ending
    where right(word, length(ending)) = ending
  $$;
comment on function private.stems_of is 'What is left of each word without each ending that it has.';

create or replace function private.holds_blocked_word(value text) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    with spoken as (
      select distinct regexp_replace(word, '(.)\1{2,}', kept, 'g') as word
      from unnest(private.words_of(value)) as word, (values ('\1'), ('\1\1')) as variants (kept)
    ),
    pressed as (
      select word, regexp_replace(word, '(.)\1+', '\1', 'g') as once from spoken
    ),
    -- Blocked parts have no blank in them: they are never found across two words.
    whole as (
      select array_agg(word) as words, array_agg(once) as once, string_agg(word || ' ' || once, ' ') as text from pressed
    ),
    sentence as materialized (
      select ' ' || regexp_replace(private.plain_text(value), '[^a-z]+', ' ', 'g') || ' ' as text
    )
    select exists (
      select from private.blocked_words as blocked, whole
      where blocked.kind = 'part' and position(blocked.word in whole.text) > 0
    ) or exists (
      select from private.blocked_words as blocked
      where blocked.kind = 'word' and blocked.word in (
        select private.stems_of(words, '{"",s,es,ed,er,ers,ing,in}') from whole union all select unnest(once) from whole
      )
    ) or exists (
      select from private.blocked_words as blocked, sentence
      where blocked.kind = 'phrase' and position(' ' || blocked.word || ' ' in sentence.text) > 0
    )
  $$;

create or replace function private.holds_cut_word(value text) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    with pieces as (
      select piece, lead(piece) over (order by place) as second, lead(piece, 2) over (order by place) as third
      from regexp_split_to_table(translate(private.plain_text(value), '013457@$!', 'oieastasi'), '[^a-z]+')
        with ordinality as split (piece, place)
    ),
    joined as (
      select array_agg(piece || second) || array_agg(piece || second || third) as words from pieces
    )
    select exists (
      select from private.blocked_words as blocked
      where blocked.kind = 'part'
        and blocked.word in (select private.stems_of(words, '{"",s,ed,er,ers,ing,in}') from joined)
    )
  $$;

-- Nearly every text is plain ASCII, which has nothing to take away or to spell anew.
create or replace function private.plain_text(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select case when octet_length(value) = char_length(value) then lower(value)
      else translate(
        private.latin_text(value),
        'ƒғꞙʄцʊƈҟɓɗɖɠɦɨɩɭɱɳɲŋƙƥʂʈţƭʋɯʍƴʐƶɛɜєэɔ',
        'ffffuuckbddghiilmnnnkpstttvwwyzzeeeeo'
      )
    end
  $$;
