SET local check_function_bodies = off;

DROP FUNCTION "public"."list_known_words"(text);

CREATE TABLE "private"."everyday_phrases" (
  "language" text    NOT NULL,
  "place"    integer NOT NULL,
  "keys"     text[]  NOT NULL,
  "pattern"  text    NOT NULL,
  CONSTRAINT "everyday_phrases_pkey" PRIMARY KEY (LANGUAGE, place)
);

CREATE OR REPLACE FUNCTION private.begin_notice_mails()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if (select site_url from private.settings) is null then
        raise exception using errcode = 'check_violation', message = 'This site sends no email';
      end if;
      new.told_to := coalesce((select max(id) from public.editor_notices), 0);
      new.mailed_at := null;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.everyday_option (
  language text,
  option   text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select case
      when option = '<trade>' then '(?:[0-9][0-9.]*[kmbx]? )?=[^ ]+ '
      when option like '<%>' then '=?(?:' || (
        select string_agg(distinct word, '|') from private.known_words as known
        where known.language = everyday_option.language and kind not in ('slip', 'near') and meaning = btrim(option, '<>')
      ) || ') '
      else (select string_agg('=?' || piece || ' ', '' order by number) from unnest(string_to_array(option, ' ')) with ordinality as split (piece, number))
    end
  $function$;

CREATE OR REPLACE FUNCTION private.everyday_pattern (
  language text,
  phrase   text,
  beside   text,
  after    text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select case when phrase like '* %' then '(?<= )' else '(?<= (?:[|]|=?(?:' || beside || ')) )' end
      || string_agg(
        '(?:' || (
          select string_agg(private.everyday_option(language, option), '|' order by number)
          from unnest(string_to_array(btrim(token[1], '()'), '|')) with ordinality as listed (option, number)
        ) || ')' || case token[2] when '?' then '?' when '*' then '{0,4}' else '' end,
        '' order by place
      )
      || '(?=[|]|=?(?:' || beside || '|' || after || ') )'
    from regexp_matches(phrase, '(\([^)]*\)|[^\s?*]+)([?*]?)', 'g') with ordinality as step (token, place)
  $function$;

CREATE OR REPLACE FUNCTION private.find_form_fault (
  username text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
    select case
      when private.passes_for_operator(username) or private.passes_for_site(username) then 'This username is reserved'
      when length(regexp_replace(username, '[^0-9]', '', 'g')) > 6 then 'A username may not be a phone number'
      when length(regexp_replace(username, '[^0-9]', '', 'g')) > 4 then 'A username can have at most four digits'
      when exists (
        select from regexp_matches(username, '[0-9]+', 'g') as match
        where match[1]::integer between 8 and 17 or match[1]::integer between 1990 and 2030
      ) then 'A username may not tell how old you are: please take another number'
      when username ~ '(^|[^0-9])(69|420|88|666|1488)([^0-9]|$)' then 'This username is not allowed'
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_harm_in_pieces (
  person uuid,
  value  text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      span constant interval := '2 minutes';
      pieces text;
      row_of_figures text;
      verdict private.verdict;
    begin
      if char_length(value) > 60 then
        return null;
      end if;
      select string_agg(coalesce(original.message, piece.message), E'\n' order by piece.created_at)
        into pieces
        from (
          select id, message, created_at from public.chat_messages
          where user_id = person and created_at > now() - span and char_length(message) <= 60
          order by created_at desc limit 8
        ) as piece
        left join public.chat_originals as original on original.message_id = piece.id;
      if pieces is not null then
        verdict := private.judge_text(pieces || E'\n' || value);
        -- What was hidden in one of them by itself is no news; letters that only together spell are.
        if verdict.refusal is not null or private.holds_spelling(pieces || E'\n' || value) then
          return coalesce(verdict.refusal, 'Please write whole words: words that are spelled letter by letter are not shown');
        end if;
      end if;
      if value ~ '^[^[:alpha:]]*[0-9][^[:alpha:]]*$' then
        select string_agg(message, ' ' order by created_at) into row_of_figures
          from (
            select message, created_at, bool_and(message ~ '^[^[:alpha:]]*$') over (order by created_at desc) as in_a_row
            from (
              select message, created_at from public.chat_messages
              where created_at > now() - span order by created_at desc limit 8
            ) as latest
          ) as latest where in_a_row;
        return (private.judge_text(row_of_figures || ' ' || value)).refusal;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.judge_text (
  written text
)
  RETURNS private.verdict
  LANGUAGE plpgsql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      verdict private.verdict;
      read record;
      everyday record;
      found record;
      is_empty boolean;
      names_address boolean;
      words text[];
      are_trade boolean[];
      -- '1 000 000' is one figure.
      value constant text := regexp_replace(written, '(?<=[0-9]) (?=000(?![0-9]))', ',', 'g');
    begin
      -- One sign can stand for a whole sentence: a thousand times U+FDFA is eighteen thousand letters.
      if octet_length(value) > char_length(value) and char_length(normalize(value, nfkd)) > 4 * char_length(value) + 100 then
        verdict.refusal := 'Please write with letters: too many signs of this text stand for whole words';
        return verdict;
      end if;
      read := private.read_parts(value);
      if read.ats is null then
        verdict.shown := value;
        return verdict;
      end if;
      if 'unsaid' = any (read.kinds) then
        everyday := private.know_everyday(read.ats, read.gaps, read.chunks, read.parts, read.kinds, read.meanings);
        read.kinds := everyday.kinds;
        read.meanings := everyday.meanings;
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
      select array_agg(meaning order by place), array_agg(kind = 'trade' or meaning = '#' order by place)
        into words, are_trade
        from unnest(read.kinds, read.meanings) with ordinality as part (kind, meaning, place) where kind is not null;
      -- What is hidden anyway is refused where a sentence can say why. A long run without a blank is no address, and costs
      -- such expressions seconds.
      names_address := verdict.hidden is not null and value !~ '\S{100}';
      verdict.refusal := case
        when names_address and private.holds_email_address(value) then 'Email addresses are not allowed here'
        when names_address and private.holds_link(value) then 'Links are not allowed here'
        when private.holds_parted_dot(value) then 'Links are not allowed here'
        when found.may_be_number then 'Phone numbers are not allowed here'
        else coalesce(
          private.find_harm(coalesce(words, '{}'), are_trade),
          case when verdict.hidden is not null then private.find_harm(array[private.meaning_of_pieces(found.pieces)], '{false}') end,
          case when is_empty then 'Please use words that the site knows: none of this text could be shown' end
        )
      end;
      return verdict;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.know_everyday (
  ats    bigint[],
  gaps   text[],
  chunks text[],
  parts  text[],
  INOUT  kinds text[],
  INOUT  meanings text[]
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    declare
      line text := ' | ';
      -- Which part each word of the line is; 0 for the end of a sentence.
      places integer[] := '{0}';
      phrase record;
      token text;
      number integer;
      is_inside boolean;
      shown integer[] := '{}';
      items constant text[] := array(select word from private.known_words where word = any (parts) and language = 'items' and kind = 'trade');
    begin
      for i in 1 .. cardinality(parts) loop
        if i > 1 and ats[i] <> ats[i - 1] and (gaps[i] ~ '\n' or chunks[i - 1] ~ '[.,;:!?)]$') then
          line := line || '| ';
          places := places || 0;
        end if;
        continue when kinds[i] is null;
        -- Dough is a word, too.
        line := line || case when kinds[i] = 'trade' or parts[i] = any (items) then '=' else '' end || regexp_replace(parts[i], '([a-z])\1{2,}', '\1', 'g') || ' ';
        places := places || i;
      end loop;
      line := line || '| ';
      for phrase in
        select pattern from private.everyday_phrases
        where keys && string_to_array(replace(line, '=', ''), ' ')
      loop
        number := 0;
        is_inside := false;
        foreach token in array string_to_array(btrim(regexp_replace(line, phrase.pattern, '<\&>', 'g')), ' ') loop
          number := number + 1;
          is_inside := case when token like '%<%' then true when token like '>%' then false else is_inside end;
          if is_inside then shown := shown || places[number]; end if;
        end loop;
      end loop;
      foreach number in array shown loop
        if kinds[number] = 'unsaid' then
          kinds[number] := 'word';
          meanings[number] := '~' || parts[number];
        end if;
      end loop;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.load_everyday (
  language text,
  file     text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      line text;
      at integer := 0;
      beside text;
      after text;
      expression text;
    begin
      delete from private.everyday_phrases as loaded where loaded.language = load_everyday.language;
      foreach line in array regexp_split_to_array(coalesce(substring(file, '\n\[everyday\]\n([^[]*)'), ''), '\s*\n') loop
        at := at + 1;
        if line like 'beside: %' then
          beside := replace(substr(line, 9), ' ', '|');
        elsif line like 'after: %' then
          after := replace(substr(line, 8), ' ', '|');
        elsif line <> '' and line not like '#%' then
          expression := private.everyday_pattern(language, line, beside, after);
          insert into private.everyday_phrases (language, place, keys, pattern)
            select load_everyday.language, at, array_agg(distinct word), expression
            from regexp_split_to_table(expression, '[^a-z0-9]+') as word
            where word in (
              select known.word from private.known_words as known where kind = 'unsaid' and known.language = load_everyday.language
            );
        end if;
      end loop;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.load_phrases (
  language text,
  file     text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      part text;
      line text;
      at integer := 0;
      steps private.phrase_step[];
    begin
      delete from private.harmful_phrases as loaded where loaded.language = load_phrases.language;
      foreach line in array regexp_split_to_array(file, '\s*\n') loop
        at := at + 1;
        if line like '[%]' then
          part := btrim(line, '[]');
        elsif part like 'phrases: %' and line <> '' and line not like '#%' then
          steps := private.phrase_steps(private.plain_text(line));
          insert into private.harmful_phrases (key, language, place, steps, refusal)
            select distinct key, load_phrases.language, at, steps, substr(part, 10)
            from unnest(private.phrase_keys(steps)) as key;
        end if;
      end loop;
      perform private.load_everyday(language, file);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.load_vocabulary (
  language text,
  file     text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      sum constant text := md5(file);
      part text;
      line text;
    begin
      if exists (select from private.vocabularies as loaded where loaded.language = load_vocabulary.language and checksum = sum) then
        return false;
      end if;
      delete from private.vocabularies as loaded where loaded.language = load_vocabulary.language;
      insert into private.vocabularies (language, checksum) values (load_vocabulary.language, sum);
      foreach line in array regexp_split_to_array(file, '\s*\n') loop
        if line like '[%]' then
          part := btrim(line, '[]');
        elsif line = '' or line like '#%' or part like 'phrases: %' or part = 'everyday' then
          continue;
        elsif part in ('means', 'unsaid', 'said') then
          perform private.add_words(
            load_vocabulary.language,
            regexp_split_to_array(btrim(split_part(line, ':', 2)), ' +'),
            case part when 'means' then 'word' else part end,
            split_part(line, ':', 1)
          );
        else
          perform private.add_words(
            load_vocabulary.language, regexp_split_to_array(line, ' +'), case part when 'trade' then 'trade' else 'word' end,
            with_slips => part in ('trade', 'often')
          );
        end if;
      end loop;
      perform private.learn_item_names();
      return true;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.read_cells (
  cells        jsonb,
  reason_code  text,
  note         text,
  evidence_url text,
  picture      text
)
  RETURNS TABLE (
    place           bigint,
    item_id         uuid,
    field           text,
    new_value       text,
    old_value       text,
    reason_code_of  text,
    note_of         text,
    evidence_url_of text,
    picture_of      text,
    outcome         text,
    fault           text
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.require_editor();
      perform private.require_picture(read_cells.picture);
      if jsonb_typeof(cells) is distinct from 'array' or jsonb_array_length(cells) not between 1 and 5000 then
        raise exception using errcode = 'check_violation', message = 'Between 1 and 5000 values at once';
      elsif exists (
        select from jsonb_array_elements(cells) as cell
        group by (cell ->> 'item_id')::uuid, cell ->> 'field' having count(*) > 1
      ) then
        raise exception using errcode = 'check_violation', message = 'A value is listed twice';
      end if;
      perform private.require_reasons(said.code, said.words, said.link) from (
        select distinct
          coalesce(nullif(cell ->> 'reason_code', ''), read_cells.reason_code) as code,
          nullif(private.trim_text(coalesce(nullif(private.trim_text(cell ->> 'note'), ''), read_cells.note)), '') as words,
          nullif(private.trim_text(coalesce(nullif(cell ->> 'evidence_url', ''), read_cells.evidence_url)), '') as link
        from jsonb_array_elements(cells) as cell
      ) as said;

      perform from public.items
        where id in (select (cell ->> 'item_id')::uuid from jsonb_array_elements(cells) as cell)
        order by id for update;
      return query
        select cell.place, cell.item_id, cell.field, cell.value, cell.was, cell.code, cell.words, cell.link,
          read_cells.picture,
          case
            when items.id is null or private.find_value_fault(cell.field, cell.value) is not null then 'refused'
            when nullif(to_jsonb(items) ->> cell.field, '') is distinct from cell.was then 'changed_meanwhile'
          end,
          case when items.id is null then 'This item is gone' else private.find_value_fault(cell.field, cell.value) end
        from (
          select ordinality as place, (each ->> 'item_id')::uuid as item_id, each ->> 'field' as field,
            nullif(private.trim_text(each ->> 'value'), '') as value, nullif(each ->> 'was', '') as was,
            coalesce(nullif(each ->> 'reason_code', ''), read_cells.reason_code) as code,
            coalesce(private.trim_text(coalesce(nullif(private.trim_text(each ->> 'note'), ''), read_cells.note)), '') as words,
            nullif(private.trim_text(coalesce(nullif(each ->> 'evidence_url', ''), read_cells.evidence_url)), '') as link
          from jsonb_array_elements(cells) with ordinality as elements (each, ordinality)
        ) as cell
        left join public.items on items.id = cell.item_id
        order by cell.place;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.sign_answer()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      judged public.sanctions;
    begin
      select * into judged from public.sanctions where id = new.sanction_id;
      if old.answered_at is not null or new.granted is null then
        raise exception using errcode = 'PT403', message = 'An appeal is answered once, with yes or no';
      end if;
      if judged.user_id = (select auth.uid())
        or judged.created_by = (select auth.uid()) and private.has_other_moderator(judged.user_id)
      then
        raise exception using errcode = 'PT403', message = 'You acted here yourself: another moderator answers this appeal';
      end if;
      new.answer := nullif(private.trim_text(new.answer), '');
      new.answered_at := now();
      new.answered_by := (select id from public.profiles where id = (select auth.uid()));
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.ask_parent (
  email text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      me constant uuid := (select auth.uid());
      address constant text := lower(private.trim_text(email));
    begin
      if me is null or private.owes_second_factor() or private.is_bystander() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in first';
      end if;
      if not private.is_child(me) then
        raise exception using errcode = 'PT409', message = 'You do not need a parent''s permission here';
      end if;
      if (select site_url from private.settings) is null then
        raise exception using errcode = 'PT503', message = 'This site sends no email, so it cannot ask a parent';
      end if;
      if char_length(address) > 255 or address !~ '^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$' then
        raise exception using errcode = 'check_violation', message = 'Please enter an email address';
      end if;
      if address = (select lower(users.email) from auth.users where id = me) then
        raise exception using
          errcode = 'check_violation', message = 'This is the address of your own account. Please enter your parent''s.';
      end if;
      perform private.count_daily_act(me, 'ask_parent', 3, 'You can ask three times a day. Please try again tomorrow.');
      insert into private.parental_consents as consent (child_id, state, parent_email) values (me, 'asked', address)
        on conflict (child_id) do update set state = 'asked', parent_email = excluded.parent_email, changed_at = now();
      -- Who had a link before has it no more: it was sent to another, or answered.
      delete from private.parent_links where child_id = me;
      insert into private.consent_log (child_id, act) values (me, 'asked');
      if not private.mail_parent(me, 'asked') then
        raise exception using
          errcode = 'PT429', message = 'This address cannot be written to right now. Please try again tomorrow.';
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.list_known_words (
  known_version text DEFAULT NULL::text
)
  RETURNS TABLE (
    version   text,
    words     text,
    often     text,
    sometimes text
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      version := md5(
        (select string_agg(language || checksum || loaded_at, ',' order by language) from private.vocabularies)
        -- Of what is not loaded from a file, the words themselves.
        || (select count(*) || ',' || coalesce(md5(string_agg(word, ' ' order by word)), '')
          from private.known_words where language in ('items', 'site'))
      );
      if known_version is distinct from version then
        select string_agg(word, ' ' order by word), string_agg(word, ' ' order by word) filter (where has_slips)
          into words, often
          from (
            select word, exists (
              select from private.known_words as slips where slips.kind in ('slip', 'near') and slips.meaning = known.word
            ) as has_slips
            from private.known_words as known where kind not in ('slip', 'near')
            group by word having bool_and(kind <> 'unsaid')
          ) as known;
        select coalesce(string_agg(distinct key, ' ' order by key), '') into sometimes
          from private.everyday_phrases as everyday, unnest(everyday.keys) as key;
      end if;
      return next;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_known_words"(text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.withdraw_proposals (
  ids bigint[]
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      count integer;
    begin
      if private.owes_second_factor() or private.is_application() then
        raise exception using errcode = 'insufficient_privilege', message = 'Finish signing in first';
      end if;
      update public.value_proposals as wanted set state = 'withdrawn'
      where wanted.id = any (ids) and wanted.state in ('draft', 'waiting', 'approved')
        and wanted.proposed_by = (select auth.uid());
      get diagnostics count = row_count;
      return count;
    end
  $function$;

ALTER TABLE "private"."everyday_phrases"
  ADD CONSTRAINT "everyday_phrases_language_fkey" FOREIGN KEY (LANGUAGE) REFERENCES private.vocabularies(LANGUAGE) ON DELETE CASCADE;

COMMENT ON COLUMN "private"."everyday_phrases"."keys" IS 'The hidden words that may stand in it, as they are written.';

COMMENT ON COLUMN "private"."settings"."site_url" IS 'Where links in emails to parents lead; without it none are sent.';

COMMENT ON FUNCTION "public"."ask_parent"(text) IS 'Sends a parent the link to the consent page; for people under the age limit.';

COMMENT ON FUNCTION "public"."list_known_words"(text) IS 'The words that people may write to each other, parted by blanks, those of which slips are known too, those that only some clauses may hold, and their version.';

COMMENT ON FUNCTION "public"."renew_parent_link"(text) IS 'Sends a new link to a parent whose address is kept.';

COMMENT ON TABLE "private"."everyday_phrases" IS 'Clauses that are shown although they hold hidden words.';

REVOKE ALL ON FUNCTION "private"."load_everyday"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_known_words"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_known_words"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_known_words"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_known_words"(text) TO "service_role";
