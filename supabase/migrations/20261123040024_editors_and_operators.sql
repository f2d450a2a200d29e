SET local check_function_bodies = off;

DROP POLICY "Editors and moderators hear of what is theirs, admins of all" ON "public"."editor_notices";

ALTER TABLE "public"."editor_notices"
  DROP CONSTRAINT "editor_notices_kind_is_known";

ALTER TABLE "public"."value_proposals"
  DROP CONSTRAINT "value_proposals_field_is_known";

DROP FUNCTION "private"."default_margin"(interval);

DROP FUNCTION "private"."read_cells"(jsonb, text, text, text);

DROP FUNCTION "private"."value_confidence"(interval, integer, numeric, boolean);

DROP FUNCTION "private"."work_score"(numeric, integer, numeric, boolean);

DROP FUNCTION "public"."approve_proposals"(bigint[], text);

DROP FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text);

DROP FUNCTION "public"."list_value_changes"(uuid);

DROP FUNCTION "public"."list_work"(integer);

DROP FUNCTION "public"."publish_values"(jsonb, text, text, text);

DROP FUNCTION "public"."reject_proposals"(bigint[], text);

CREATE TABLE "private"."item_views" (
  "item_id"   uuid   NOT NULL,
  "viewed_on" date   NOT NULL,
  "views"     bigint NOT NULL,
  CONSTRAINT "item_views_pkey" PRIMARY KEY (item_id, viewed_on)
);

CREATE TABLE "private"."sent_avatars" (
  "name"    text                     NOT NULL,
  "person"  uuid                     NOT NULL,
  "sent_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "sent_avatars_pkey" PRIMARY KEY (name)
);

CREATE TABLE "public"."change_pictures" (
  "name"     text                     NOT NULL,
  "shown_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "change_pictures_name_is_of_a_file" CHECK ((name ~ '^[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$'::text)),
  CONSTRAINT "change_pictures_pkey" PRIMARY KEY (name)
);

ALTER TABLE "public"."change_pictures"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."editor_names" (
  "id"      uuid NOT NULL DEFAULT gen_random_uuid(),
  "name"    text NOT NULL,
  CONSTRAINT "editor_names_name_has_3_to_20_letters_digits_or_underscores" CHECK ((name ~ '^[A-Za-z0-9_]{3,20}$'::text)),
  CONSTRAINT "editor_names_pkey" PRIMARY KEY (id),
  "user_id" uuid NOT NULL DEFAULT auth.uid(),
  CONSTRAINT "editor_names_user_id_key" UNIQUE (user_id)
);

ALTER TABLE "public"."editor_names"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."editor_names" FROM "anon";

CREATE TABLE "public"."notice_mails" (
  "told_to"   bigint                   NOT NULL DEFAULT 0,
  "mailed_at" timestamp with time zone,
  "user_id"   uuid                     NOT NULL DEFAULT auth.uid(),
  CONSTRAINT "notice_mails_pkey" PRIMARY KEY (user_id)
);

ALTER TABLE "public"."notice_mails"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."notice_mails" FROM "anon";

ALTER TABLE "public"."item_demand_changes"
  ADD COLUMN "reason_code" text;

ALTER TABLE "public"."item_demand_changes"
  ADD COLUMN "evidence_url" text;

ALTER TABLE "public"."item_demand_changes"
  ADD COLUMN "changed_as" text;

ALTER TABLE "public"."item_demand_changes"
  ADD COLUMN "is_seconded" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."item_demand_changes"
  ADD COLUMN "picture" text;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "picture" text;

ALTER TABLE "public"."value_proposals"
  ADD COLUMN "picture" text;

CREATE OR REPLACE FUNCTION private.add_item_views (
  slugs  text[],
  counts bigint[]
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    insert into private.item_views as known (item_id, viewed_on, views)
    select items.id, (now() at time zone 'UTC')::date, sum(count)
    from unnest(slugs, counts) as counted (slug, count)
    join public.items on items.slug = counted.slug
    group by items.id order by items.id
    on conflict (item_id, viewed_on) do update set views = known.views + excluded.views
  $function$;

CREATE OR REPLACE FUNCTION private.add_proposal (
  into_set uuid,
  cell     record,
  state    text,
  why      text
)
  RETURNS bigint
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := (select auth.uid());
      added bigint;
    begin
      update public.value_proposals as earlier set state = 'withdrawn'
        where earlier.proposed_by = person and earlier.item_id = cell.item_id and earlier.field = cell.field
          and earlier.set_id is not distinct from into_set and earlier.state in ('draft', 'waiting', 'approved');
      insert into public.value_proposals (
        set_id, item_id, field, old_value, new_value, reason_code, note, evidence_url, picture, state, why, proposed_by, proposed_as
      ) values (
        into_set, cell.item_id, cell.field, cell.old_value, cell.new_value, cell.reason_code_of, cell.note_of,
        cell.evidence_url_of, cell.picture_of, add_proposal.state, add_proposal.why, person, private.editing_role(person)
      ) returning id into added;
      return added;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.begin_notice_mails()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if (select site_url from private.settings) is null then
        raise exception using errcode = 'check_violation', message = 'This site sends no mails';
      end if;
      new.told_to := coalesce((select max(id) from public.editor_notices), 0);
      new.mailed_at := null;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_editor_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      fault text;
    begin
      -- The table refuses what is no name by its form.
      if new.name ~ '^[A-Za-z0-9_]{3,20}$' then
        fault := case
          when private.looks_like_admin(new.user_id, new.name)
            or exists (select from public.profiles where lower(username) = lower(new.name) and id <> new.user_id)
            then 'This name is taken'
          else replace(private.find_username_fault(new.name), 'username', 'name')
        end;
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault, hint = 'name';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_shown_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.name <> split_part(old.name, '/', 2) or not exists (select from private.list_pictured(old.name)) then
        raise exception using errcode = '42501', message = 'This picture belongs to no change';
      end if;
      new.owner := null;
      new.owner_id := null;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.count_item_traders()
  RETURNS TABLE (
    item_id uuid,
    traders integer
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select id, count(*)::integer
    from (
      select distinct user_id, (entry ->> 'id')::uuid as id
      from (
        select user_id, your_items || their_items as entries from public.trade_history
        where version = 1 and created_at > now() - interval '30 days'
        order by created_at desc limit 5000
      ) as latest, jsonb_array_elements(entries) as entry
    ) as held
    group by 1
  $function$;

CREATE OR REPLACE FUNCTION private.end_notice_mails()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      delete from public.notice_mails
        where user_id = old.user_id and not exists (select from public.user_roles where user_roles.user_id = old.user_id);
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_editor_news()
  RETURNS TABLE (
    kind    text,
    subject text,
    item    text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select 'proposals', proposal.id::text, items.name
    from public.value_proposals as proposal join public.items on items.id = proposal.item_id
    where proposal.state = 'waiting'
    union all
    select 'large_changes', change.id::text, items.name
    from public.item_value_changes as change join public.items on items.id = change.item_id
    where change.changed_at > now() - interval '2 days' and change.changed_as is not null and change.old_value is not null
      and private.is_large_change(
        change.old_value, change.new_value, (select large_change_percent from private.settings))
    union all
    select 'stale', id || ' ' || values_checked_at, name
    from public.items where values_checked_at < now() - interval '30 days'
    union all
    select 'pictures', objects.name, items.name
    from storage.objects
    join public.value_proposals as pictured on pictured.picture = split_part(objects.name, '/', 2)
    join public.items on items.id = pictured.item_id
    where objects.bucket_id = 'change-uploads' and pictured.state in ('waiting', 'approved', 'published')
    union all
    select 'reports', id::text, null from public.reports where resolved_at is null
    union all
    select 'failed_mails', id::text, null from backend.mail_queue where tries >= 3
  $function$;

CREATE OR REPLACE FUNCTION private.find_notice_mails()
  RETURNS TABLE (
    user_id uuid,
    up_to   bigint,
    notices jsonb
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select wanted.user_id, max(notice.id),
      jsonb_agg(jsonb_build_object('kind', notice.kind, 'count', notice.count, 'items', notice.items) order by notice.id)
    from public.notice_mails as wanted
    join public.editor_notices as notice on notice.id > wanted.told_to
    where coalesce(wanted.mailed_at < now() - interval '6 hours', true)
      and exists (
        select from public.user_roles as held
        where held.user_id = wanted.user_id and case held.role
          when 'admin' then notice.kind <> 'failed_mails'
          when 'editor' then notice.kind in ('proposals', 'large_changes', 'stale', 'pictures')
          else notice.kind = 'reports'
        end
      )
    group by wanted.user_id
    having min(notice.created_at) < now() - interval '10 minutes'
  $function$;

CREATE OR REPLACE FUNCTION private.find_turn (
  field     text,
  old_value text,
  new_value text
)
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
    select case
      when not private.is_range(field) then 2
      when new_value is null then 1
      when old_number is null then 3
      when (new_number < old_number) = (field like '%\_low') then 1
      else 3
    end
    from (select private.parse_value_text(old_value), private.parse_value_text(new_value)) as numbers (old_number, new_number)
  $function$;

CREATE OR REPLACE FUNCTION private.find_value_fault (
  field text,
  value text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
    select case
      when field is null or field not in ('current_value', 'permanent_value', 'demand', 'beli_price', 'robux_price')
        and not private.is_range(field)
        then 'This is not a value that can be published'
      when field = 'demand' and (value is null or value not in ('low', 'medium', 'high', 'very_high'))
        then 'Invalid demand level'
      when field = 'current_value' and value is null then 'Value is required'
      when char_length(value) > 20 then 'Value is too long'
      when private.is_range(field) and value is not null and private.parse_value_text(value) is null
        then 'Not a number'
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_wait (
  person    uuid,
  item      public.items,
  field     text,
  new_value text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      limits private.settings;
      is_admin constant boolean := private.editing_role(person) is not distinct from 'admin';
      number constant numeric :=
        case when starts_with(field, 'permanent_') then item.permanent_value_number else item.current_value_number end;
      dearer integer;
    begin
      select * into limits from private.settings;
      if is_admin and not exists (
        select from public.user_roles where role in ('admin', 'editor') and user_id <> person
      ) then
        return null;
      end if;
      if field <> 'demand' and not private.is_range(field) and private.is_large_change(
        private.first_value_of_day(person, item, field), new_value, limits.large_change_percent) then
        return 'large';
      end if;
      if is_admin then
        return null;
      end if;
      if private.is_new_editor(person) then
        return 'new_editor';
      end if;
      if number is null then
        return null;
      end if;
      if starts_with(field, 'permanent_') then
        select count(*) into dearer
          from (select from public.items where permanent_value_number > number limit limits.dear_items) as above;
      else
        select count(*) into dearer
          from (select from public.items where current_value_number > number limit limits.dear_items) as above;
      end if;
      return case when dearer < limits.dear_items then 'dear' end;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.follow_item()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      context constant jsonb := private.read_change_context();
      changed_by constant uuid := (
        select id from public.profiles
        where id = case when context ? 'changed_by' then (context ->> 'changed_by')::uuid else (select auth.uid()) end
      );
      regular_changed constant boolean :=
        old.current_value_number is distinct from private.parse_value_text(new.current_value);
      permanent_changed constant boolean :=
        old.permanent_value_number is distinct from private.parse_value_text(new.permanent_value);
      reason constant text := nullif(private.trim_text(new.change_reason), '');
      written_previous constant text := coalesce(current_setting('private.written_previous', true), '');
      restored_check constant timestamptz := nullif(current_setting('private.restored_check', true), '');
    begin
      perform set_config('private.written_previous', '', true);
      if regular_changed and strpos(written_previous, 'regular') = 0 then
        new.previous_value := old.current_value;
      end if;
      if permanent_changed and strpos(written_previous, 'permanent') = 0 then
        new.permanent_previous_value := old.permanent_value;
      end if;
      -- A range that was set around the old value, and is not written with the new one, goes unless it holds that too.
      if regular_changed
        and (new.current_low, new.current_high) is not distinct from (old.current_low, old.current_high)
        and not private.is_within(new.current_value, new.current_low, new.current_high)
      then
        new.current_low := null;
        new.current_high := null;
      end if;
      if permanent_changed
        and (new.permanent_low, new.permanent_high) is not distinct from (old.permanent_low, old.permanent_high)
        and not private.is_within(new.permanent_value, new.permanent_low, new.permanent_high)
      then
        new.permanent_low := null;
        new.permanent_high := null;
      end if;

      insert into public.item_value_changes (
        item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_low, old_high,
        old_checked_at, reason, changed_by, reason_code, evidence_url, picture, changed_as, is_seconded
      )
      select old.id, change.*, old.values_checked_at, reason, changed_by,
        context ->> 'reason_code', context ->> 'evidence_url', context ->> 'picture',
        coalesce(context ->> 'changed_as', case when (select private.is_admin()) then 'admin' end),
        coalesce((context ->> 'is_seconded')::boolean, false)
      from (
        select 'regular', old.current_value, new.current_value, old.previous_value, new.previous_value,
          old.current_low, old.current_high
        where regular_changed
        union all
        select 'permanent', old.permanent_value, new.permanent_value,
          old.permanent_previous_value, new.permanent_previous_value, old.permanent_low, old.permanent_high
        where permanent_changed
      ) as change;

      -- A check moves values_checked_at alone, which nobody else may write: that is no edit.
      if restored_check is not null then
        new.values_checked_at := restored_check;
      elsif regular_changed or permanent_changed then
        new.values_checked_at := now();
      elsif new.values_checked_at is distinct from old.values_checked_at then
        new.updated_at := old.updated_at;
        return new;
      end if;
      new.change_reason := null;
      new.updated_at := now();
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.forget_editor_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      delete from public.editor_names where user_id = old.user_id and not exists (
        select from public.user_roles where user_roles.user_id = old.user_id and role in ('admin', 'editor')
      );
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.forget_item_views()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    delete from private.item_views where viewed_on < (now() at time zone 'UTC')::date - 6
  $function$;

CREATE OR REPLACE FUNCTION private.is_range (
  field text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
    select field in ('current_low', 'current_high', 'permanent_low', 'permanent_high')
  $function$;

CREATE OR REPLACE FUNCTION private.is_second_person()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$ select private.is_editor() and not private.is_new_editor((select auth.uid())) $function$;

CREATE OR REPLACE FUNCTION private.is_still_there (
  proposal public.value_proposals
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select there is not distinct from (proposal).old_value or private.is_range((proposal).field) and there is null
    from (
      select nullif(to_jsonb(items) ->> (proposal).field, '') from public.items where id = (proposal).item_id
    ) as held (there)
  $function$;

CREATE OR REPLACE FUNCTION private.keep_proposal()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if (new.item_id, new.field, new.old_value, new.new_value, new.proposed_at, new.picture)
          is distinct from (old.item_id, old.field, old.old_value, old.new_value, old.proposed_at, old.picture)
        or new.proposed_by is not null and new.proposed_by is distinct from old.proposed_by
        or old.state in ('rejected', 'withdrawn', 'rolled_back') and new.state <> old.state
        or old.state = 'published' and new.state not in ('published', 'rolled_back') then
        raise exception using
          errcode = 'insufficient_privilege', message = 'What was proposed and decided stays as it is';
      end if;
      return new;
    end
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
      select item_value_checks.item_id, count(*) as count
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

CREATE OR REPLACE FUNCTION private.list_pictured (
  file text
)
  RETURNS SETOF public.value_proposals
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select * from public.value_proposals
    where picture = split_part(file, '/', 2) and proposed_by::text = split_part(file, '/', 1)
      and state not in ('rejected', 'withdrawn')
  $function$;

CREATE OR REPLACE FUNCTION private.looks_like_admin (
  person   uuid,
  username text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.user_roles
      join public.profiles on profiles.id = user_roles.user_id
      where user_roles.user_id <> person
        and private.look_of_name(profiles.username) = private.look_of_name(looks_like_admin.username)
    ) or exists (
      select from public.editor_names
      where editor_names.user_id <> person
        and private.look_of_name(editor_names.name) = private.look_of_name(looks_like_admin.username)
    )
  $function$;

CREATE OR REPLACE FUNCTION private.note_change_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      pictured uuid;
    begin
      if tg_op = 'UPDATE' then
        insert into public.change_pictures (name) values (new.name) on conflict do nothing;
        select item_id into pictured from private.list_pictured(old.name) limit 1;
      else
        delete from public.change_pictures where name = old.name and old.bucket_id = 'change-pictures';
        select item_id into pictured from public.value_proposals
          where picture = substring(old.name from '[^/]+$') and proposed_by is distinct from (select auth.uid()) limit 1;
        if not found or pg_trigger_depth() > 1 or not private.is_editor() then
          return null;
        end if;
      end if;
      insert into public.admin_acts (admin_id, act, table_name, row_id, title)
      values ((select auth.uid()), lower(tg_op), 'change_pictures', pictured,
        (select name from public.items where id = pictured));
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.note_editor_news (
  has_webhook boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not pg_try_advisory_xact_lock(hashtextextended('editor_notices', 0)) then
        return;
      end if;
      delete from private.told_news as told
        where not exists (
          select from private.find_editor_news() as news where news.kind = told.kind and news.subject = told.subject
        );
      with fresh as (
        insert into private.told_news (kind, subject)
        select news.kind, news.subject from private.find_editor_news() as news
        where news.kind <> 'stale' or not exists (
          select from public.editor_notices as last
          where last.kind = 'stale' and last.created_at > now() - interval '20 hours'
        )
        on conflict do nothing
        returning told_news.kind, told_news.subject
      )
      insert into public.editor_notices (kind, count, items, webhook_next_at)
      select kind, count(distinct subject),
        coalesce((array_agg(distinct item) filter (where item is not null))[:5], '{}'),
        case when has_webhook then now() end
      from fresh join private.find_editor_news() as news using (kind, subject)
      group by kind order by kind;
      delete from public.editor_notices where created_at < now() - interval '30 days';
    end
  $function$;

CREATE OR REPLACE FUNCTION private.parse_value_text (
  value text
)
  RETURNS numeric
  LANGUAGE plpgsql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$
    declare
      parts text[];
      number numeric;
    begin
      -- As editors write nearly all of them, and lists of the whole catalogue read thousands.
      if value ~ '^[0-9]{1,15}(\.[0-9]{1,6})?[KMBT]?$' then
        return trim_scale(rtrim(value, 'KMBT')::numeric
          * case right(value, 1) when 'K' then 1e3 when 'M' then 1e6 when 'B' then 1e9 when 'T' then 1e12 else 1 end);
      end if;
      -- No column holds more than 20 characters; a longer text is not worth a parse.
      if char_length(value) > 400 then
        return null;
      end if;
      parts := regexp_match(
        private.trim_text(value),
        '^((?:[0-9]{1,3}(?:[, \u00a0\u202f][0-9]{3})+|[0-9]+)?(?:\.[0-9]+)?)[ \u00a0\u202f]*([KMBTkmbt])?$'
      );
      if parts is null or parts[1] = '' then
        return null;
      end if;
      number := regexp_replace(parts[1], '[, \u00a0\u202f]', '', 'g')::numeric
        * case lower(parts[2]) when 'k' then 1e3 when 'm' then 1e6 when 'b' then 1e9 when 't' then 1e12 else 1 end;
      -- Beyond what a number in the browser can be.
      return case when number < 1.7976931348623158e308 then trim_scale(number) end;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.publish_set (
  set_id uuid,
  person uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      changed text[] := '{}';
      proposal record;
      count integer := 0;
    begin
      for proposal in
        select held.id, items.name from public.value_proposals as held join public.items on items.id = held.item_id
        where held.set_id = publish_set.set_id and held.state = 'approved'
        order by private.find_turn(held.field, held.old_value, held.new_value), held.id
      loop
        count := count + 1;
        if not private.write_proposal(proposal.id, publish_set.set_id) then
          changed := changed || proposal.name;
        end if;
      end loop;
      if cardinality(changed) > 0 then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by someone else in the meantime: %s', left(array_to_string(changed, ', '), 300)),
          hint = 'Nothing was published. Take these out of the set, or draft them again.';
      elsif count = 0 then
        raise exception using errcode = 'PT409', message = 'This set has no values to publish';
      end if;
      update public.value_sets set
        state = 'published', published_at = now(), published_by = person, fault = null
      where id = publish_set.set_id;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.queue_notice_mail (
  person    uuid,
  up_to     bigint,
  subject   text,
  body_text text,
  body_html text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      address constant text := (
        select email from auth.users where id = person and email_confirmed_at is not null and email <> ''
      );
    begin
      if address is null or (select site_url from private.settings) is null
        or (select count(*) from backend.mail_queue) >= 1000 then
        return false;
      end if;
      update public.notice_mails set told_to = queue_notice_mail.up_to, mailed_at = now()
        where user_id = person and told_to < queue_notice_mail.up_to;
      if not found then
        return false;
      end if;
      insert into backend.mail_queue (message) values (
        jsonb_build_object('to', address, 'subject', subject, 'text', body_text, 'html', body_html)
      );
      notify backend_mail;
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
        raise exception using errcode = 'check_violation', message = 'A value stands there twice';
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

CREATE OR REPLACE FUNCTION private.record_demand()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      context constant jsonb := private.read_change_context();
    begin
      insert into public.item_demand_changes (
        item_id, kind, old_word, new_word, reason, changed_by, reason_code, evidence_url, picture, changed_as, is_seconded
      )
      select new.id, word.*, nullif(private.trim_text(new.change_reason), ''), (
          select id from public.profiles
          where id = case when context ? 'changed_by' then (context ->> 'changed_by')::uuid else (select auth.uid()) end
        ),
        context ->> 'reason_code', context ->> 'evidence_url', context ->> 'picture',
        coalesce(context ->> 'changed_as', case when (select private.is_admin()) then 'admin' end),
        coalesce((context ->> 'is_seconded')::boolean, false)
      from (values ('demand', old.demand, new.demand), ('status', old.status, new.status)) as word (kind, before, after)
      where before is distinct from after;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.remove_change_pictures()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects
        where bucket_id = 'change-uploads' and starts_with(name, old.id::text || '/')
          or bucket_id = 'change-pictures' and name in (
            select picture from public.value_proposals where proposed_by = old.id and picture is not null
            union all
            select gone ->> 'picture'
            from public.archived_items, jsonb_array_elements(records -> 'public.value_proposals') as gone
            where gone ->> 'proposed_by' = old.id::text
          );
      return old;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.remove_refused_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects
        where bucket_id = 'change-uploads' and name = new.proposed_by::text || '/' || new.picture
          and not exists (select from private.list_pictured(name));
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_few_avatars()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      sender constant uuid := private.take_turn_of_owner(new.name);
      -- The one that is shown, the one that takes its place, and what a lost connection may have left.
      most constant integer := 4;
    begin
      if (select count(*) from storage.objects
        where bucket_id = new.bucket_id and starts_with(name, sender::text || '/') and not private.is_evidence(name)) > most then
        raise exception using errcode = '42501', message = format('There is room for %s pictures per person', most);
      end if;
      if new.bucket_id = 'avatar-uploads' then
        delete from private.sent_avatars
          where person = sender and sent_at < now() - interval '7 days';
        insert into private.sent_avatars (name, person) values (new.name, sender) on conflict (name) do nothing;
        if not found then
          raise exception using errcode = '42501', message = 'A picture that was sent is not replaced';
        end if;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_few_uploads()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      own constant text := private.take_turn_of_owner(new.name)::text || '/';
      most constant integer := 20;
    begin
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects as left_behind
        where bucket_id = 'change-uploads' and starts_with(left_behind.name, own)
          and left_behind.created_at < now() - interval '1 day'
          and not exists (select from private.list_pictured(left_behind.name));
      if (select count(*) from storage.objects where bucket_id = 'change-uploads' and starts_with(name, own)) > most then
        raise exception using
          errcode = '42501', message = format('%s pictures of yours wait already: let somebody look at them first', most);
      end if;
      -- Else its owner could take it back and put another in its place, between a look at it and the yes.
      if exists (select from public.value_proposals where picture = split_part(new.name, '/', 2)) then
        raise exception using errcode = '42501', message = 'A picture that was sent is not replaced';
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_picture (
  picture text
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if picture is not null and not exists (
        select from storage.objects
        where bucket_id = 'change-uploads' and name = (select auth.uid())::text || '/' || require_picture.picture
      ) then
        raise exception using
          errcode = 'check_violation', message = 'The picture is not there any more: choose it again', hint = 'picture';
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.take_turn_of_owner (
  name text
)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := private.owner_of_avatar(name);
    begin
      perform pg_advisory_xact_lock(hashtextextended('files/' || person::text, 0));
      if not exists (select from public.profiles where id = person) then
        raise exception using errcode = '42501', message = 'There is no such person';
      end if;
      return person;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.write_proposal (
  proposal_id bigint,
  into_set    uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      wanted public.value_proposals;
      item public.items;
      written text[];
      earlier jsonb;
      kept jsonb;
      broken text;
    begin
      select * into wanted from public.value_proposals where id = proposal_id for update;
      select * into item from public.items where id = wanted.item_id for update;
      if not private.is_still_there(wanted) then
        return false;
      end if;
      earlier := to_jsonb(item);
      perform set_config('private.change_context', jsonb_build_object(
        'changed_by', wanted.proposed_by, 'changed_as', wanted.proposed_as, 'reason_code', wanted.reason_code,
        'evidence_url', wanted.evidence_url, 'picture', wanted.picture, 'is_seconded', wanted.decided_by is not null
      )::text, true);
      begin
        execute format('update public.items set %I = $1, change_reason = $2 where id = $3 returning *', wanted.field)
          into item using wanted.new_value, nullif(wanted.note, ''), wanted.item_id;
      exception
        when check_violation then
          get stacked diagnostics broken = constraint_name;
          if broken not like 'items\_%' then
            raise;
          end if;
          raise exception using errcode = 'PT422', message = case when broken like '%\_is\_within\_its\_range'
            then 'The value would not lie between its lowest and highest' else 'The database refused it' end;
      end;
      perform set_config('private.change_context', '', true);
      written := array[wanted.field] || case wanted.field
        when 'current_value' then '{previous_value}'
        when 'permanent_value' then '{permanent_previous_value}'
        else '{}'
      end::text[];
      -- A value may take a range with it that does not hold it.
      if cardinality(written) > 1 then
        written := written || array(
          select key from jsonb_each(to_jsonb(item)) where private.is_range(key) and value <> earlier -> key);
      end if;
      kept := (
        select jsonb_object_agg(key, value) from jsonb_each(earlier)
        where key = any (written) or key = 'values_checked_at' and cardinality(written) > 1
      );
      update public.value_proposals set
        state = 'published', published_at = now(), set_id = into_set, before = kept,
        after = (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(item)) where key = any (written))
      where id = proposal_id;
      return true;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.approve_proposals (
  ids  bigint[],
  note text     DEFAULT NULL::text
)
  RETURNS TABLE (
    id      bigint,
    outcome text,
    set_id  uuid,
    why     text
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      person constant uuid := (select auth.uid());
      set_of_call constant uuid := gen_random_uuid();
      proposal public.value_proposals;
    begin
      perform private.require_second_person();
      insert into public.value_sets (id, state, created_by, published_at, published_by)
      values (set_of_call, 'published', person, now(), person);
      for proposal in
        select held.* from private.lock_proposals(approve_proposals.ids) as held
        order by private.find_turn(held.field, held.old_value, held.new_value), held.id
      loop
        id := proposal.id;
        set_id := proposal.set_id;
        why := null;
        if proposal.state <> 'waiting' then
          outcome := 'decided';
        elsif proposal.proposed_by = person then
          outcome := 'own';
        elsif not private.is_still_there(proposal) then
          outcome := 'changed_meanwhile';
        else
          begin
            update public.value_proposals set
              state = 'approved', decided_by = person, decided_at = now(),
              decision_note = nullif(private.trim_text(approve_proposals.note), '')
            where value_proposals.id = proposal.id;
            outcome := 'approved';
            if proposal.set_id is null then
              perform private.write_proposal(proposal.id, set_of_call);
              outcome := 'published';
              set_id := set_of_call;
            end if;
          exception
            when sqlstate 'PT422' then
              outcome := 'refused';
              why := sqlerrm;
          end;
        end if;
        return next;
      end loop;
      delete from public.value_sets as unused where unused.id = set_of_call
        and not exists (select from public.value_proposals as used where used.set_id = set_of_call);
      return query
        select asked, 'gone', null::uuid, null::text from unnest(approve_proposals.ids) as asked
        where not exists (select from public.value_proposals as there where there.id = asked);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."approve_proposals"(bigint[], text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.draft_values (
  set_id       uuid,
  cells        jsonb,
  reason_code  text,
  note         text,
  evidence_url text  DEFAULT NULL::text,
  picture      text  DEFAULT NULL::text
)
  RETURNS TABLE (
    item_id uuid,
    field   text,
    outcome text,
    why     text
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      cell record;
    begin
      perform private.require_editor();
      perform private.lock_set(draft_values.set_id, '{draft}');
      for cell in
        select * from private.read_cells(
          draft_values.cells, draft_values.reason_code, draft_values.note, draft_values.evidence_url,
          draft_values.picture)
      loop
        item_id := cell.item_id;
        field := cell.field;
        outcome := cell.outcome;
        why := cell.fault;
        if outcome is null and cell.new_value is not distinct from cell.old_value then
          outcome := 'refused';
          why := 'This is the value already';
        elsif outcome is null then
          begin
            perform private.add_proposal(draft_values.set_id, cell, 'draft', null);
            outcome := 'drafted';
          exception
            when unique_violation then
              outcome := 'refused';
              why := 'Another editor has this value in the set';
          end;
        end if;
        return next;
      end loop;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text, text) FROM PUBLIC, "anon";

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

      -- In one order for everybody, so that two imports wait for each other and never for themselves.
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
          -- Who knows nothing of statuses leaves them.
          status = case when element ? 'status' then change.status else items.status end,
          type = change.type, is_permanent = change.is_permanent,
          current_value = change.current_value,
          -- A whole item says nothing of what was meant: a previous value that it leaves as it is follows.
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
      insert into public.item_imports (id, rows)
        select import_items.import_id, coalesce(
          jsonb_agg(jsonb_build_object('id', item.id, 'updated_at', item.updated_at, 'before', before -> item.id::text)),
          '[]')
        from unnest(written) as item;
      return query select * from unnest(written);
    end
  $function$;

CREATE OR REPLACE FUNCTION public.list_changes (
  of_kind     text    DEFAULT NULL::text,
  item_like   text    DEFAULT NULL::text,
  of_category text    DEFAULT NULL::text,
  of_mode     text    DEFAULT NULL::text,
  of_size     numeric DEFAULT NULL::numeric,
  before      text    DEFAULT NULL::text,
  most        integer DEFAULT 50
)
  RETURNS TABLE (
    kind           text,
    id             bigint,
    mode           text,
    old_value      text,
    new_value      text,
    change_percent numeric,
    reason         text,
    reason_label   text,
    changed_at     timestamp with time zone,
    evidence_url   text,
    changed_as     text,
    is_seconded    boolean,
    editor_name    text,
    picture        text,
    item_name      text,
    item_slug      text,
    item_image     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  ROWS 50
  SET search_path TO ''
  AS $function$
    with start as (
      select found.changed_at, found.source, substring(before from '\d{1,15}$')::bigint as id
      from (
        -- What went with its item stood where the one before it stands.
        (
          select change.changed_at, 'value' as source from public.item_value_changes as change
          where change.id <= substring(before from '^\d{1,15}$')::bigint order by change.id desc limit 1
        )
        union all
        (
          select change.changed_at, 'demand' from public.item_demand_changes as change
          where change.id <= substring(before from '^d(\d{1,15})$')::bigint order by change.id desc limit 1
        )
      ) as found
    ),
    wanted as (
      select items.id, items.name, items.slug, items.image_url from public.items
      where (item_like is null or position(lower(item_like) in lower(items.name)) > 0)
        and (of_category is null or items.category_id = (select categories.id from public.categories where slug = of_category))
    ),
    made as (
      (
        select 'value' as kind, 'value' as source, change.id, change.mode, change.old_value, change.new_value,
          change.change_percent, change.reason, change.reason_code, change.changed_at, change.evidence_url,
          change.changed_as, change.is_seconded, change.changed_by, change.picture, wanted.name, wanted.slug, wanted.image_url
        from public.item_value_changes as change join wanted on wanted.id = change.item_id
        -- A reading that found the same value again is none.
        where coalesce(change.change_percent <> 0, true)
          and coalesce(of_kind = 'value', true)
          and (of_mode is null or change.mode = of_mode)
          and (of_size is null or abs(change.change_percent) >= of_size)
          and change.changed_at <= coalesce((select start.changed_at from start), 'infinity')
          and (before is null or (change.changed_at, 'value', change.id)
            < (select start.changed_at, start.source, start.id from start))
        order by change.changed_at desc, change.id desc limit least(most, 1000)
      )
      union all
      (
        select change.kind, 'demand', change.id, null, change.old_word, change.new_word, null, change.reason,
          change.reason_code, change.changed_at, change.evidence_url, change.changed_as, change.is_seconded,
          change.changed_by, change.picture, wanted.name, wanted.slug, wanted.image_url
        from public.item_demand_changes as change join wanted on wanted.id = change.item_id
        where of_mode is null and of_size is null and coalesce(of_kind = change.kind, true)
          and not exists (
            select from public.page_configurations
            where page_name = 'fruit_detail' and not 'demand' = any (visible_fields)
          )
          and change.changed_at <= coalesce((select start.changed_at from start), 'infinity')
          and (before is null or (change.changed_at, 'demand', change.id)
            < (select start.changed_at, start.source, start.id from start))
        order by change.changed_at desc, change.id desc limit least(most, 1000)
      )
    )
    select made.kind, made.id, made.mode, made.old_value, made.new_value, made.change_percent, made.reason,
      chosen.label, made.changed_at, made.evidence_url, made.changed_as, made.is_seconded, editor_names.name,
      shown.name, made.name, made.slug, made.image_url
    from made
    left join public.value_reasons as chosen on chosen.code = made.reason_code
    left join public.editor_names on editor_names.user_id = made.changed_by
    left join public.change_pictures as shown on shown.name = made.picture
    order by made.changed_at desc, made.source desc, made.id desc limit least(most, 1000)
  $function$;

CREATE OR REPLACE FUNCTION public.list_item_sources (
  of_item uuid
)
  RETURNS TABLE (
    kind        text,
    id          bigint,
    editor_name text,
    picture     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select made.kind, made.id, editor_names.name, shown.name
    from (
      select 'value' as kind, change.id, change.changed_by, change.picture
      from public.item_value_changes as change where change.item_id = of_item
      union all
      select change.kind, change.id, change.changed_by, change.picture
      from public.item_demand_changes as change where change.item_id = of_item
    ) as made
    left join public.editor_names on editor_names.user_id = made.changed_by
    left join public.change_pictures as shown on shown.name = made.picture
    where editor_names.name is not null or shown.name is not null
  $function$;

CREATE OR REPLACE FUNCTION public.list_value_changes (
  item uuid
)
  RETURNS TABLE (
    id                 bigint,
    mode               text,
    old_value          text,
    new_value          text,
    old_previous_value text,
    new_previous_value text,
    old_checked_at     timestamp with time zone,
    reason             text,
    changed_at         timestamp with time zone,
    changed_by_name    text,
    reason_code        text,
    reason_label       text,
    evidence_url       text,
    changed_as         text,
    is_seconded        boolean,
    editor_name        text,
    picture            text
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not private.is_editor() then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only editors are told who changed a value';
      end if;
      return query
        select change.id, change.mode, change.old_value, change.new_value, change.old_previous_value,
          change.new_previous_value, change.old_checked_at, change.reason, change.changed_at, person.username,
          change.reason_code, chosen.label, change.evidence_url, change.changed_as, change.is_seconded,
          editor_names.name, shown.name
        from public.item_value_changes as change
        left join public.value_reasons as chosen on chosen.code = change.reason_code
        left join public.profiles as person on person.id = change.changed_by
        left join public.editor_names on editor_names.user_id = change.changed_by
        left join public.change_pictures as shown on shown.name = change.picture
        where change.item_id = item;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_value_changes"(uuid) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.list_value_ranges (
  ids uuid[] DEFAULT NULL::uuid[]
)
  RETURNS TABLE (
    item_id        uuid,
    mode           text,
    low            numeric,
    high           numeric,
    is_set         boolean,
    confidence     text,
    observations   integer,
    spread         numeric,
    game_update    text,
    volatile_until timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    with widened as (
      select known.*, case when volatile_until is null then 1 else 2 end as widening,
        least(0.25, 0.05 + 0.01 * greatest(0, floor(extract(epoch from age) / 604800))) as margin,
        case
          when value >= 1 then ('1e' || length(trunc(value)::text) - 1)::numeric / 20
          when value > 0 then power(10, floor(log(value))) / 20
        end as step
      from private.list_known_values(ids) as known
    )
    select item_id, mode,
      greatest(0, coalesce(
        value - widening * (value - low), trim_scale(floor(value * (1 - widening * margin) / step) * step), 0)),
      coalesce(
        value + widening * (high - value), trim_scale(ceil(value * (1 + widening * margin) / step) * step), 0),
      low is not null or high is not null,
      case
        when volatile_until is not null or age > interval '30 days' or observations < 1 or spread > 0.5 then 'low'
        when age <= interval '7 days' and observations >= 3 and spread <= 0.15 then 'high'
        else 'medium'
      end,
      observations, spread,
      game_update, volatile_until
    from widened
    order by item_id, mode desc
  $function$;

CREATE OR REPLACE FUNCTION public.list_waiting_pictures()
  RETURNS TABLE (
    path        text,
    uploaded_at timestamp with time zone,
    uploaded_by uuid,
    changes     integer,
    item_name   text,
    field       text,
    old_value   text,
    new_value   text,
    note        text
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.require_editor();
      return query
        select objects.name, objects.created_at, pictured.proposed_by, pictured.count::integer, items.name, pictured.field,
          pictured.old_value, pictured.new_value, pictured.note
        from storage.objects
        cross join lateral (
          select each.*, count(*) over () as count from private.list_pictured(objects.name) as each
          where each.state <> 'draft' order by each.id limit 1
        ) as pictured
        join public.items on items.id = pictured.item_id
        where objects.bucket_id = 'change-uploads'
        order by objects.created_at;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_waiting_pictures"() FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.list_work (
  most integer DEFAULT 30
)
  RETURNS TABLE (
    item_id     uuid,
    score       numeric,
    weeks       numeric,
    traders     integer,
    views       integer,
    spread      numeric,
    game_update text,
    waiting     integer,
    due         integer
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    begin
      perform private.require_editor();
      return query
        with known as (
          select item_id, max(spread) as spread, max(game_update) as game_update
          from private.list_known_values(null) group by 1
        ), viewed as (
          select item_id, sum(views) as views from private.item_views
          where viewed_on >= (now() at time zone 'UTC')::date - 6 group by 1
        ), parts as (
          select items.id, items.name, date_part('epoch', now() - items.values_checked_at) / 604800 as weeks,
            coalesce(traded.traders, 0) as traders, coalesce(viewed.views, 0)::float8 as views,
            coalesce(known.spread, 0) as spread, known.game_update
          from public.items
          left join known on known.item_id = items.id
          left join viewed on viewed.item_id = items.id
          left join private.count_item_traders() as traded on traded.item_id = items.id
          where items.values_checked_at < now() - interval '1 day' and not exists (
            select from public.work_skips as skip
            where skip.item_id = items.id and skip.editor_id = (select auth.uid())
              and skip.skipped_at > now() - interval '1 day'
          ) and not exists (
            select from public.value_proposals as mine
            where mine.item_id = items.id and mine.proposed_by = (select auth.uid()) and mine.state = 'waiting'
          )
        ), first as (
          select parts.*, count(*) over ()::integer as due,
            weeks * (1 + ln(1 + traders::float8)) * (1 + log(1 + views)) * (1 + least(spread::float8, 1))
              * case when game_update is null then 1 else 2 end as score
          from parts order by score desc, name, id limit least(greatest(list_work.most, 1), 200)
        )
        select id, round(score::numeric, 3), round(weeks::numeric, 2), traders, least(views, 2147483647)::integer, spread,
          game_update, (select count(*)::integer from public.value_proposals as proposal
            where proposal.item_id = first.id and proposal.state = 'waiting'),
          due
        from first
        order by score desc, name, id;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_work"(integer) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.may_operate()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select private.is_admin()
  $function$;

REVOKE ALL ON FUNCTION "public"."may_operate"() FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.publish_values (
  cells        jsonb,
  reason_code  text,
  note         text,
  evidence_url text  DEFAULT NULL::text,
  picture      text  DEFAULT NULL::text
)
  RETURNS TABLE (
    item_id uuid,
    field   text,
    outcome text,
    why     text,
    set_id  uuid
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      person constant uuid := (select auth.uid());
      set_of_call constant uuid := gen_random_uuid();
      cell record;
      item public.items;
      wait text;
      proposal bigint;
      checked uuid[] := '{}';
    begin
      perform private.require_editor();
      insert into public.value_sets (id, state, created_by, published_at, published_by)
      values (set_of_call, 'published', person, now(), person);
      for cell in
        select * from private.read_cells(
          publish_values.cells, publish_values.reason_code, publish_values.note, publish_values.evidence_url,
          publish_values.picture) as held
        order by private.find_turn(held.field, held.old_value, held.new_value), held.place
      loop
        item_id := cell.item_id;
        field := cell.field;
        outcome := cell.outcome;
        why := cell.fault;
        set_id := null;
        if outcome is null and cell.new_value is not distinct from cell.old_value then
          if not cell.item_id = any (checked) then
            insert into public.item_value_checks (item_id, checked_by) values (cell.item_id, person);
            checked := checked || cell.item_id;
          end if;
          outcome := 'published';
          why := 'still_right';
        elsif outcome is null then
          select * into item from public.items where items.id = cell.item_id;
          wait := private.find_wait(person, item, cell.field, cell.new_value);
          begin
            proposal := private.add_proposal(
              null, cell, case when wait is null then 'approved' else 'waiting' end, wait);
            outcome := 'waiting';
            why := wait;
            if wait is null then
              perform private.write_proposal(proposal, set_of_call);
              outcome := 'published';
              set_id := set_of_call;
            end if;
          exception
            when sqlstate 'PT422' then
              outcome := 'refused';
              why := sqlerrm;
          end;
        end if;
        return next;
      end loop;
      delete from public.value_sets as unused where unused.id = set_of_call
        and not exists (select from public.value_proposals as used where used.set_id = set_of_call);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."publish_values"(jsonb, text, text, text, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.reject_proposals (
  ids  bigint[],
  note text
)
  RETURNS TABLE (
    id      bigint,
    outcome text
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      person constant uuid := (select auth.uid());
    begin
      perform private.require_second_person();
      if nullif(private.trim_text(reject_proposals.note), '') is null then
        raise exception using
          errcode = 'check_violation', message = 'Say why in a few words', hint = 'note';
      end if;
      perform from private.lock_proposals(reject_proposals.ids);
      return query
        with held as materialized (
          select asked, there.state, there.proposed_by
          from unnest(reject_proposals.ids) as asked left join public.value_proposals as there on there.id = asked
        ), rejected as (
          update public.value_proposals as wanted set
            state = 'rejected', decided_by = person, decided_at = now(),
            decision_note = private.trim_text(reject_proposals.note)
          from held
          where wanted.id = held.asked and held.state in ('waiting', 'approved')
            and wanted.proposed_by is distinct from person
          returning wanted.id
        )
        select asked, case
            when state is null then 'gone'
            when asked in (select rejected.id from rejected) then 'rejected'
            when proposed_by = person and state in ('waiting', 'approved') then 'own'
            else 'decided'
          end
        from held order by asked;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."reject_proposals"(bigint[], text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.roll_back_value_set (
  set_id uuid,
  note   text DEFAULT NULL::text
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      person constant uuid := (select auth.uid());
      rolled public.value_sets;
      proposal public.value_proposals;
      item public.items;
      stale text;
      count integer := 0;
    begin
      perform private.require_editor();
      rolled := private.lock_set(roll_back_value_set.set_id, '{published}');
      if not private.is_admin() and rolled.published_by is distinct from person then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only admins take back what somebody else published';
      end if;
      perform from public.items
        where id in (select item_id from public.value_proposals as held where held.set_id = rolled.id)
        order by id for update;
      select string_agg(distinct items.name, ', ') into stale
        from public.value_proposals as held join public.items on items.id = held.item_id
        where held.set_id = rolled.id and held.state = 'published' and not to_jsonb(items) @> held.after;
      if stale is not null then
        raise exception using
          errcode = 'PT409',
          message = format('Changed by someone else in the meantime: %s', left(stale, 300)),
          hint = 'Nothing was taken back.';
      end if;
      for proposal in
        select * from public.value_proposals as held
        where held.set_id = rolled.id and held.state = 'published'
        order by private.find_turn(held.field, held.old_value, held.new_value) desc, held.id desc
      loop
        select * into item from public.items where id = proposal.item_id;
        perform set_config('private.change_context', jsonb_build_object(
          'changed_by', person, 'changed_as', private.editing_role(person))::text, true);
        perform from private.restore_item(
          jsonb_populate_record(item, proposal.before),
          coalesce(nullif(private.trim_text(roll_back_value_set.note), ''), 'Taken back'));
        update public.value_proposals as held set state = 'rolled_back' where held.id = proposal.id;
        count := count + 1;
      end loop;
      update public.value_sets set state = 'rolled_back', rolled_back_at = now(), rolled_back_by = person
        where id = rolled.id;
      return count;
    end
  $function$;

ALTER TABLE "private"."item_views"
  ADD CONSTRAINT "item_views_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

ALTER TABLE "private"."sent_avatars"
  ADD CONSTRAINT "sent_avatars_person_fkey" FOREIGN KEY (person) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."editor_notices"
  ADD CONSTRAINT "editor_notices_kind_is_known"
    CHECK ((kind = ANY (ARRAY['proposals'::text, 'large_changes'::text, 'stale'::text, 'pictures'::text, 'reports'::text, 'failed_mails'::text])));

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_changed_as_is_known" CHECK ((changed_as = ANY (ARRAY['admin'::text, 'editor'::text])));

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_evidence_url_has_at_most_500_characters" CHECK ((char_length(evidence_url) <= 500));

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_evidence_url_is_a_secure_address" CHECK ((evidence_url ~ '^https://[^\s<>"]+$'::text));

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_picture_is_of_a_file" CHECK ((picture ~ '^[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$'::text));

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_reason_code_fkey" FOREIGN KEY (reason_code) REFERENCES public.value_reasons(code) ON DELETE RESTRICT;

ALTER TABLE "public"."item_value_changes"
  ADD CONSTRAINT "item_value_changes_picture_is_of_a_file" CHECK ((picture ~ '^[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$'::text));

ALTER TABLE "public"."value_proposals"
  ADD CONSTRAINT "value_proposals_field_is_known"
    CHECK
    ((field = ANY (ARRAY['current_value'::text, 'permanent_value'::text, 'demand'::text, 'beli_price'::text, 'robux_price'::text, 'current_low'::text, 'current_high'::text,
    'permanent_low'::text, 'permanent_high'::text])));

ALTER TABLE "public"."value_proposals"
  ADD CONSTRAINT "value_proposals_picture_is_of_a_file" CHECK ((picture ~ '^[A-Za-z0-9-]{1,64}\.(jpg|png|webp)$'::text));

CREATE INDEX sent_avatars_person_idx ON private.sent_avatars USING btree (person);

CREATE UNIQUE INDEX editor_names_are_unique_regardless_of_case ON public.editor_names USING btree (lower(name));

CREATE INDEX item_demand_changes_changed_at_id_idx ON public.item_demand_changes USING btree (changed_at, id);

CREATE INDEX item_demand_changes_reason_code_idx ON public.item_demand_changes USING btree (reason_code);

CREATE INDEX item_value_changes_changed_at_id_idx ON public.item_value_changes USING btree (changed_at, id);

CREATE INDEX value_proposals_picture_idx ON public.value_proposals USING btree (picture)
  WHERE (picture IS NOT NULL);

CREATE TRIGGER editor_names_check_name
  BEFORE INSERT OR UPDATE OF name ON public.editor_names
  FOR EACH ROW
  EXECUTE FUNCTION private.check_editor_name();

CREATE TRIGGER notice_mails_begin
  BEFORE INSERT ON public.notice_mails
  FOR EACH ROW
  EXECUTE FUNCTION private.begin_notice_mails();

CREATE TRIGGER profiles_remove_change_pictures
  BEFORE DELETE ON public.profiles
  FOR EACH ROW
  EXECUTE FUNCTION private.remove_change_pictures();

CREATE TRIGGER user_roles_end_notice_mails
  AFTER DELETE OR UPDATE ON public.user_roles
  FOR EACH ROW
  EXECUTE FUNCTION private.end_notice_mails();

CREATE TRIGGER user_roles_forget_editor_name
  AFTER DELETE OR UPDATE ON public.user_roles
  FOR EACH ROW
  EXECUTE FUNCTION private.forget_editor_name();

CREATE CONSTRAINT TRIGGER value_proposals_remove_refused_picture
  AFTER UPDATE OF state ON public.value_proposals DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (((new.picture IS NOT NULL) AND (new.state = ANY (ARRAY['rejected'::text, 'withdrawn'::text]))))
  EXECUTE FUNCTION private.remove_refused_picture();

CREATE TRIGGER change_pictures_check_shown
  BEFORE UPDATE OF bucket_id ON storage.objects
  FOR EACH ROW
  WHEN (((old.bucket_id = 'change-uploads'::text) AND (new.bucket_id = 'change-pictures'::text)))
  EXECUTE FUNCTION private.check_shown_picture();

CREATE TRIGGER change_pictures_note_removed
  AFTER DELETE ON storage.objects
  FOR EACH ROW
  WHEN ((old.bucket_id = ANY (ARRAY['change-pictures'::text, 'change-uploads'::text])))
  EXECUTE FUNCTION private.note_change_picture();

CREATE TRIGGER change_pictures_note_shown
  AFTER UPDATE OF bucket_id ON storage.objects
  FOR EACH ROW
  WHEN (((old.bucket_id = 'change-uploads'::text) AND (new.bucket_id = 'change-pictures'::text)))
  EXECUTE FUNCTION private.note_change_picture();

CREATE TRIGGER change_uploads_are_few
  AFTER INSERT OR UPDATE OF bucket_id, name ON storage.objects
  FOR EACH ROW
  WHEN ((new.bucket_id = 'change-uploads'::text))
  EXECUTE FUNCTION private.require_few_uploads();

CREATE POLICY "Everybody sees which pictures are shown" ON "public"."change_pictures"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "Editors and moderators hear of what is theirs, admins of all" ON "public"."editor_notices"
  FOR SELECT
  TO "authenticated"
  USING
    ((( SELECT private.is_admin() AS is_admin) OR ((kind = ANY (ARRAY['proposals'::text, 'large_changes'::text, 'stale'::text, 'pictures'::text])) AND ( SELECT private.is_editor()
    AS is_editor)) OR ((kind = 'reports'::text) AND ( SELECT private.is_moderator() AS is_moderator))));

CREATE POLICY "A second person allows pictures of changes" ON "storage"."objects"
  FOR UPDATE
  TO "authenticated"
  USING (((bucket_id = 'change-uploads'::text) AND (NOT private.is_own_avatar(name)) AND ( SELECT private.is_second_person() AS is_second_person)))
  WITH CHECK (((bucket_id = 'change-pictures'::text) AND ( SELECT private.is_second_person() AS is_second_person)));

CREATE POLICY "A second person removes pictures of changes, people their own" ON "storage"."objects"
  FOR DELETE
  TO "authenticated"
  USING
    ((((bucket_id = 'change-uploads'::text) AND private.is_own_avatar(name)) OR ((bucket_id = ANY (ARRAY['change-uploads'::text, 'change-pictures'::text])) AND ( SELECT
    private.is_second_person() AS is_second_person))));

CREATE POLICY "Editors add pictures that wait for a second person" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((bucket_id = 'change-uploads'::text) AND private.is_own_avatar(name) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors see pictures of changes, and people what they added" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING
    ((((bucket_id = 'change-uploads'::text) AND private.is_own_avatar(name)) OR ((bucket_id = ANY (ARRAY['change-uploads'::text, 'change-pictures'::text])) AND ( SELECT
    private.is_editor() AS is_editor))));

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."change_pictures";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."editor_names";

COMMENT ON COLUMN "public"."item_value_changes"."picture" IS 'Of change_pictures, once a second person allowed it.';

COMMENT ON COLUMN "public"."notice_mails"."told_to" IS 'Up to which notice they were told.';

COMMENT ON COLUMN "public"."value_proposals"."picture" IS 'A file as evidence: in the bucket change-uploads under the proposer''s id, then in change-pictures.';

COMMENT ON FUNCTION "public"."approve_proposals"(bigint[], text) IS 'Approves what other editors proposed; what is in no set is published.';

COMMENT ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text, text) IS 'Puts values into a set, to be published with it.';

COMMENT ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) IS 'Changes of values, demand and status, the newest first, for everybody.';

COMMENT ON FUNCTION "public"."list_item_sources"(uuid) IS 'The public names of those who changed an item, where they chose one, and pictures as evidence.';

COMMENT ON FUNCTION "public"."list_value_changes"(uuid) IS 'The changes of an item''s values with who made them; for editors.';

COMMENT ON FUNCTION "public"."list_waiting_pictures"() IS 'Pictures of changes that a second person has to look at; for editors.';

COMMENT ON FUNCTION "public"."list_work"(integer) IS 'What editors look at first, with why; counts of trades, never whose.';

COMMENT ON FUNCTION "public"."may_operate"() IS 'Whether the caller may read how the site goes: an admin, with the second factor where there is one.';

COMMENT ON FUNCTION "public"."publish_values"(jsonb, text, text, text, text) IS 'Publishes values; large changes, dear items and those of new editors wait for a second person.';

COMMENT ON FUNCTION "public"."reject_proposals"(bigint[], text) IS 'Rejects what other editors proposed, with a note to them.';

COMMENT ON TABLE "private"."item_views" IS 'How often each item''s page was opened on a day, in UTC.';

COMMENT ON TABLE "public"."change_pictures" IS 'Pictures of changes that a second person allowed: files of the bucket of this name.';

COMMENT ON TABLE "public"."editor_names" IS 'The names by which editors stand behind their changes, where they chose one.';

COMMENT ON TABLE "public"."notice_mails" IS 'Who wants to hear of editor_notices by mail.';

REVOKE ALL ON FUNCTION "private"."add_item_views"(text[], bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."begin_notice_mails"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_editor_name"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_shown_picture"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_notice_mails"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_notice_mails"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_editor_name"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_item_views"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_still_there"(public.value_proposals) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."list_known_values"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_known_values"(uuid[]) TO "anon", "authenticated", "service_role";

REVOKE ALL ON FUNCTION "private"."list_pictured"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_change_picture"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_notice_mail"(uuid, bigint, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_cells"(jsonb, text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remove_change_pictures"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remove_refused_picture"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_few_uploads"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_picture"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_turn_of_owner"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."approve_proposals"(bigint[], text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."approve_proposals"(bigint[], text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."approve_proposals"(bigint[], text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."approve_proposals"(bigint[], text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) TO "service_role";

REVOKE ALL ON FUNCTION "public"."list_item_sources"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_item_sources"(uuid) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."list_item_sources"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_item_sources"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_item_sources"(uuid) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_value_changes"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_waiting_pictures"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_waiting_pictures"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_waiting_pictures"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_waiting_pictures"() TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_work"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."may_operate"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."may_operate"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."may_operate"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."may_operate"() TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."publish_values"(jsonb, text, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."publish_values"(jsonb, text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."publish_values"(jsonb, text, text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."publish_values"(jsonb, text, text, text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."reject_proposals"(bigint[], text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reject_proposals"(bigint[], text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."reject_proposals"(bigint[], text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."reject_proposals"(bigint[], text) TO "service_role";

REVOKE ALL ON TABLE "public"."change_pictures" FROM "anon";

GRANT SELECT ON TABLE "public"."change_pictures" TO "anon";

REVOKE ALL ON TABLE "public"."change_pictures" FROM "authenticated";

GRANT SELECT ON TABLE "public"."change_pictures" TO "authenticated";

REVOKE ALL ON TABLE "public"."change_pictures" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."change_pictures" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."change_pictures" TO "service_role";

REVOKE ALL ON TABLE "public"."editor_names" FROM "authenticated";

REVOKE ALL ("name") ON TABLE "public"."editor_names" FROM "authenticated";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "public"."editor_names" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."editor_names" TO "authenticated";

REVOKE ALL ON TABLE "public"."editor_names" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."editor_names" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."editor_names" TO "service_role";

REVOKE ALL ("changed_as") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("changed_as") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("evidence_url") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("evidence_url") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("is_seconded") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("is_seconded") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("reason_code") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("reason_code") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("changed_as") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("changed_as") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("evidence_url") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("evidence_url") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("is_seconded") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("is_seconded") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("reason_code") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("reason_code") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ON TABLE "public"."notice_mails" FROM "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."notice_mails" TO "authenticated";

REVOKE ALL ON TABLE "public"."notice_mails" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."notice_mails" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."notice_mails" TO "service_role";

ALTER TABLE "public"."editor_names"
  ADD CONSTRAINT "editor_names_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE POLICY "Editors change their own public name" ON "public"."editor_names"
  FOR UPDATE
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)))
  WITH CHECK (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors choose a public name of their own" ON "public"."editor_names"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors remove their own public name" ON "public"."editor_names"
  FOR DELETE
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "People see their own public name, editors all" ON "public"."editor_names"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_editor() AS is_editor)));

REVOKE ALL ("user_id") ON TABLE "public"."editor_names" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."editor_names" TO "authenticated";

ALTER TABLE "public"."notice_mails"
  ADD CONSTRAINT "notice_mails_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE POLICY "Editors and moderators ask for news by mail" ON "public"."notice_mails"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((user_id = ( SELECT auth.uid() AS uid)) AND (( SELECT private.is_editor() AS is_editor) OR ( SELECT private.is_moderator() AS is_moderator))));

CREATE POLICY "Editors and moderators end news by mail" ON "public"."notice_mails"
  FOR DELETE
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) AND (( SELECT private.is_editor() AS is_editor) OR ( SELECT private.is_moderator() AS is_moderator))));

CREATE POLICY "People see whether they get news by mail" ON "public"."notice_mails"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

REVOKE ALL ("user_id") ON TABLE "public"."notice_mails" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."notice_mails" TO "authenticated";

-- Rows that the product needs and nobody types in: they come with the schema, into a fresh database and a hosted one.
-- A schema diff does not see rows, so `npm run schema` adds this file to the migration it writes whenever applying it
-- would change something. Each statement may therefore run again: it adds what is missing and leaves what people changed.

insert into private.settings (only_row) values (true) on conflict do nothing;

-- Words of the catalogue and those that admins take in; languages come from supabase/vocabularies.
insert into private.vocabularies (language, checksum) values ('items', ''), ('site', '') on conflict do nothing;

-- The four ad slots: admins fill and enable them.
insert into public.ads (placement)
values ('values_grid'), ('detail_header'), ('detail_content'), ('detail_sidebar')
on conflict do nothing;

-- The standard fields of the item form.
insert into public.field_definitions (display_order, name, label, type, required, options)
values
  (1, 'name', 'Name', 'text', true, '{}'),
  (2, 'slug', 'Slug', 'text', false, '{}'),
  (3, 'category_id', 'Category', 'select', true, '{}'),
  (4, 'rarity', 'Rarity', 'select', false, '{common,uncommon,rare,legendary,mythical}'),
  (5, 'type', 'Type', 'select', false, '{fruit,gamepass,item,material,weapon,accessory}'),
  (6, 'demand', 'Demand', 'select', false, '{low,medium,high,very_high}'),
  (7, 'current_value', 'Current Value', 'text', false, '{}'),
  (8, 'previous_value', 'Previous Value', 'text', false, '{}')
on conflict do nothing;

-- Pictures of items. The bucket is public: whoever has a picture's address sees it. Only admins list, add, replace and
-- remove pictures.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('item-images', 'item-images', true, 5242880, '{image/jpeg,image/png,image/webp,image/gif}'),
  -- Pictures of people that a moderator allowed: whoever has a picture's address sees it. The name of a picture says nothing:
  -- it is made anew for each, so that no cache shows the old one. Those that wait are seen by their owner and moderators.
  ('avatars', 'avatars', true, 1048576, '{image/jpeg,image/png,image/webp}'),
  ('avatar-uploads', 'avatar-uploads', false, 1048576, '{image/jpeg,image/png,image/webp}'),
  -- Pictures as evidence of changes, as large as a screenshot needs: those that wait, and those that a second person allowed.
  ('change-pictures', 'change-pictures', true, 2097152, '{image/jpeg,image/png,image/webp}'),
  ('change-uploads', 'change-uploads', false, 2097152, '{image/jpeg,image/png,image/webp}')
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types
where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
  is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types);

-- Accounts that were there before the site was: every account has a profile.
insert into public.profiles (id, username)
select id, private.generate_username(email) from auth.users
where not exists (select from public.profiles where profiles.id = users.id);

-- What can be said in the chat by tap.
insert into public.quick_phrases (theme, place, id, phrase) values
  ('offer', 1, 'trading-for', 'Trading {item} for {item}'),
  ('offer', 2, 'trading', 'Trading {item}'),
  ('offer', 3, 'i-have', 'I have {item}'),
  ('offer', 4, 'looking-for', 'Looking for {item}'),
  ('offer', 5, 'two-for', 'My {item} and {item} for your {item}?'),
  ('offer', 6, 'i-can-add', 'I can add {item}'),
  ('offer', 7, 'send-offers', 'Send me your offers'),
  ('offer', 8, 'not-trading', 'I am not trading {item}'),
  ('ask', 1, 'is-this-fair', 'Is this fair?'),
  ('ask', 2, 'adds', 'Adds?'),
  ('ask', 3, 'looking-for-what', 'What are you looking for?'),
  ('ask', 4, 'have-what', 'What do you have?'),
  ('ask', 5, 'do-you-have', 'Do you have {item}?'),
  ('ask', 6, 'can-you-add', 'Can you add {item}?'),
  ('ask', 7, 'worth', 'What is {item} worth?'),
  ('ask', 8, 'still-there', 'Is it still there?'),
  ('ask', 9, 'win-or-loss', 'Win, fair or loss?'),
  ('answer', 1, 'deal', 'Deal!'),
  ('answer', 2, 'no-thanks', 'No thanks'),
  ('answer', 3, 'yes', 'Yes'),
  ('answer', 4, 'no', 'No'),
  ('answer', 5, 'maybe-later', 'Maybe later'),
  ('answer', 6, 'too-low', 'Too low'),
  ('answer', 7, 'fair', 'That is fair'),
  ('answer', 8, 'good-offer', 'Good offer!'),
  ('answer', 9, 'let-me-think', 'Let me think'),
  ('answer', 10, 'traded-already', 'I traded it already'),
  ('hello', 1, 'hello', 'Hello!'),
  ('hello', 2, 'good-luck', 'Good luck!'),
  ('hello', 3, 'thanks', 'Thank you!'),
  ('hello', 4, 'nice-trade', 'Nice trade!'),
  ('hello', 5, 'welcome', 'You are welcome'),
  ('hello', 6, 'sorry', 'Sorry'),
  ('hello', 7, 'wait', 'One moment, please'),
  ('hello', 8, 'bye', 'Bye!')
on conflict do nothing;

-- Why values change.
insert into public.value_reasons (place, code, label, is_offered) values
  (1, 'trades_seen', 'Trades were seen at this value', true),
  (2, 'demand_moved', 'More or fewer people want it', true),
  (3, 'game_update', 'The game was updated', true),
  (4, 'correction', 'A mistake was corrected', true),
  (5, 'still_right', 'Looked at and still right', true),
  (6, 'other', 'Another reason', true),
  (7, 'undo', 'A change was taken back', false)
on conflict do nothing;

-- How items go, in the words of players.
insert into public.status_words (place, word) values
  (1, 'stable'),
  (2, 'rising'),
  (3, 'dropping'),
  (4, 'overpaid'),
  (5, 'hyped')
on conflict do nothing;
