SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.check_existing_names (
  most integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      judged integer := 0;
      reached uuid := (select coalesce(names_judged_to, '00000000-0000-0000-0000-000000000000') from private.settings for update);
      person record;
      found_fault text;
    begin
      -- Before the vocabularies are loaded, every name would fail.
      if not exists (select from private.vocabularies where language not in ('items', 'site')) then
        return 0;
      end if;
      for person in select id, username from public.profiles where id > reached order by id limit most loop
        judged := judged + 1;
        reached := person.id;
        continue when exists (select from public.user_roles where user_id = person.id);
        found_fault := private.find_username_fault(person.username);
        continue when found_fault is null;
        perform private.take_turn();
        insert into private.outgrown_names (user_id, fault) values (person.id, found_fault) on conflict do nothing;
        perform private.rename_person(person.id, private.generate_username(''));
        exit;
      end loop;
      update private.settings set names_judged_to =
        case when judged = 0 then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else reached end;
      return judged;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_rater_age()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      minimum constant interval := (select rating_min_account_age from private.settings);
    begin
      if minimum > interval '0' and coalesce(private.find_account_start(new.rater_id), now()) > now() - minimum then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Your account is too new to rate traders';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.forget_parents()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    select private.take_turn();
    -- Before the links, as a child that asks again changes them.
    with forgotten as (
      delete from private.parental_consents
      where state = 'asked' and changed_at < now() - interval '14 days' returning child_id
    )
    insert into private.consent_log (child_id, act) select child_id, 'forgotten' from forgotten;
    delete from private.parent_links where expires_at < now();
    delete from private.parent_paces
      where not exists (select from unnest(sent) as at where at > now() - interval '24 hours');
  $function$;

CREATE OR REPLACE FUNCTION private.hide_child (
  person  uuid,
  renames boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if renames then
        perform private.take_turn();
      end if;
      -- First, so that a picture that is being approved meanwhile is found in the profile. Hosted projects refuse to
      -- delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'avatar-uploads' and starts_with(name, person::text || '/');
      -- Also if not listed, to wait for what the user changes meanwhile, a picture too.
      update public.profiles set listed = false where id = person;
      -- Catalogue drawings may stay.
      update public.profiles set avatar_url = null where id = person and avatar_url like '/storage/%';
      if renames then
        delete from private.daily_acts where user_id = person and act = 'rename';
        perform private.rename_person(person, private.generate_username(''));
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.keep_writer()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform from auth.users where id = (select auth.uid()) for key share;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.lock_rows_of_account()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      owned record;
    begin
      -- In alphabetical order: messages before reports of them, as whoever deletes a message.
      for owned in
        select conrelid::regclass as rows, attname as person
          from pg_catalog.pg_constraint
          join pg_catalog.pg_attribute on attrelid = conrelid and attnum = conkey[1]
          where contype = 'f' and confrelid = 'public.profiles'::regclass and confdeltype = 'c'
          order by conrelid::regclass::text collate "C", attname
      loop
        execute format('select from %s where %I = $1 for update', owned.rows, owned.person) using old.id;
      end loop;
      return old;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.note_refusal (
  person uuid,
  reason text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      enough constant integer := 5;
      -- More say nothing new, and a flood would fill the disk.
      most constant integer := 500;
      today constant uuid := md5(person || to_char(now() at time zone 'UTC', 'YYYYMMDD'))::uuid;
      found_reasons text;
    begin
      -- So that concurrent refusals make one report together.
      perform pg_advisory_xact_lock(hashtextextended('refusals/' || person, 0));
      -- Before its reports, as deleting the account begins there.
      perform from auth.users where id = person for key share;
      delete from private.refused_texts where at < now() - interval '1 day';
      if (select count(*) from private.refused_texts where user_id = person) >= most then
        return;
      end if;
      insert into private.refused_texts (user_id, reason) select id, note_refusal.reason from public.profiles where id = person;
      select string_agg(times || ' × ' || why, E'\n' order by times desc, why) into found_reasons
        from (
          select refused.reason as why, count(*) as times, sum(count(*)) over () as total
          from private.refused_texts as refused where user_id = person group by refused.reason
        ) as counted
        where total >= enough;
      if found_reasons is null then
        return;
      end if;
      update public.reports set evidence = found_reasons
        where subject_id = today and kind = 'refusals' and resolved_at is null;
      if not exists (select from public.reports where subject_id = today and kind = 'refusals') then
        insert into public.reports (kind, code, subject_id, reported_user_id, reporter_id, evidence)
          values ('refusals', 'personal', today, person, null, found_reasons);
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.take_turn()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$ select pg_advisory_xact_lock(hashtextextended('sanctions', 0)) $function$;

CREATE OR REPLACE FUNCTION private.wait_for_turn()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform private.take_turn();
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.decide_as_parent (
  key      text,
  decision text
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      child constant uuid := private.find_linked_child(key);
      known private.parental_consents;
      answer constant text :=
        case decision when 'allow' then 'allowed' when 'refuse' then 'refused' when 'withdraw' then 'withdrawn' end;
    begin
      perform private.take_turn();
      select * into known from private.parental_consents where child_id = child for update;
      -- Meanwhile the child may have asked another parent, which revoked the link.
      perform private.find_linked_child(key);
      if answer is null or known.child_id is null
        or (known.state, answer) not in (('asked', 'allowed'), ('asked', 'refused'), ('allowed', 'withdrawn'))
      then
        raise exception using errcode = 'PT409', message = 'This was answered already. Your child can ask again.';
      end if;
      update private.parental_consents
        set state = answer, changed_at = now(), parent_email = case answer when 'allowed' then known.parent_email end
        where child_id = child;
      insert into private.consent_log (child_id, act) values (child, answer);
      if answer = 'allowed' then
        -- A confirmation mail, so that the parent notices if someone else allowed it.
        perform private.mail_parent(child, 'allowed');
      elsif private.is_child(child) then
        perform private.hide_child(child, renames => answer = 'withdrawn');
      end if;
      return answer;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.set_age_band (
  person uuid,
  band   text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.require_right_over(person);
      perform private.take_turn();
      if not exists (select from public.profiles where id = person) or private.lowest_age(set_age_band.band) is null then
        raise exception using errcode = 'invalid_parameter_value', message = 'There is no such person or age group';
      end if;
      insert into public.age_bands as known (user_id, band) values (person, set_age_band.band)
        on conflict (user_id) do update set band = excluded.band where known.band <> excluded.band;
      -- Logs the change without the age group, which not everyone who reads the log needs to know.
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'update', 'age_bands', person, person);
    end
  $function$;

CREATE TRIGGER account_locks_rows
  BEFORE DELETE ON auth.users
  FOR EACH ROW
  EXECUTE FUNCTION private.lock_rows_of_account();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON private.consent_log
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON private.daily_acts
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON private.outgrown_names
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON private.paces
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON private.parent_links
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON private.parental_consents
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON private.refused_texts
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON private.sent_avatars
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON private.word_askers
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.age_bands
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.appeals
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.archived_items
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.case_notes
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.chat_messages
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.chat_mutes
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.chat_originals
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.chat_reactions
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.chat_silences
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.deleted_chat_messages
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.editor_names
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.item_demand_changes
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.item_value_changes
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.item_value_checks
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.notice_mails
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.profiles
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.reports
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.sanctions
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.second_opinions
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.trade_history
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.user_ratings
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.value_proposals
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.value_sets
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

CREATE TRIGGER writer_stays
  BEFORE INSERT OR DELETE OR UPDATE ON public.work_skips
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.keep_writer();

REVOKE ALL ON FUNCTION "private"."keep_writer"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_rows_of_account"() FROM PUBLIC;
