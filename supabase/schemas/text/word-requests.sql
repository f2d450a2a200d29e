-- Requests for missing words: users ask, admins allow or refuse. Also the list with which the chat shows, while a
-- user types, which words will be hidden.

create table public.word_requests (
  word text not null primary key constraint word_requests_word_has_2_to_30_letters check (word ~ '^[a-z0-9]{2,30}$'),
  count integer not null default 0,
  first_asked_at timestamptz not null default now(),
  refused_at timestamptz,
  last_asked_at timestamptz not null default now(),
  allowed_at timestamptz,
  constraint word_requests_are_decided_one_way check (num_nonnulls(refused_at, allowed_at) < 2)
);
comment on table public.word_requests is 'Words that users requested, with the number of requests and the admins'' decision.';

alter table public.word_requests enable row level security;
create policy "Admins see requested words" on public.word_requests
  for select to authenticated
  using ((select private.is_admin()));

grant select on table public.word_requests to authenticated;

create table private.word_askers (
  word text not null references public.word_requests (word) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  primary key (word, user_id)
);
comment on table private.word_askers is 'Who requested a word, so that nobody counts twice.';
create index word_askers_user_id_idx on private.word_askers (user_id);

-- Normalizes a word to the form that the verdict reads.
create function private.word_as_read(word text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$ select regexp_replace(private.plain_text(left(word, 100)), '[^a-z0-9]', '', 'g') $$;

-- Returns 'asked', 'known' if the word is already known, or 'refused' if it is a hidden word or an admin refused it.
create function public.ask_for_word(word text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      asked constant text := private.word_as_read(word);
      person constant uuid := (select auth.uid());
    begin
      if person is null or private.is_anonymous_or_application() or private.owes_second_factor() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in to ask for a word';
      end if;
      if asked is null or asked !~ '^[a-z0-9]{2,30}$' or asked ~ '[0-9]{3}' then
        raise exception using errcode = 'check_violation', message = 'A word has 2 to 30 letters';
      end if;
      if exists (select from private.known_words as known where known.word = asked and kind <> 'unsaid') then
        return 'known';
      end if;
      if exists (select from private.known_words as known where known.word = asked)
        or exists (select from public.word_requests as request where request.word = asked and refused_at is not null) then
        return 'refused';
      end if;
      perform private.count_daily_act(person, 'ask', 10, 'You can ask for 10 words a day. Please try again tomorrow.');
      insert into public.word_requests (word) values (asked) on conflict do nothing;
      insert into private.word_askers (word, user_id) values (asked, person) on conflict do nothing;
      update public.word_requests as request
        set count = (select count(*) from private.word_askers as asker where asker.word = asked),
          last_asked_at = now(), allowed_at = null
        where request.word = asked;
      return 'asked';
    end
  $$;
comment on function public.ask_for_word is 'Requests a word, at most 10 a day.';
revoke execute on function public.ask_for_word(text) from public, anon;
grant execute on function public.ask_for_word(text) to authenticated, service_role;

create function private.require_admin() returns void
  language plpgsql stable
  set search_path = ''
  as $$
    begin
      if not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins decide about words';
      end if;
    end
  $$;

-- A word has no id, so the log of admin actions uses its digest.
create function private.record_word_act(word text, act text) returns void
  language sql security definer
  set search_path = ''
  as $$
    insert into public.admin_acts (admin_id, act, table_name, row_id, title)
      values ((select auth.uid()), act, 'word_requests', md5(word)::uuid, word)
  $$;
revoke execute on function private.record_word_act(text, text) from public;

-- Whether the word is already in the wanted state (asked, allowed or refused), as when a decision is repeated after a
-- lost answer. Refuses a decision about a word in another state than the admin saw.
create function private.is_word_decided(word text, seen text, wanted text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
    declare
      state text;
    begin
      select case when allowed_at is not null then 'allowed' when refused_at is not null then 'refused' else 'asked' end
        into state from public.word_requests as request
        where request.word = is_word_decided.word for update;
      if state not in (seen, wanted) then
        raise exception using errcode = 'PT409', message = 'Somebody else decided about this word in the meantime';
      end if;
      return state = wanted and state <> seen;
    end
  $$;
revoke execute on function private.is_word_decided(text, text, text) from public;

create function public.allow_word(word text, seen text default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      allowed constant text := private.word_as_read(word);
    begin
      perform private.require_admin();
      if private.is_word_decided(allowed, allow_word.seen, 'allowed') then
        return;
      end if;
      if exists (select from private.known_words as known where known.word = allowed and kind = 'unsaid') then
        raise exception using errcode = 'check_violation', message = 'This word is hidden for the safety of children';
      end if;
      perform private.add_words('site', array[allowed], 'word');
      update public.word_requests as request set allowed_at = now(), refused_at = null where request.word = allowed;
      perform private.record_word_act(allowed, 'insert');
    end
  $$;
comment on function public.allow_word is 'Adds a word to the vocabulary; for admins.';
revoke execute on function public.allow_word(text, text) from public, anon;
grant execute on function public.allow_word(text, text) to authenticated, service_role;

-- Also makes a word unknown again that was allowed before.
create function public.refuse_word(word text, seen text default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      refused constant text := private.word_as_read(word);
    begin
      perform private.require_admin();
      if private.is_word_decided(refused, refuse_word.seen, 'refused') then
        return;
      end if;
      delete from private.known_words as known where known.word = refused and language = 'site';
      insert into public.word_requests as request (word, refused_at) values (refused, now())
        on conflict on constraint word_requests_pkey do update set refused_at = now(), allowed_at = null;
      perform private.record_word_act(refused, 'delete');
    end
  $$;
comment on function public.refuse_word is 'Refuses a word permanently, including one that was added before; for admins.';
revoke execute on function public.refuse_word(text, text) from public, anon;
grant execute on function public.refuse_word(text, text) to authenticated, service_role;

create function public.reopen_word(word text, seen text default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      reopened constant text := private.word_as_read(word);
    begin
      perform private.require_admin();
      if private.is_word_decided(reopened, reopen_word.seen, 'asked') then
        return;
      end if;
      update public.word_requests as request set refused_at = null, allowed_at = null
        where request.word = reopened and num_nonnulls(refused_at, allowed_at) > 0;
      if found then
        delete from private.known_words as known where known.word = reopened and language = 'site';
        perform private.record_word_act(reopened, 'update');
      end if;
    end
  $$;
comment on function public.reopen_word is 'Reverts the decision about a word; for admins.';
revoke execute on function public.reopen_word(text, text) from public, anon;
grant execute on function public.reopen_word(text, text) to authenticated, service_role;

-- All known words in one text, for writers: words not in it will be hidden. Sends no words if the caller's version is
-- still current. Typos are left out, since they are ten times as many and clients can derive them. `sometimes` are
-- hidden words that are shown in everyday clauses; only the verdict can tell in which.
create function public.list_known_words(known_version text default null)
  returns table (version text, words text, often text, sometimes text)
  language plpgsql stable security definer
  set search_path = ''
  as $$
    begin
      version := md5(
        (select string_agg(language || checksum || loaded_at, ',' order by language) from private.vocabularies)
        -- These languages have no file checksum, so their words are hashed.
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
  $$;
comment on function public.list_known_words is
  'The vocabulary, as space-separated words: all, those whose typos are accepted too, and those allowed only in everyday clauses; with its version.';
revoke execute on function public.list_known_words(text) from public, anon;
grant execute on function public.list_known_words(text) to authenticated, service_role;
