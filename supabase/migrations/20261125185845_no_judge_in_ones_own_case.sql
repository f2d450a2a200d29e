SET local check_function_bodies = off;

-- Ends that were farther away than a century were meant as never.
update public.sanctions set until = 'infinity' where until > created_at + interval '100 years' and until < 'infinity';
update public.chat_silences set until = 'infinity' where until > created_at + interval '100 years' and until < 'infinity';
update auth.users set banned_until = '9999-01-01' where banned_until > '9999-01-01';

REVOKE ALL ("id") ON TABLE "public"."item_imports" FROM "authenticated";

REVOKE ALL ("rows") ON TABLE "public"."item_imports" FROM "authenticated";

REVOKE ALL ("id") ON TABLE "public"."item_imports" FROM "service_role";

REVOKE ALL ("rows") ON TABLE "public"."item_imports" FROM "service_role";

DROP POLICY "Admins change silences" ON "public"."chat_silences";

DROP POLICY "Moderators lift silences" ON "public"."chat_silences";

DROP POLICY "Admins add imports" ON "public"."item_imports";

DROP POLICY "Admins delete reports" ON "public"."reports";

DROP POLICY "Users see their own reports; moderators see all" ON "public"."reports";

DROP POLICY "Moderators see requests for second opinions" ON "public"."second_opinions";

DROP POLICY "Users delete their own ratings; moderators delete any" ON "public"."user_ratings";

DROP POLICY "Users delete their own avatars; moderators delete any" ON "storage"."objects";

DROP TRIGGER "admin_acts_mark_as_restore" ON "public"."admin_acts";

DROP INDEX "public"."archived_items_image_url_idx";

DROP INDEX "public"."items_image_url_idx";

ALTER TABLE "public"."second_opinions"
  DROP CONSTRAINT "second_opinions_pkey";

ALTER TABLE "public"."second_opinions"
  ADD COLUMN "id" uuid NOT NULL DEFAULT gen_random_uuid();

CREATE OR REPLACE FUNCTION private.check_reaction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if row_security_active('public.chat_reactions') then
        perform private.limit_rate(
          new.user_id, 'reaction', 30, interval '1 minute', 'You are reacting too fast: at most 30 times a minute'
        );
      end if;
      -- So that concurrent reactions are counted.
      perform pg_advisory_xact_lock(hashtextextended('reactions/' || new.message_id || new.emoji, 0));
      if (select count(*) >= 100 from public.chat_reactions where message_id = new.message_id and emoji = new.emoji) then
        raise exception using errcode = 'check_violation', message = 'This message has enough of these';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_evidence (
  kind    text,
  subject uuid
)
  RETURNS TABLE (
    person   uuid,
    evidence text,
    sent_at  timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select user_id, message, created_at from public.chat_messages where kind = 'message' and id = subject
    union all
    select user_id, message, created_at from public.deleted_chat_messages
      where kind = 'message' and id = subject and deleted_at > now() - interval '24 hours'
        -- Whoever joined later cannot have read it.
        and deleted_at > coalesce((select users.created_at from auth.users where users.id = auth.uid()), '-infinity')
    union all
    select id, username, null from public.profiles where kind = 'name' and id = subject
    union all
    select id, substring(avatar_url from '/avatars/(.+)$'), null from public.profiles
      where kind = 'picture' and id = subject and avatar_url like '/storage/%'
    union all
    select rater_id, rating || ' of 5 stars' || coalesce(': ' || comment, ''), created_at from public.user_ratings
      where kind = 'rating' and id = subject
    union all
    select rated_user_id, answer, answered_at from public.user_ratings
      where kind = 'answer' and id = subject and answer is not null
    limit 1
  $function$;

CREATE OR REPLACE FUNCTION private.keep_import (
  import_id uuid,
  written   public.items[],
  before    jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    insert into public.item_imports (id, rows)
      select import_id, coalesce(
        jsonb_agg(jsonb_build_object('id', item.id, 'updated_at', item.updated_at, 'before', before -> item.id::text)),
        '[]')
      from unnest(written) as item
  $function$;

CREATE OR REPLACE FUNCTION private.list_known_values (
  ids uuid[]
)
  RETURNS TABLE (
    item_id        uuid,
    mode           text,
    value          numeric,
    low            numeric,
    high           numeric,
    age            interval,
    observations   integer,
    spread         numeric,
    game_update    text,
    volatile_until timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    with priced as (
      select items.id, each.*, now() - items.values_checked_at as age
      from public.items, lateral (values
        ('regular', current_value_number, private.parse_value_text(current_low), private.parse_value_text(current_high)),
        ('permanent', permanent_value_number, private.parse_value_text(permanent_low),
          private.parse_value_text(permanent_high))
      ) as each (mode, value, low, high)
      where value is not null and (ids is null or items.id = any (ids))
    ), readings as (
      select change.item_id, change.mode, count(*) as count, min(new_number) as least, max(new_number) as most
      from public.item_value_changes as change
      where changed_at > now() - interval '90 days' and (ids is null or change.item_id = any (ids))
      group by 1, 2
    ), checks as (
      -- Several on one day are one: pressing thrice does not make anyone more confident.
      select item_value_checks.item_id, count(distinct (checked_at at time zone 'UTC')::date) as count
      from public.item_value_checks
      where checked_at > now() - interval '90 days' and (ids is null or item_value_checks.item_id = any (ids))
      group by 1
    ), unsettled as (
      select distinct on (touched.item_id) touched.item_id, game_updates.name, game_updates.volatile_until as until
      from public.game_updates
      join public.game_update_items as touched on touched.update_id = game_updates.id
      where now() >= happened_at and now() < game_updates.volatile_until and (ids is null or touched.item_id = any (ids))
      order by touched.item_id, game_updates.volatile_until desc
    )
    select id, priced.mode, value, low, high, age, (coalesce(readings.count, 0) + coalesce(checks.count, 0))::integer,
      round(coalesce(
        (greatest(value, most, high) - least(value, readings.least, low)) / nullif(value, 0), 0), 4),
      unsettled.name, unsettled.until
    from priced
    left join readings on readings.item_id = id and readings.mode = priced.mode
    left join checks on checks.item_id = id
    left join unsettled on unsettled.item_id = id
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

CREATE OR REPLACE FUNCTION private.record_act()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      ignored constant text[] := coalesce(tg_argv, '{}');
      before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - ignored end;
      after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - ignored end;
      known constant jsonb := coalesce(before, after);
      whole constant jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
    begin
      if tg_table_name <> 'user_roles' and not private.is_moderator() and not private.is_editor()
        and auth.role() is distinct from 'service_role' then
        return null;
      end if;
      if tg_op = 'UPDATE' then
        select jsonb_object_agg(key, before -> key), jsonb_object_agg(key, value) into before, after
          from jsonb_each(after) where value is distinct from before -> key;
        if after is null then
          return null;
        end if;
      end if;
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id, title, old, new)
      values (
        (select auth.uid()), lower(tg_op), tg_table_name,
        -- Checks are logged under their item, words under their digest.
        coalesce(
          whole ->> 'item_id', whole ->> 'id', whole ->> 'sanction_id', whole ->> 'user_id', md5(whole ->> 'word')
        )::uuid,
        coalesce(
          whole ->> 'reported_user_id', whole ->> 'rater_id', whole ->> 'user_id',
          (select user_id from public.sanctions where id = (whole ->> 'sanction_id')::uuid)::text
        )::uuid,
        coalesce(
          known ->> 'label', known ->> 'name', known ->> 'page_name', known ->> 'placement', known ->> 'word',
          (select name from public.items where id = (whole ->> 'item_id')::uuid)
        ),
        before, after
      );
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_archived_id()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if current_setting('private.restored_item', true) is distinct from new.id::text
        and exists (select from public.archived_items where id = new.id) then
        raise exception using
          errcode = 'unique_violation', message = format('The id of %s belongs to an archived item: restore that one', new.name);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_removed_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.id = (select auth.uid()) and exists (
        select from public.sanctions
        where user_id = new.id and kind = 'picture' and lifted_at is null
          and removed = substring(new.avatar_url from '/avatars/(.+)$')
      ) then
        raise exception using errcode = 'check_violation', message = 'This picture is not allowed';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.set_ban (
  person uuid,
  until  timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      -- The auth service cannot parse infinity, nor years beyond 9999.
      update auth.users set banned_until = case when until is not null then least(until, '9999-01-01') end
        where id = person;
      if until > now() then
        delete from auth.sessions where user_id = person;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.export_as_parent (
  key text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      child constant uuid := private.find_linked_child(key);
    begin
      insert into private.consent_log (child_id, act) values (child, 'exported');
      return jsonb_build_object(
        'exported_at', now(),
        'profile', (select jsonb_build_object('username', username, 'listed', listed, 'picture', avatar_url)
          from public.profiles where id = child),
        'age_group', (select band from public.age_bands where user_id = child),
        'account', (select jsonb_build_object('created_at', created_at, 'last_sign_in_at', last_sign_in_at)
          from auth.users where id = child),
        'saved_trades', (select coalesce(jsonb_agg(to_jsonb(rows) - 'user_id' order by created_at), '[]')
          from public.trade_history as rows where user_id = child),
        'chat_messages', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'message', message)
          order by created_at), '[]') from public.chat_messages where user_id = child),
        'ratings_given', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'stars', rating,
          'comment', comment) order by created_at), '[]') from public.user_ratings where rater_id = child),
        'ratings_received', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'stars', rating,
          'comment', comment, 'answer', answer) order by created_at), '[]')
          from public.user_ratings where rated_user_id = child),
        'chat_reactions', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'emoji', emoji)
          order by created_at), '[]') from public.chat_reactions where user_id = child),
        'people_muted', (select count(*) from public.chat_mutes where user_id = child),
        'reports_sent', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'kind', kind, 'reason', reason)
          order by created_at), '[]') from public.reports where reporter_id = child),
        'sanctions', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'kind', kind, 'reason', reason)
          order by created_at), '[]') from public.sanctions where user_id = child),
        'appeals', (select coalesce(jsonb_agg(jsonb_build_object('at', appeals.created_at, 'message', message,
          'granted', granted, 'answer', answer) order by appeals.created_at), '[]')
          from public.appeals join public.sanctions on sanctions.id = sanction_id where user_id = child),
        'chat_silence', (select jsonb_build_object('at', created_at, 'until', until, 'reason', reason)
          from public.chat_silences where user_id = child),
        'words_asked_for', (select coalesce(jsonb_agg(word order by word), '[]')
          from private.word_askers where user_id = child),
        'permissions', (select coalesce(jsonb_agg(jsonb_build_object('at', at, 'act', act) order by id), '[]')
          from private.consent_log where child_id = child)
      );
    end
  $function$;

CREATE OR REPLACE FUNCTION public.import_items (
  changes   jsonb,
  reason    text  DEFAULT NULL::text,
  import_id uuid  DEFAULT gen_random_uuid()
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      stale text;
      before jsonb;
      changed public.items[];
      added public.items[];
      written public.items[];
    begin
      if row_security_active('public.items') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins import items';
      end if;
      if jsonb_array_length(changes) > 5000 then
        raise exception using
          errcode = 'check_violation', message = 'Too many items at once: at most 5000';
      end if;

      -- Locked in id order, so that concurrent imports cannot deadlock.
      perform from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(changes) as element)
        order by id for update;
      select string_agg(coalesce(items.name, expected.name, expected.id::text), ', ' order by items.name) into stale
        from jsonb_to_recordset(changes) as expected (id uuid, updated_at timestamptz, name text)
        left join public.items on items.id = expected.id
        where expected.id is not null and items.updated_at is distinct from expected.updated_at;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by someone else in the meantime: %s', left(stale, 300)),
          hint = 'Nothing was imported. Choose the file again to compare it with what is there now.';
      end if;
      select coalesce(jsonb_object_agg(items.id, to_jsonb(items)), '{}') into before from public.items
        where id in (select (element ->> 'id')::uuid from jsonb_array_elements(changes) as element);

      with changed as (
        update public.items set
          name = change.name, slug = change.slug, aliases = coalesce(change.aliases, items.aliases),
          category_id = change.category_id, image_url = change.image_url,
          rarity = change.rarity, demand = change.demand,
          -- Clients that predate statuses do not send them.
          status = case when element ? 'status' then change.status else items.status end,
          type = change.type, is_permanent = change.is_permanent,
          current_value = change.current_value,
          -- The file has whole items: a previous value left unchanged there is replaced by the old value.
          previous_value = case
            when change.previous_value = items.previous_value
              and private.parse_value_text(change.current_value) is distinct from items.current_value_number
            then items.current_value else change.previous_value end,
          permanent_value = change.permanent_value,
          permanent_previous_value = case
            when change.permanent_previous_value is not distinct from items.permanent_previous_value
              and private.parse_value_text(change.permanent_value) is distinct from items.permanent_value_number
            then items.permanent_value else change.permanent_previous_value end,
          current_low = change.current_low, current_high = change.current_high,
          permanent_low = change.permanent_low, permanent_high = change.permanent_high,
          beli_price = change.beli_price, robux_price = change.robux_price, custom_fields = change.custom_fields,
          change_reason = import_items.reason
        from jsonb_array_elements(changes) as element, jsonb_populate_record(null::public.items, element) as change
        where items.id = change.id
        returning items as item
      )
      select array_agg(item) into changed from changed as done;

      with added as (
        insert into public.items (
          name, slug, aliases, category_id, image_url, rarity, demand, status, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high,
          beli_price, robux_price, custom_fields, change_reason
        )
        select
          name, slug, coalesce(aliases, ''), category_id, image_url, rarity, demand, status, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high,
          beli_price, robux_price, custom_fields, import_items.reason
        from jsonb_populate_recordset(null::public.items, changes)
        where id is null
        returning items as item
      )
      select array_agg(item) into added from added as done;

      written := coalesce(changed, '{}') || coalesce(added, '{}');
      perform private.keep_import(import_items.import_id, written, before);
      return query select * from unnest(written);
    end
  $function$;

CREATE OR REPLACE FUNCTION public.restore_item (
  item_id uuid
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      archived public.archived_items;
      place text;
      kept jsonb;
    begin
      if not private.is_admin() and auth.role() is distinct from 'service_role' then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins restore items';
      end if;
      select * into archived from public.archived_items where id = item_id for update;
      if not found then
        raise exception using errcode = 'PT404', message = 'This item is no longer in the archive';
      end if;
      -- The category may have been deleted while the item was archived.
      perform from public.categories where id = (archived.item ->> 'category_id')::uuid for key share;
      if not found then
        archived.item := archived.item || '{"category_id": null}';
      end if;
      if not exists (select from public.status_words where word = archived.item ->> 'status') then
        archived.item := archived.item || '{"status": null}';
      end if;
      perform set_config('private.restored_item', archived.id::text, true);
      begin
        perform private.reinsert_rows('public.items', jsonb_build_array(archived.item));
      exception
        when unique_violation then
          raise exception using
            errcode = 'unique_violation',
            message = format('Another item has the slug %s by now: change that one''s slug, then restore %s',
              archived.slug, archived.name);
      end;
      for place, kept in select * from jsonb_each(archived.records) loop
        perform private.reinsert_rows(place::regclass, kept);
      end loop;
      delete from public.archived_items where id = item_id;
      return query select * from public.items where id = item_id;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.show_forced_name()
  RETURNS TABLE (
    reason       text,
    by_moderator boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select reason, by_moderator from (
      select sanctions.reason, true from public.sanctions
      where user_id = (select auth.uid()) and kind = 'rename' and done_at is null and lifted_at is null
      union all
      select fault, false from private.outgrown_names where user_id = (select auth.uid())
    ) as faults (reason, by_moderator)
    where not (select private.owes_second_factor())
    limit 1
  $function$;

ALTER TABLE "public"."chat_silences"
  ADD CONSTRAINT "chat_silences_end_within_a_century_or_never" CHECK (((until <= (created_at + '100 years'::interval)) OR (until = 'infinity'::timestamp with time zone)));

ALTER TABLE "public"."game_updates"
  ADD CONSTRAINT "game_updates_happened_in_this_century" CHECK (((happened_at >= '2000-01-01 00:00:00+00'::timestamp
    with time zone) AND (happened_at <= '2100-01-01 00:00:00+00'::timestamp with time zone)));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_status_has_at_most_20_characters" CHECK ((char_length(status) <= 20));

ALTER TABLE "public"."sanctions"
  ADD CONSTRAINT "sanctions_end_within_a_century_or_never" CHECK (((until <= (created_at + '100 years'::interval)) OR (until = 'infinity'::timestamp with time zone)));

ALTER TABLE "public"."second_opinions"
  ADD CONSTRAINT "second_opinions_pkey" PRIMARY KEY (id);

ALTER TABLE "public"."second_opinions"
  ADD CONSTRAINT "second_opinions_user_id_key" UNIQUE (user_id);

CREATE INDEX archived_items_image_url_idx ON public.archived_items USING hash (image_url);

CREATE INDEX items_image_url_idx ON public.items USING hash (image_url);

CREATE TRIGGER admin_acts_mark_as_restore
  BEFORE INSERT ON public.admin_acts
  FOR EACH ROW
  WHEN ((new.act = 'insert'::text))
  EXECUTE FUNCTION private.mark_as_restore();

CREATE TRIGGER game_update_items_record_act
  AFTER INSERT OR DELETE ON public.game_update_items
  FOR EACH ROW
  WHEN ((pg_trigger_depth() = 0))
  EXECUTE FUNCTION private.record_act();

CREATE TRIGGER items_refuse_archived_id
  BEFORE INSERT ON public.items
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_archived_id();

CREATE TRIGGER profiles_refuse_removed_picture
  BEFORE UPDATE OF avatar_url ON public.profiles
  FOR EACH ROW
  WHEN ((new.avatar_url ~~ '/storage/%'::text))
  EXECUTE FUNCTION private.refuse_removed_picture();

CREATE TRIGGER status_words_record_act
  AFTER INSERT OR DELETE OR UPDATE ON public.status_words
  FOR EACH ROW
  EXECUTE FUNCTION private.record_act();

CREATE POLICY "Admins change silences of others" ON "public"."chat_silences"
  FOR UPDATE
  TO "authenticated"
  USING ((( SELECT private.is_admin() AS is_admin) AND (user_id <> ( SELECT auth.uid() AS uid))))
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Moderators lift silences of others" ON "public"."chat_silences"
  FOR DELETE
  TO "authenticated"
  USING ((( SELECT private.is_moderator() AS is_moderator) AND (user_id <> ( SELECT auth.uid() AS uid))));

CREATE POLICY "Admins delete reports about others" ON "public"."reports"
  FOR DELETE
  TO "authenticated"
  USING ((( SELECT private.is_admin() AS is_admin) AND (reported_user_id IS DISTINCT FROM ( SELECT auth.uid() AS uid))));

CREATE POLICY "Users see their own reports; moderators those about others" ON "public"."reports"
  FOR SELECT
  TO "authenticated"
  USING
    (((( SELECT private.is_moderator() AS is_moderator) AND ((reported_user_id IS DISTINCT FROM ( SELECT auth.uid() AS uid)) OR (NOT private.has_other_moderator(( SELECT auth.uid()
    AS uid))))) OR ((reporter_id = ( SELECT auth.uid() AS uid)) AND ((kind <> 'rating'::text) OR (EXISTS ( SELECT
   FROM public.profiles
  WHERE (profiles.id = reports.reported_user_id)))))));

CREATE POLICY "Moderators see requests for second opinions about others" ON "public"."second_opinions"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.is_moderator() AS is_moderator) AND (user_id <> ( SELECT auth.uid() AS uid))));

CREATE POLICY "Users delete their own ratings; moderators those of others" ON "public"."user_ratings"
  FOR DELETE
  TO "authenticated"
  USING (((rater_id = ( SELECT auth.uid() AS uid)) OR ((rated_user_id <> ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_moderator() AS is_moderator))));

CREATE POLICY "Users delete their own avatars; moderators delete any" ON "storage"."objects"
  FOR DELETE
  TO "authenticated"
  USING (((bucket_id = ANY (ARRAY['avatars'::text, 'avatar-uploads'::text])) AND
CASE
    WHEN private.is_own_avatar(name) THEN (NOT private.is_evidence(name))
    ELSE ( SELECT private.is_moderator() AS is_moderator)
END));

REVOKE ALL ON FUNCTION "private"."keep_import"(uuid, public.items[], jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."keep_import"(uuid, public.items[], jsonb) TO "authenticated", "service_role";

REVOKE ALL ON FUNCTION "private"."refuse_archived_id"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_removed_picture"() FROM PUBLIC;
