SET local check_function_bodies = off;

DROP POLICY "Admins add value checks" ON "public"."item_value_checks";

DROP POLICY "Moderators and admins follow what their panels show" ON "realtime"."messages";

ALTER TABLE "private"."chat_paces"
  DROP CONSTRAINT "chat_paces_user_id_fkey";

ALTER TABLE "private"."reaction_paces"
  DROP CONSTRAINT "reaction_paces_user_id_fkey";

ALTER TABLE "public"."user_roles"
  DROP CONSTRAINT "user_roles_role_is_known";

DROP FUNCTION "private"."limit_chat_rate"(uuid);

DROP FUNCTION "private"."limit_reaction_rate"(uuid);

DROP FUNCTION "public"."list_value_changes"(uuid);

DROP TABLE "private"."chat_paces";

DROP TABLE "private"."reaction_paces";

CREATE TABLE "private"."confirmed_values" (
  "id"           bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "item_id"      uuid                     NOT NULL,
  "mode"         text                     NOT NULL,
  "value"        numeric                  NOT NULL,
  "confirmed_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "confirmed_values_mode_is_known" CHECK ((mode = ANY (ARRAY['regular'::text, 'permanent'::text]))),
  CONSTRAINT "confirmed_values_pkey" PRIMARY KEY (id),
  CONSTRAINT "confirmed_values_value_is_above_0" CHECK ((value > (0)::numeric))
);

CREATE TABLE "private"."paces" (
  "user_id" uuid                       NOT NULL,
  "act"     text                       NOT NULL,
  "done_at" timestamp with time zone[] NOT NULL,
  CONSTRAINT "paces_pkey" PRIMARY KEY (user_id, act)
);

CREATE TABLE "private"."told_news" (
  "kind"    text NOT NULL,
  "subject" text NOT NULL,
  CONSTRAINT "told_news_pkey" PRIMARY KEY (kind, subject)
);

CREATE TABLE "public"."editor_notices" (
  "id"              bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "kind"            text                     NOT NULL,
  "count"           integer                  NOT NULL,
  "items"           text[]                   NOT NULL DEFAULT '{}'::text[],
  "created_at"      timestamp with time zone NOT NULL DEFAULT now(),
  "webhook_tries"   integer                  NOT NULL DEFAULT 0,
  "webhook_next_at" timestamp with time zone,
  "webhook_sent_at" timestamp with time zone,
  CONSTRAINT "editor_notices_count_is_above_0" CHECK ((count > 0)),
  CONSTRAINT "editor_notices_kind_is_known" CHECK ((kind = ANY (ARRAY['proposals'::text, 'large_changes'::text, 'stale'::text, 'reports'::text, 'failed_mails'::text]))),
  CONSTRAINT "editor_notices_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."editor_notices"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."editor_notices" FROM "anon";

CREATE TABLE "public"."game_update_items" (
  "update_id" uuid NOT NULL,
  "item_id"   uuid NOT NULL,
  CONSTRAINT "game_update_items_pkey" PRIMARY KEY (update_id, item_id)
);

ALTER TABLE "public"."game_update_items"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."game_updates" (
  "id"             uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "name"           text                     NOT NULL,
  "happened_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "volatile_until" timestamp with time zone NOT NULL DEFAULT (now() + '7 days'::interval),
  "created_at"     timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at"     timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "game_updates_end_after_they_happened" CHECK ((volatile_until >= happened_at)),
  CONSTRAINT "game_updates_last_at_most_90_days" CHECK ((volatile_until <= (happened_at + '90 days'::interval))),
  CONSTRAINT "game_updates_pkey" PRIMARY KEY (id),
  CONSTRAINT "game_updates_name_has_1_to_60_characters" CHECK (((char_length(name) <= 60) AND (private.trim_text(name) <> ''::text)))
);

ALTER TABLE "public"."game_updates"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."item_demand_changes" (
  "id"         bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "item_id"    uuid                     NOT NULL,
  "kind"       text                     NOT NULL,
  "old_word"   text,
  "new_word"   text,
  "reason"     text,
  "changed_by" uuid,
  "changed_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "item_demand_changes_kind_is_known" CHECK ((kind = ANY (ARRAY['demand'::text, 'status'::text]))),
  CONSTRAINT "item_demand_changes_pkey" PRIMARY KEY (id),
  CONSTRAINT "item_demand_changes_reason_has_at_most_200_characters" CHECK ((char_length(reason) <= 200))
);

ALTER TABLE "public"."item_demand_changes"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."status_words" (
  "word"  text    NOT NULL,
  "place" integer NOT NULL DEFAULT 0,
  CONSTRAINT "status_words_pkey" PRIMARY KEY (word),
  CONSTRAINT "status_words_place_is_0_to_9999" CHECK (((place >= 0) AND (place <= 9999))),
  CONSTRAINT "status_words_word_has_1_to_20_characters" CHECK ((char_length(word) <= 20)),
  CONSTRAINT "status_words_word_is_lowercase_letters_and_spaces" CHECK ((word ~ '^[a-z]+( [a-z]+)*$'::text))
);

ALTER TABLE "public"."status_words"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."value_proposals" (
  "id"             bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "set_id"         uuid,
  "item_id"        uuid                     NOT NULL,
  "field"          text                     NOT NULL,
  "old_value"      text,
  "new_value"      text,
  CONSTRAINT "value_proposals_field_is_known"
    CHECK ((field = ANY (ARRAY['current_value'::text, 'permanent_value'::text, 'demand'::text, 'beli_price'::text, 'robux_price'::text]))),
  CONSTRAINT "value_proposals_pkey" PRIMARY KEY (id),
  "change_percent" numeric                  GENERATED ALWAYS AS (private.change_in_percent(old_value, new_value)) STORED,
  "reason_code"    text                     NOT NULL,
  "note"           text                     NOT NULL DEFAULT ''::text,
  "evidence_url"   text,
  "state"          text                     NOT NULL,
  "why"            text,
  "proposed_by"    uuid,
  "proposed_as"    text,
  "proposed_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "decided_by"     uuid,
  "decided_at"     timestamp with time zone,
  "decision_note"  text,
  "published_at"   timestamp with time zone,
  "before"         jsonb,
  "after"          jsonb,
  CONSTRAINT "value_proposals_are_decided_by_a_second_person" CHECK ((decided_by <> proposed_by)),
  CONSTRAINT "value_proposals_decision_note_has_at_most_200_characters" CHECK ((char_length(decision_note) <= 200)),
  CONSTRAINT "value_proposals_evidence_url_has_at_most_500_characters" CHECK ((char_length(evidence_url) <= 500)),
  CONSTRAINT "value_proposals_evidence_url_is_a_secure_address" CHECK ((evidence_url ~ '^https://[^\s<>"]+$'::text)),
  CONSTRAINT "value_proposals_note_has_at_most_200_characters" CHECK ((char_length(note) <= 200)),
  CONSTRAINT "value_proposals_proposed_as_is_known" CHECK ((proposed_as = ANY (ARRAY['admin'::text, 'editor'::text]))),
  CONSTRAINT "value_proposals_state_is_known"
    CHECK ((state = ANY (ARRAY['draft'::text, 'waiting'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text, 'published'::text, 'rolled_back'::text]))),
  CONSTRAINT "value_proposals_why_is_known" CHECK ((why = ANY (ARRAY['large'::text, 'dear'::text, 'new_editor'::text])))
);

ALTER TABLE "public"."value_proposals"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."value_proposals" FROM "anon";

CREATE TABLE "public"."value_reasons" (
  "code"       text    NOT NULL,
  "label"      text    NOT NULL,
  "place"      integer NOT NULL DEFAULT 0,
  "is_offered" boolean NOT NULL DEFAULT true,
  CONSTRAINT "value_reasons_code_has_only_lowercase_letters_and_underscores" CHECK ((code ~ '^[a-z_]{1,30}$'::text)),
  CONSTRAINT "value_reasons_pkey" PRIMARY KEY (code),
  CONSTRAINT "value_reasons_label_has_1_to_60_characters" CHECK (((char_length(label) <= 60) AND (private.trim_text(label) <> ''::text)))
);

ALTER TABLE "public"."value_reasons"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."value_sets" (
  "id"             uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "name"           text,
  "state"          text                     NOT NULL DEFAULT 'draft'::text,
  "planned_for"    timestamp with time zone,
  "fault"          text,
  "created_by"     uuid,
  "created_at"     timestamp with time zone NOT NULL DEFAULT now(),
  "published_at"   timestamp with time zone,
  "published_by"   uuid,
  "rolled_back_at" timestamp with time zone,
  "rolled_back_by" uuid,
  CONSTRAINT "value_sets_pkey" PRIMARY KEY (id),
  CONSTRAINT "value_sets_state_is_known" CHECK ((state = ANY (ARRAY['draft'::text, 'submitted'::text, 'published'::text, 'rolled_back'::text, 'discarded'::text]))),
  CONSTRAINT "value_sets_name_has_1_to_80_characters" CHECK (((char_length(name) <= 80) AND (private.trim_text(name) <> ''::text)))
);

ALTER TABLE "public"."value_sets"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."value_sets" FROM "anon";

CREATE TABLE "public"."work_skips" (
  "item_id"    uuid                     NOT NULL,
  "skipped_on" date                     NOT NULL DEFAULT ((now() AT TIME ZONE 'UTC'::text))::date,
  "skipped_at" timestamp with time zone NOT NULL DEFAULT now(),
  "editor_id"  uuid                     NOT NULL DEFAULT auth.uid(),
  CONSTRAINT "work_skips_pkey" PRIMARY KEY (editor_id, item_id, skipped_on)
);

ALTER TABLE "public"."work_skips"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."work_skips" FROM "anon";

ALTER TABLE "private"."settings"
  ADD COLUMN "large_change_percent" numeric NOT NULL DEFAULT 25;

ALTER TABLE "private"."settings"
  ADD COLUMN "dear_items" integer NOT NULL DEFAULT 10;

ALTER TABLE "private"."settings"
  ADD COLUMN "new_editor_changes" integer NOT NULL DEFAULT 20;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "reason_code" text;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "evidence_url" text;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "changed_as" text;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "is_seconded" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "old_low" text;

ALTER TABLE "public"."item_value_changes"
  ADD COLUMN "old_high" text;

ALTER TABLE "public"."items"
  ADD COLUMN "status" text;

ALTER TABLE "public"."items"
  ADD COLUMN "current_low" text;

ALTER TABLE "public"."items"
  ADD COLUMN "current_high" text;

ALTER TABLE "public"."items"
  ADD COLUMN "permanent_low" text;

ALTER TABLE "public"."items"
  ADD COLUMN "permanent_high" text;

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
        set_id, item_id, field, old_value, new_value, reason_code, note, evidence_url, state, why, proposed_by, proposed_as
      ) values (
        into_set, cell.item_id, cell.field, cell.old_value, cell.new_value, cell.reason_code_of, cell.note_of,
        cell.evidence_url_of, add_proposal.state, add_proposal.why, person, private.editing_role(person)
      ) returning id into added;
      return added;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_reaction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if row_security_active('public.chat_reactions') then
        perform private.limit_pace(
          new.user_id, 'reaction', 30, interval '1 minute', 'You are reacting too fast: at most 30 times a minute'
        );
      end if;
      if (select count(*) >= 100 from public.chat_reactions where message_id = new.message_id and emoji = new.emoji) then
        raise exception using errcode = 'check_violation', message = 'This message has enough of these';
      end if;
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
    select (entry ->> 'id')::uuid, count(distinct user_id)::integer
    from (
      select user_id, your_items || their_items as entries from public.trade_history
      where version = 1 and created_at > now() - interval '30 days'
      order by created_at desc limit 20000
    ) as latest, jsonb_array_elements(entries) as entry
    group by 1
  $function$;

CREATE OR REPLACE FUNCTION private.default_margin (
  age interval
)
  RETURNS numeric
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO ''
  AS $function$
    select least(0.25, 0.05 + 0.01 * greatest(0, floor(extract(epoch from age) / 604800)))
  $function$;

CREATE OR REPLACE FUNCTION private.editing_role (
  person uuid
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select min(role) from public.user_roles where user_id = person and role in ('admin', 'editor')
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
    select 'reports', id::text, null from public.reports where resolved_at is null
    union all
    select 'failed_mails', id::text, null from backend.mail_queue where tries >= 3
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
        then 'This is not a value that can be published'
      when field = 'demand' and (value is null or value not in ('low', 'medium', 'high', 'very_high'))
        then 'Invalid demand level'
      when field = 'current_value' and value is null then 'Value is required'
      when char_length(value) > 20 then 'Value is too long'
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
        case field when 'permanent_value' then item.permanent_value_number else item.current_value_number end;
      dearer integer;
    begin
      select * into limits from private.settings;
      if is_admin and not exists (
        select from public.user_roles where role in ('admin', 'editor') and user_id <> person
      ) then
        return null;
      end if;
      if field <> 'demand' and private.is_large_change(
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
      if field = 'permanent_value' then
        select count(*) into dearer
          from (select from public.items where permanent_value_number > number limit limits.dear_items) as above;
      else
        select count(*) into dearer
          from (select from public.items where current_value_number > number limit limits.dear_items) as above;
      end if;
      return case when dearer < limits.dear_items then 'dear' end;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.first_value_of_day (
  person uuid,
  item   public.items,
  field  text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select coalesce(
      (
        select earlier.old_value from public.value_proposals as earlier
        where earlier.item_id = item.id and earlier.field = first_value_of_day.field and earlier.state = 'published'
          and earlier.proposed_by = person and earlier.decided_by is null
          and earlier.published_at > now() - interval '1 day'
          and earlier.id > coalesce((
            select max(id) from public.value_proposals as seen
            where seen.item_id = item.id and seen.field = first_value_of_day.field
              and (seen.decided_by is not null or seen.proposed_by <> person) and seen.state = 'published'
          ), 0)
        order by earlier.id limit 1
      ),
      to_jsonb(item) ->> field
    )
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
        old_checked_at, reason, changed_by, reason_code, evidence_url, changed_as, is_seconded
      )
      select old.id, change.*, old.values_checked_at, reason, changed_by,
        context ->> 'reason_code', context ->> 'evidence_url',
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

CREATE OR REPLACE FUNCTION private.is_editor()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role in ('admin', 'editor')
    ) and not private.owes_second_factor() and not private.is_application()
  $function$;

CREATE OR REPLACE FUNCTION private.is_large_change (
  old_value text,
  new_value text,
  percent   numeric
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
    select case
      when old_number is not distinct from new_number then false
      else coalesce(abs(new_number - old_number) > percent / 100 * nullif(old_number, 0), true)
    end
    from (select private.parse_value_text(old_value), private.parse_value_text(new_value)) as numbers (old_number, new_number)
  $function$;

CREATE OR REPLACE FUNCTION private.is_new_editor (
  person uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select case private.editing_role(person)
      when 'admin' then false
      when 'editor' then (
        select count(*) from public.value_proposals where proposed_by = person and state = 'published'
      ) < (select new_editor_changes from private.settings)
      else true
    end
  $function$;

CREATE OR REPLACE FUNCTION private.is_within (
  value text,
  low   text,
  high  text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO ''
  AS $function$
    select (low is null or coalesce(private.parse_value_text(low) <= private.parse_value_text(value), false))
      and (high is null or coalesce(private.parse_value_text(high) >= private.parse_value_text(value), false))
  $function$;

CREATE OR REPLACE FUNCTION private.keep_proposal()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if (new.item_id, new.field, new.old_value, new.new_value, new.proposed_at)
          is distinct from (old.item_id, old.field, old.old_value, old.new_value, old.proposed_at)
        or new.proposed_by is not null and new.proposed_by is distinct from old.proposed_by
        or old.state in ('rejected', 'withdrawn', 'rolled_back') and new.state <> old.state
        or old.state = 'published' and new.state not in ('published', 'rolled_back') then
        raise exception using
          errcode = 'insufficient_privilege', message = 'What was proposed and decided stays as it is';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.leave_deleted_updates()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if exists (select from public.archived_items where id = new.item_id)
        and not exists (select from public.game_updates where id = new.update_id) then
        return null;
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.limit_pace (
  person  uuid,
  what    text,
  most    integer,
  span    interval,
  refusal text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      recent timestamptz[];
    begin
      insert into private.paces as pace (user_id, act, done_at) values (person, what, '{}')
        on conflict (user_id, act) do update set done_at = pace.done_at
        returning array(select at from unnest(done_at) as at where at > clock_timestamp() - span order by at) into recent;
      if cardinality(recent) >= most then
        raise exception using
          errcode = 'PT429', message = refusal,
          hint = ceil(extract(epoch from recent[1] + span - clock_timestamp()))::text;
      end if;
      update private.paces set done_at = recent || clock_timestamp()
        where user_id = person and act = what;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.lock_proposals (
  ids bigint[]
)
  RETURNS SETOF public.value_proposals
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if cardinality(ids) > 5000 then
        raise exception using errcode = 'check_violation', message = 'Between 1 and 5000 values at once';
      end if;
      perform from public.items
        where id in (select item_id from public.value_proposals as wanted where wanted.id = any (ids))
        order by id for update;
      return query select * from public.value_proposals as wanted where wanted.id = any (ids) order by wanted.id for update;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.lock_set (
  set_id uuid,
  states text[]
)
  RETURNS public.value_sets
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      found_set public.value_sets;
    begin
      select * into found_set from public.value_sets where id = set_id for update;
      if not found then
        raise exception using errcode = 'PT404', message = 'There is no such set';
      elsif not found_set.state = any (states) then
        raise exception using errcode = 'PT409', message = format(
          'This set is %s by now', replace(found_set.state, '_', ' '));
      end if;
      return found_set;
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
      select kind, count(*),
        coalesce((array_agg(distinct item) filter (where item is not null))[:5], '{}'),
        case when has_webhook then now() end
      from fresh join private.find_editor_news() as news using (kind, subject)
      group by kind order by kind;
      delete from public.editor_notices where created_at < now() - interval '30 days';
    end
  $function$;

CREATE OR REPLACE FUNCTION private.publish_planned_sets()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      due record;
      done integer := 0;
    begin
      for due in
        select id, created_by from public.value_sets
        where state = 'submitted' and planned_for <= now() order by planned_for for update skip locked
      loop
        begin
          if private.submit_set(due.id) = 0 then
            perform private.publish_set(due.id, due.created_by);
            done := done + 1;
          end if;
        exception
          when others then
            update public.value_sets set state = 'draft', planned_for = null, fault = left(sqlerrm, 400) where id = due.id;
        end;
      end loop;
      return done;
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
        where held.set_id = publish_set.set_id and held.state = 'approved' order by held.id
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

CREATE OR REPLACE FUNCTION private.read_cells (
  cells        jsonb,
  reason_code  text,
  note         text,
  evidence_url text
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
    outcome         text,
    fault           text
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.require_editor();
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

CREATE OR REPLACE FUNCTION private.read_change_context()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    select coalesce(nullif(current_setting('private.change_context', true), ''), '{}')::jsonb
  $function$;

CREATE OR REPLACE FUNCTION private.record_act()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      unkept constant text[] := coalesce(tg_argv, '{}');
      before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - unkept end;
      after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - unkept end;
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
        -- A check has no id that others know: it is about its item.
        coalesce(whole ->> 'item_id', whole ->> 'id', whole ->> 'sanction_id', whole ->> 'user_id')::uuid,
        coalesce(
          whole ->> 'reported_user_id', whole ->> 'rater_id', whole ->> 'user_id',
          (select user_id from public.sanctions where id = (whole ->> 'sanction_id')::uuid)::text
        )::uuid,
        coalesce(
          known ->> 'label', known ->> 'name', known ->> 'page_name', known ->> 'placement',
          (select name from public.items where id = (whole ->> 'item_id')::uuid)
        ),
        before, after
      );
      return null;
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
      insert into public.item_demand_changes (item_id, kind, old_word, new_word, reason, changed_by)
      select new.id, word.*, nullif(private.trim_text(new.change_reason), ''), (
        select id from public.profiles
        where id = case when context ? 'changed_by' then (context ->> 'changed_by')::uuid else (select auth.uid()) end
      )
      from (values ('demand', old.demand, new.demand), ('status', old.status, new.status)) as word (kind, before, after)
      where before is distinct from after;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.record_first_values()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      changed_by constant uuid := (select id from public.profiles where id = (select auth.uid()));
    begin
      insert into public.item_value_changes (item_id, mode, new_value, reason, changed_by, changed_as)
      select new.id, mode, value, nullif(private.trim_text(new.change_reason), ''), changed_by,
        case when (select private.is_admin()) then 'admin' end
      from (values ('regular', new.current_value), ('permanent', new.permanent_value)) as first_values (mode, value)
      where private.parse_value_text(value) is not null;
      if new.change_reason is not null then
        update public.items set change_reason = null where id = new.id;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_editor()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not private.is_editor() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only editors and admins publish values';
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_reasons (
  code         text,
  note         text,
  evidence_url text
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
    begin
      if not exists (select from public.value_reasons where value_reasons.code = require_reasons.code and is_offered) then
        raise exception using errcode = 'check_violation', message = 'Choose a reason', hint = 'reason_code';
      elsif note is null and code <> 'still_right' then
        raise exception using errcode = 'check_violation', message = 'Say why in a few words', hint = 'note';
      elsif char_length(note) > 200 then
        raise exception using
          errcode = 'check_violation', message = 'A note has at most 200 characters', hint = 'note';
      elsif evidence_url !~ '^https://[^\s<>"]+$' or char_length(evidence_url) > 500 then
        raise exception using
          errcode = 'check_violation', message = 'Evidence is a link that begins with https://', hint = 'evidence_url';
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_second_person()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.require_editor();
      if private.is_new_editor((select auth.uid())) then
        raise exception using
          errcode = 'insufficient_privilege',
          message = 'Your own changes still wait for a second person, so you can''t be one yet';
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.restore_item (
  before public.items,
  reason text
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform set_config('private.restored_check', before.values_checked_at::text, true);
      perform set_config(
        'private.change_context', (private.read_change_context() || '{"reason_code": "undo"}')::text, true);
      return query
        update public.items set
          name = before.name, slug = before.slug, aliases = coalesce(before.aliases, items.aliases),
          category_id = before.category_id, image_url = before.image_url,
          rarity = before.rarity, demand = before.demand,
          status = (select word from public.status_words where word = before.status), type = before.type, is_permanent = before.is_permanent,
          current_value = before.current_value, previous_value = before.previous_value,
          permanent_value = before.permanent_value, permanent_previous_value = before.permanent_previous_value,
          current_low = before.current_low, current_high = before.current_high,
          permanent_low = before.permanent_low, permanent_high = before.permanent_high,
          beli_price = before.beli_price, robux_price = before.robux_price, custom_fields = before.custom_fields,
          change_reason = restore_item.reason
        where items.id = before.id
        returning items.*;
      perform set_config('private.restored_check', '', true);
      perform set_config('private.change_context', '', true);
    end
  $function$;

CREATE OR REPLACE FUNCTION private.stamp_message (
  message public.chat_messages
)
  RETURNS public.chat_messages
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      message.username := coalesce((select username from public.profiles where id = message.user_id), 'Anonymous');
      if row_security_active('public.chat_messages') then
        perform private.limit_pace(
          message.user_id, 'chat message', 5, interval '10 seconds',
          'You are sending messages too fast: at most 5 in 10 seconds'
        );
        message.created_at := clock_timestamp();
      end if;
      return message;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.submit_set (
  set_id uuid
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    begin
      perform from public.items
        where id in (select item_id from public.value_proposals as held where held.set_id = submit_set.set_id)
        order by id for update;
      update public.value_proposals as held
        set why = private.find_wait(held.proposed_by, items, held.field, held.new_value)
        from public.items
        where items.id = held.item_id and held.set_id = submit_set.set_id and held.decided_by is null
          and held.state in ('draft', 'waiting', 'approved');
      update public.value_proposals as held set state = case when why is null then 'approved' else 'waiting' end
        where held.set_id = submit_set.set_id and held.decided_by is null and held.state in ('draft', 'waiting', 'approved');
      return (
        select count(*) from public.value_proposals as held
        where held.set_id = submit_set.set_id and held.state = 'waiting'
      );
    end
  $function$;

CREATE OR REPLACE FUNCTION private.take_editor_notices()
  RETURNS TABLE (
    id    bigint,
    kind  text,
    count integer,
    items text[]
  )
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    with due as (
      select notice.id from public.editor_notices as notice
      where webhook_next_at <= now() order by notice.id limit 1 for update skip locked
    )
    update public.editor_notices as notice set
      webhook_tries = webhook_tries + 1,
      webhook_next_at = case when webhook_tries < 5 then now() + interval '5 minutes' * power(2, webhook_tries) end
    from due where notice.id = due.id
    returning notice.id, notice.kind, notice.count, notice.items
  $function$;

CREATE OR REPLACE FUNCTION private.value_confidence (
  age          interval,
  observations integer,
  spread       numeric,
  is_volatile  boolean
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO ''
  AS $function$
    select case
      when is_volatile or age > interval '30 days' or observations < 1 or spread > 0.5 then 'low'
      when age <= interval '7 days' and observations >= 3 and spread <= 0.15 then 'high'
      else 'medium'
    end
  $function$;

CREATE OR REPLACE FUNCTION private.work_score (
  weeks       numeric,
  traders     integer,
  spread      numeric,
  is_volatile boolean
)
  RETURNS numeric
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
    select round(
      weeks * (1 + ln(1 + traders::numeric)) * (1 + least(spread, 1)) * case when is_volatile then 2 else 1 end, 3)
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
      kept jsonb;
    begin
      select * into wanted from public.value_proposals where id = proposal_id for update;
      select * into item from public.items where id = wanted.item_id for update;
      if nullif(to_jsonb(item) ->> wanted.field, '') is distinct from wanted.old_value then
        return false;
      end if;
      written := array[wanted.field] || case wanted.field
        when 'current_value' then '{previous_value}'
        when 'permanent_value' then '{permanent_previous_value}'
        else '{}'
      end::text[];
      kept := (
        select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(item))
        where key = any (written) or key = 'values_checked_at' and cardinality(written) > 1
      );
      perform set_config('private.change_context', jsonb_build_object(
        'changed_by', wanted.proposed_by, 'changed_as', wanted.proposed_as, 'reason_code', wanted.reason_code,
        'evidence_url', wanted.evidence_url, 'is_seconded', wanted.decided_by is not null
      )::text, true);
      execute format('update public.items set %I = $1, change_reason = $2 where id = $3 returning *', wanted.field)
        into item using wanted.new_value, nullif(wanted.note, ''), wanted.item_id;
      perform set_config('private.change_context', '', true);
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
      proposal public.value_proposals;
    begin
      perform private.require_second_person();
      insert into public.value_sets (id, state, created_by, published_at, published_by)
      values (set_of_call, 'published', person, now(), person);
      for proposal in select * from private.lock_proposals(approve_proposals.ids) loop
        id := proposal.id;
        set_id := proposal.set_id;
        if proposal.state <> 'waiting' then
          outcome := 'decided';
        elsif proposal.proposed_by = person then
          raise exception using errcode = 'insufficient_privilege', message = 'Nobody approves their own proposal';
        elsif (
          select nullif(to_jsonb(items) ->> proposal.field, '') from public.items where items.id = proposal.item_id
        ) is distinct from proposal.old_value then
          outcome := 'changed_meanwhile';
        else
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
        end if;
        return next;
      end loop;
      delete from public.value_sets as unused where unused.id = set_of_call
        and not exists (select from public.value_proposals as used where used.set_id = set_of_call);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."approve_proposals"(bigint[], text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.create_value_set (
  name text
)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      made uuid;
    begin
      perform private.require_editor();
      if nullif(private.trim_text(create_value_set.name), '') is null then
        raise exception using errcode = 'check_violation', message = 'Name is required', hint = 'name';
      end if;
      insert into public.value_sets (name, created_by)
      values (private.trim_text(create_value_set.name), (select auth.uid())) returning id into made;
      return made;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."create_value_set"(text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.discard_value_set (
  set_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      thrown public.value_sets;
    begin
      perform private.require_editor();
      thrown := private.lock_set(discard_value_set.set_id, '{draft,submitted}');
      if not private.is_admin() and thrown.created_by is distinct from (select auth.uid()) then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only admins throw away what somebody else began';
      end if;
      update public.value_proposals as held set state = 'withdrawn'
        where held.set_id = thrown.id and held.state in ('draft', 'waiting', 'approved');
      update public.value_sets set state = 'discarded', planned_for = null where id = thrown.id;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."discard_value_set"(uuid) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.draft_values (
  set_id       uuid,
  cells        jsonb,
  reason_code  text,
  note         text,
  evidence_url text  DEFAULT NULL::text
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
          draft_values.cells, draft_values.reason_code, draft_values.note, draft_values.evidence_url)
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

REVOKE ALL ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text) FROM PUBLIC, "anon";

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
          rarity = change.rarity, demand = change.demand, type = change.type, is_permanent = change.is_permanent,
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
        from jsonb_populate_recordset(null::public.items, changes) as change
        where items.id = change.id
        returning items as item
      )
      select array_agg(item) into changed from changed as done;

      with added as (
        insert into public.items (
          name, slug, aliases, category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
          permanent_value, permanent_previous_value, current_low, current_high, permanent_low, permanent_high,
          beli_price, robux_price, custom_fields, change_reason
        )
        select
          name, slug, coalesce(aliases, ''), category_id, image_url, rarity, demand, type, is_permanent, current_value, previous_value,
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

CREATE OR REPLACE FUNCTION public.list_editor_days (
  since timestamp with time zone
)
  RETURNS TABLE (
    editor_id uuid,
    username  text,
    checked   integer,
    changed   integer,
    skipped   integer
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      beginning constant timestamptz := greatest(since, now() - interval '2 days');
    begin
      perform private.require_editor();
      return query
        with acts as (
          select distinct 'checked' as act, checked_by as person, item_id::text as subject
          from public.item_value_checks where checked_at >= beginning
          union all
          select 'changed', proposed_by, id::text from public.value_proposals
          where proposed_at >= beginning and state in ('waiting', 'approved', 'published')
          union all
          select distinct 'skipped', skip.editor_id, skip.item_id::text
          from public.work_skips as skip where skipped_at >= beginning
        )
        select person.id, person.username, count(*) filter (where act = 'checked')::integer,
          count(*) filter (where act = 'changed')::integer, count(*) filter (where act = 'skipped')::integer
        from public.profiles as person
        left join acts on acts.person = person.id
        where person.id = (select auth.uid()) or acts.person is not null
        group by 1, 2
        order by person.id <> (select auth.uid()), person.username;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_editor_days"(timestamp WITH time zone) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.list_editor_names()
  RETURNS TABLE (
    id       uuid,
    username text
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
        select person.id, person.username from public.profiles as person
        where person.id in (
          select user_id from public.user_roles where role in ('admin', 'editor')
          union select proposed_by from public.value_proposals
          union select decided_by from public.value_proposals
          union select created_by from public.value_sets
          union select published_by from public.value_sets
        );
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_editor_names"() FROM PUBLIC, "anon";

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
    is_seconded        boolean
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
          change.reason_code, chosen.label, change.evidence_url, change.changed_as, change.is_seconded
        from public.item_value_changes as change
        left join public.value_reasons as chosen on chosen.code = change.reason_code
        left join public.profiles as person on person.id = change.changed_by
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
    ), known as (
      select priced.*, unsettled.name as game_update, unsettled.until, case when until is null then 1 else 2 end as widening, private.default_margin(age) as margin,
        case when value > 0 then power(10, floor(log(value))) / 20 end as step,
        (coalesce(readings.count, 0) + coalesce(checks.count, 0))::integer as observations,
        round(coalesce(
          (greatest(value, most, high) - least(value, readings.least, low)) / nullif(value, 0), 0), 4) as spread
      from priced
      left join readings on readings.item_id = id and readings.mode = priced.mode
      left join checks on checks.item_id = id
      left join unsettled on unsettled.item_id = id
    )
    select id, mode,
      greatest(0, coalesce(
        value - widening * (value - low), trim_scale(floor(value * (1 - widening * margin) / step) * step), 0)),
      coalesce(
        value + widening * (high - value), trim_scale(ceil(value * (1 + widening * margin) / step) * step), 0),
      low is not null or high is not null,
      private.value_confidence(age, observations, spread, until is not null), observations, spread, game_update, until
    from known
    order by id, mode desc
  $function$;

CREATE OR REPLACE FUNCTION public.list_work (
  most integer DEFAULT 30
)
  RETURNS TABLE (
    item_id     uuid,
    score       numeric,
    weeks       numeric,
    traders     integer,
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
        with ranges as (
          select item_id, max(spread) as spread, max(game_update) as game_update from public.list_value_ranges() group by 1
        ), parts as (
          select items.id, items.name,
            round(extract(epoch from now() - items.values_checked_at) / 604800, 2) as weeks,
            coalesce(traded.traders, 0) as traders, coalesce(ranges.spread, 0) as spread, ranges.game_update
          from public.items
          left join ranges on ranges.item_id = items.id
          left join private.count_item_traders() as traded on traded.item_id = items.id
          where items.values_checked_at < now() - interval '1 day' and not exists (
            select from public.work_skips as skip
            where skip.item_id = items.id and skip.editor_id = (select auth.uid())
              and skip.skipped_at > now() - interval '1 day'
          ) and not exists (
            select from public.value_proposals as mine
            where mine.item_id = items.id and mine.proposed_by = (select auth.uid()) and mine.state = 'waiting'
          )
        ), scored as (
          select parts.*, private.work_score(weeks, traders, spread, game_update is not null) as score,
            count(*) over ()::integer as due
          from parts
        )
        select id, score, weeks, traders, spread, game_update,
          (select count(*)::integer from public.value_proposals as proposal
            where proposal.item_id = scored.id and proposal.state = 'waiting'),
          due
        from scored
        order by score desc, name, id
        limit least(greatest(list_work.most, 1), 200);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_work"(integer) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.mark_game_update (
  name           text,
  items          uuid[],
  volatile_until timestamp with time zone,
  happened_at    timestamp with time zone DEFAULT now(),
  id             uuid                     DEFAULT NULL::uuid
)
  RETURNS uuid
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      marked uuid;
    begin
      if row_security_active('public.game_updates') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins mark game updates';
      end if;
      if coalesce(cardinality(items), 0) not between 1 and 1000 then
        raise exception using
          errcode = 'check_violation', message = 'Choose what the update touched: 1 to 1000 items';
      end if;
      if mark_game_update.id is null then
        insert into public.game_updates (name, happened_at, volatile_until)
          values (mark_game_update.name, mark_game_update.happened_at, mark_game_update.volatile_until)
          returning game_updates.id into marked;
      else
        update public.game_updates set
            name = mark_game_update.name, happened_at = mark_game_update.happened_at,
            volatile_until = mark_game_update.volatile_until
          where game_updates.id = mark_game_update.id
          returning game_updates.id into marked;
        if marked is null then
          raise exception using errcode = 'PT404', message = 'This update is gone: somebody deleted it';
        end if;
        delete from public.game_update_items where update_id = marked and item_id <> all (mark_game_update.items);
      end if;
      insert into public.game_update_items (update_id, item_id)
        select distinct marked, touched from unnest(mark_game_update.items) as touched
        on conflict do nothing;
      return marked;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.measure_accuracy (
  days integer
)
  RETURNS TABLE (
    category         text,
    trades           integer,
    published_values integer,
    median_error     numeric
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    with published as (
      select distinct on (item_id, mode) item_id, mode, new_number as value
      from public.item_value_changes
      where changed_at <= now() - days * interval '1 day'
      order by item_id, mode, changed_at desc, id desc
    ), traded as (
      select item_id, mode, count(*) as trades, percentile_cont(0.5) within group (order by value::double precision) as median
      from private.confirmed_values
      where confirmed_at > now() - days * interval '1 day' and confirmed_at <= now()
      group by item_id, mode
    ), errors as (
      select coalesce(categories.name, 'Other') as category, trades, abs(published.value - median) / median as error
      from traded
      join published using (item_id, mode)
      join public.items on items.id = item_id
      left join public.categories on categories.id = category_id
      where published.value is not null
    )
    select category, sum(trades)::integer, count(*)::integer,
      case when sum(trades) >= 20 then
        round((100 * percentile_cont(0.5) within group (order by error::double precision))::numeric, 1)
      end
    from errors group by category order by category
  $function$;

CREATE OR REPLACE FUNCTION public.plan_value_set (
  set_id      uuid,
  planned_for timestamp with time zone
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      waiting integer := 0;
    begin
      perform private.require_editor();
      perform private.lock_set(plan_value_set.set_id, '{draft,submitted}');
      if plan_value_set.planned_for not between now() and now() + interval '1 year' then
        raise exception using
          errcode = 'check_violation', message = 'Choose a time within the next year', hint = 'planned_for';
      end if;
      update public.value_sets set
        planned_for = plan_value_set.planned_for, fault = null,
        state = case when plan_value_set.planned_for is null then 'draft' else 'submitted' end
      where id = plan_value_set.set_id;
      if plan_value_set.planned_for is not null then
        waiting := private.submit_set(plan_value_set.set_id);
      end if;
      return waiting;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."plan_value_set"(uuid, timestamp WITH time zone) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.publish_value_set (
  set_id uuid
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    declare
      waiting integer;
    begin
      perform private.require_editor();
      perform private.lock_set(publish_value_set.set_id, '{draft,submitted}');
      waiting := private.submit_set(publish_value_set.set_id);
      if waiting = 0 then
        perform private.publish_set(publish_value_set.set_id, (select auth.uid()));
      end if;
      return waiting;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."publish_value_set"(uuid) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.publish_values (
  cells        jsonb,
  reason_code  text,
  note         text,
  evidence_url text  DEFAULT NULL::text
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
          publish_values.cells, publish_values.reason_code, publish_values.note, publish_values.evidence_url)
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
          proposal := private.add_proposal(null, cell, case when wait is null then 'approved' else 'waiting' end, wait);
          outcome := 'waiting';
          why := wait;
          if wait is null then
            perform private.write_proposal(proposal, set_of_call);
            outcome := 'published';
            set_id := set_of_call;
          end if;
        end if;
        return next;
      end loop;
      delete from public.value_sets as unused where unused.id = set_of_call
        and not exists (select from public.value_proposals as used where used.set_id = set_of_call);
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."publish_values"(jsonb, text, text, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.reject_proposals (
  ids  bigint[],
  note text
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := (select auth.uid());
      count integer;
    begin
      perform private.require_second_person();
      if nullif(private.trim_text(reject_proposals.note), '') is null then
        raise exception using
          errcode = 'check_violation', message = 'Say why in a few words', hint = 'note';
      end if;
      perform from private.lock_proposals(ids);
      update public.value_proposals as wanted set
        state = 'rejected', decided_by = person, decided_at = now(), decision_note = private.trim_text(reject_proposals.note)
      where wanted.id = any (ids) and wanted.state in ('waiting', 'approved') and wanted.proposed_by is distinct from person;
      get diagnostics count = row_count;
      return count;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."reject_proposals"(bigint[], text) FROM PUBLIC, "anon";

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
      -- Categories may go while an item is in the archive.
      perform from public.categories where id = (archived.item ->> 'category_id')::uuid for key share;
      if not found then
        archived.item := archived.item || '{"category_id": null}';
      end if;
      if not exists (select from public.status_words where word = archived.item ->> 'status') then
        archived.item := archived.item || '{"status": null}';
      end if;
      begin
        perform private.put_back('public.items', jsonb_build_array(archived.item));
      exception
        when unique_violation then
          raise exception using
            errcode = 'unique_violation',
            message = format('Another item has the slug %s by now: change that one''s slug, then restore %s',
              archived.slug, archived.name);
      end;
      for place, kept in select * from jsonb_each(archived.records) loop
        perform private.put_back(place::regclass, kept);
      end loop;
      delete from public.archived_items where id = item_id;
      return query select * from public.items where id = item_id;
    end
  $function$;

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
        where held.set_id = rolled.id and held.state = 'published' order by held.id desc
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

REVOKE ALL ON FUNCTION "public"."roll_back_value_set"(uuid, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.undo_value_change (
  change_id bigint,
  reason    text   DEFAULT NULL::text
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      change record;
      item public.items;
      is_still boolean;
    begin
      select id, item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_checked_at,
          old_low, old_high
        into change from public.item_value_changes where id = change_id;
      if not found then
        raise exception using errcode = 'PT404', message = 'There is no such change';
      end if;
      if change.old_checked_at is null then
        raise exception using
          errcode = 'PT409', message = 'This cannot be undone: nothing is known of what was before it';
      end if;
      select * into item from public.items where id = change.item_id for update;
      if not found then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins undo changes';
      end if;

      is_still := case change.mode
        when 'regular' then (item.current_value, item.previous_value)
          is not distinct from (change.new_value, change.new_previous_value)
        else (item.permanent_value, item.permanent_previous_value)
          is not distinct from (change.new_value, change.new_previous_value)
      end;
      if not is_still or exists (
        select from public.item_value_changes as later
        where later.item_id = change.item_id and later.mode = change.mode and later.id > change.id
      ) then
        raise exception using
          errcode = 'PT409', message = format('%s was changed in the meantime: look at its ledger again', item.name);
      end if;

      if change.mode = 'regular' then
        item.current_value := change.old_value;
        item.previous_value := change.old_previous_value;
        item.current_low := change.old_low;
        item.current_high := change.old_high;
      else
        item.permanent_value := change.old_value;
        item.permanent_previous_value := change.old_previous_value;
        item.permanent_low := change.old_low;
        item.permanent_high := change.old_high;
      end if;
      item.values_checked_at := change.old_checked_at;
      return query select * from private.restore_item(item, undo_value_change.reason);
    end
  $function$;

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
        raise exception using errcode = 'insufficient_privilege', message = 'Sign in whole first';
      end if;
      update public.value_proposals as wanted set state = 'withdrawn'
      where wanted.id = any (ids) and wanted.state in ('draft', 'waiting', 'approved')
        and wanted.proposed_by = (select auth.uid());
      get diagnostics count = row_count;
      return count;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."withdraw_proposals"(bigint[]) FROM PUBLIC, "anon";

ALTER TABLE "private"."confirmed_values"
  ADD CONSTRAINT "confirmed_values_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

ALTER TABLE "private"."paces"
  ADD CONSTRAINT "paces_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."settings"
  ADD CONSTRAINT "settings_dear_items_is_at_least_0" CHECK ((dear_items >= 0));

ALTER TABLE "private"."settings"
  ADD CONSTRAINT "settings_large_change_percent_is_above_0" CHECK ((large_change_percent > (0)::numeric));

ALTER TABLE "private"."settings"
  ADD CONSTRAINT "settings_new_editor_changes_is_at_least_0" CHECK ((new_editor_changes >= 0));

ALTER TABLE "public"."game_update_items"
  ADD CONSTRAINT "game_update_items_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

ALTER TABLE "public"."game_update_items"
  ADD CONSTRAINT "game_update_items_update_id_fkey" FOREIGN KEY (update_id) REFERENCES public.game_updates(id) ON DELETE CASCADE;

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_changed_by_fkey" FOREIGN KEY (changed_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

ALTER TABLE "public"."item_value_changes"
  ADD CONSTRAINT "item_value_changes_changed_as_is_known" CHECK ((changed_as = ANY (ARRAY['admin'::text, 'editor'::text])));

ALTER TABLE "public"."item_value_changes"
  ADD CONSTRAINT "item_value_changes_evidence_url_has_at_most_500_characters" CHECK ((char_length(evidence_url) <= 500));

ALTER TABLE "public"."item_value_changes"
  ADD CONSTRAINT "item_value_changes_evidence_url_is_a_secure_address" CHECK ((evidence_url ~ '^https://[^\s<>"]+$'::text));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_current_high_has_at_most_20_characters" CHECK ((char_length(current_high) <= 20));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_current_low_has_at_most_20_characters" CHECK ((char_length(current_low) <= 20));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_permanent_high_has_at_most_20_characters" CHECK ((char_length(permanent_high) <= 20));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_permanent_low_has_at_most_20_characters" CHECK ((char_length(permanent_low) <= 20));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_status_fkey" FOREIGN KEY (status) REFERENCES public.status_words(word) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE "public"."user_roles"
  ADD CONSTRAINT "user_roles_role_is_known" CHECK ((role = ANY (ARRAY['admin'::text, 'editor'::text, 'moderator'::text])));

ALTER TABLE "public"."value_proposals"
  ADD CONSTRAINT "value_proposals_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

ALTER TABLE "public"."item_value_changes"
  ADD CONSTRAINT "item_value_changes_reason_code_fkey" FOREIGN KEY (reason_code) REFERENCES public.value_reasons(code) ON DELETE RESTRICT;

ALTER TABLE "public"."value_sets"
  ADD CONSTRAINT "value_sets_created_by_fkey" FOREIGN KEY (created_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."value_proposals"
  ADD CONSTRAINT "value_proposals_set_id_fkey" FOREIGN KEY (set_id) REFERENCES public.value_sets(id) ON DELETE CASCADE;

ALTER TABLE "public"."value_sets"
  ADD CONSTRAINT "value_sets_published_by_fkey" FOREIGN KEY (published_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."value_sets"
  ADD CONSTRAINT "value_sets_rolled_back_by_fkey" FOREIGN KEY (rolled_back_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."work_skips"
  ADD CONSTRAINT "work_skips_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

CREATE INDEX confirmed_values_item_id_idx ON private.confirmed_values USING btree (item_id, mode, confirmed_at);

CREATE INDEX editor_notices_created_at_idx ON public.editor_notices USING btree (created_at);

CREATE INDEX editor_notices_webhook_next_at_idx ON public.editor_notices USING btree (webhook_next_at)
  WHERE (webhook_next_at IS NOT NULL);

CREATE INDEX game_update_items_item_id_idx ON public.game_update_items USING btree (item_id);

CREATE INDEX game_updates_volatile_until_idx ON public.game_updates USING btree (volatile_until DESC);

CREATE INDEX item_demand_changes_changed_by_idx ON public.item_demand_changes USING btree (changed_by);

CREATE INDEX item_demand_changes_item_id_id_idx ON public.item_demand_changes USING btree (item_id, id);

CREATE INDEX item_value_changes_reason_code_idx ON public.item_value_changes USING btree (reason_code);

CREATE INDEX item_value_checks_checked_at_idx ON public.item_value_checks USING btree (checked_at);

CREATE INDEX items_status_idx ON public.items USING btree (status);

CREATE INDEX trade_history_created_at_idx ON public.trade_history USING btree (created_at DESC);

CREATE INDEX value_proposals_item_id_idx ON public.value_proposals USING btree (item_id);

CREATE INDEX value_proposals_set_id_idx ON public.value_proposals USING btree (set_id);

CREATE INDEX value_sets_created_at_idx ON public.value_sets USING btree (created_at);

CREATE INDEX value_sets_created_by_idx ON public.value_sets USING btree (created_by);

CREATE INDEX value_sets_planned_for_idx ON public.value_sets USING btree (planned_for)
  WHERE (state = 'submitted'::text);

CREATE INDEX value_sets_published_by_idx ON public.value_sets USING btree (published_by);

CREATE INDEX value_sets_rolled_back_by_idx ON public.value_sets USING btree (rolled_back_by);

CREATE INDEX work_skips_item_id_idx ON public.work_skips USING btree (item_id);

CREATE TRIGGER game_update_items_leave_deleted_updates
  BEFORE INSERT ON public.game_update_items
  FOR EACH ROW
  EXECUTE FUNCTION private.leave_deleted_updates();

CREATE TRIGGER game_updates_record_act
  AFTER INSERT OR DELETE OR UPDATE ON public.game_updates
  FOR EACH ROW
  EXECUTE FUNCTION private.record_act('created_at', 'updated_at');

CREATE TRIGGER game_updates_stamp_update
  BEFORE INSERT OR UPDATE ON public.game_updates
  FOR EACH ROW
  EXECUTE FUNCTION private.stamp_update();

CREATE TRIGGER item_demand_changes_keep_record
  BEFORE DELETE OR UPDATE ON public.item_demand_changes
  FOR EACH ROW
  EXECUTE FUNCTION private.keep_item_record('changed_by');

CREATE TRIGGER item_demand_changes_refuse_truncate
  BEFORE TRUNCATE ON public.item_demand_changes
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.refuse_truncate();

CREATE TRIGGER items_a_record_demand
  BEFORE UPDATE ON public.items
  FOR EACH ROW
  WHEN (((pg_trigger_depth() = 0) AND ((old.demand IS DISTINCT FROM new.demand) OR (old.status IS DISTINCT FROM new.status))))
  EXECUTE FUNCTION private.record_demand();

CREATE TRIGGER value_proposals_keep_proposal
  BEFORE UPDATE ON public.value_proposals
  FOR EACH ROW
  EXECUTE FUNCTION private.keep_proposal();

CREATE POLICY "Editors and moderators hear of what is theirs, admins of all" ON "public"."editor_notices"
  FOR SELECT
  TO "authenticated"
  USING
    ((( SELECT private.is_admin() AS is_admin) OR ((kind = ANY (ARRAY['proposals'::text, 'large_changes'::text, 'stale'::text])) AND ( SELECT private.is_editor() AS is_editor)) OR
    ((kind = 'reports'::text) AND ( SELECT private.is_moderator() AS is_moderator))));

CREATE POLICY "Admins say what game updates touched" ON "public"."game_update_items"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins take back what game updates touched" ON "public"."game_update_items"
  FOR DELETE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Everybody sees what game updates touched" ON "public"."game_update_items"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "Admins add game updates" ON "public"."game_updates"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins change game updates" ON "public"."game_updates"
  FOR UPDATE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin))
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins delete game updates" ON "public"."game_updates"
  FOR DELETE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Everybody sees game updates" ON "public"."game_updates"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "Everybody sees demand changes" ON "public"."item_demand_changes"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "Editors add value checks" ON "public"."item_value_checks"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_editor() AS is_editor));

CREATE POLICY "Admins add status words" ON "public"."status_words"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins change status words" ON "public"."status_words"
  FOR UPDATE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin))
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins delete status words" ON "public"."status_words"
  FOR DELETE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Everybody sees status words" ON "public"."status_words"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "Everybody sees the reasons" ON "public"."value_reasons"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "Editors see sets" ON "public"."value_sets"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_editor() AS is_editor));

CREATE POLICY "Moderators, editors and admins follow what their panels show" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING
    (((EXTENSION = 'broadcast'::text) AND starts_with(( SELECT realtime.topic() AS topic), 'admin-'::text) AND (( SELECT private.is_moderator() AS is_moderator) OR ( SELECT
    private.is_editor() AS is_editor))));

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."editor_notices";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."game_update_items";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."game_updates";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."status_words";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."value_proposals";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."value_sets";

COMMENT ON COLUMN "private"."settings"."dear_items" IS 'Changes of so many of the dearest items wait for a second person.';

COMMENT ON COLUMN "private"."settings"."large_change_percent" IS 'A change of a value by more than this waits for a second person.';

COMMENT ON COLUMN "private"."settings"."new_editor_changes" IS 'Changes of an editor of whom fewer were published wait for a second person.';

COMMENT ON COLUMN "public"."editor_notices"."items" IS 'Names of some of the items that it is about.';

COMMENT ON COLUMN "public"."editor_notices"."webhook_next_at" IS 'When the webhook is told of it; null when it was, or need not be.';

COMMENT ON COLUMN "public"."item_value_changes"."changed_as" IS 'The role of whoever changed it; null for readings of others and for servers.';

COMMENT ON COLUMN "public"."item_value_changes"."is_seconded" IS 'Whether a second person looked at it before it was published.';

COMMENT ON COLUMN "public"."item_value_changes"."old_low" IS 'The editor''s range of this mode before the change: its lower end.';

COMMENT ON COLUMN "public"."items"."current_low" IS 'The least that an editor takes the value for; null where none said so, and list_value_ranges works one out.';

COMMENT ON COLUMN "public"."value_reasons"."is_offered" IS 'False for what the database says by itself.';

COMMENT ON COLUMN "public"."value_sets"."fault" IS 'Why it was not published when it was planned.';

COMMENT ON COLUMN "public"."value_sets"."name" IS 'Null for what was published without drafts.';

COMMENT ON COLUMN "public"."value_sets"."planned_for" IS 'When the server publishes it by itself.';

COMMENT ON FUNCTION "public"."approve_proposals"(bigint[], text) IS 'Approves what other editors proposed; what is in no set is published.';

COMMENT ON FUNCTION "public"."create_value_set"(text) IS 'Begins a set of drafts.';

COMMENT ON FUNCTION "public"."discard_value_set"(uuid) IS 'Throws away a set that was not published.';

COMMENT ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text) IS 'Puts values into a set, to be published with it.';

COMMENT ON FUNCTION "public"."list_editor_days"(timestamp with time zone) IS 'What each editor did since a moment; for editors.';

COMMENT ON FUNCTION "public"."list_editor_names"() IS 'Names of those who work on values; for editors.';

COMMENT ON FUNCTION "public"."list_value_changes"(uuid) IS 'The changes of an item''s values with who made them; for editors.';

COMMENT ON FUNCTION "public"."list_value_ranges"(uuid[]) IS 'What each value may be off by, and how sure that is; of all items, or of those named.';

COMMENT ON FUNCTION "public"."list_work"(integer) IS 'What editors look at first, with why; counts of trades, never whose.';

COMMENT ON FUNCTION "public"."measure_accuracy"(integer) IS 'How far values of so many days ago were from the confirmed trades since.';

COMMENT ON FUNCTION "public"."plan_value_set"(uuid, timestamp with time zone) IS 'Has a set published at a time; null takes the plan back.';

COMMENT ON FUNCTION "public"."publish_value_set"(uuid) IS 'Publishes a set, or gives how many of its values wait for a second person.';

COMMENT ON FUNCTION "public"."publish_values"(jsonb, text, text, text) IS 'Publishes values; large changes, dear items and those of new editors wait for a second person.';

COMMENT ON FUNCTION "public"."reject_proposals"(bigint[], text) IS 'Rejects what other editors proposed, with a note to them.';

COMMENT ON FUNCTION "public"."roll_back_value_set"(uuid, text) IS 'Takes back all that a set, or one call of publish_values, published.';

COMMENT ON FUNCTION "public"."withdraw_proposals"(bigint[]) IS 'Takes back one''s own proposals that are not published.';

COMMENT ON TABLE "private"."confirmed_values" IS 'What an item came to in a confirmed trade.';

COMMENT ON TABLE "private"."paces" IS 'When each person did something the last few times, at most as often as one may within its span.';

COMMENT ON TABLE "public"."editor_notices" IS 'What editors, moderators and admins should hear of.';

COMMENT ON TABLE "public"."game_update_items" IS 'Which items an update of the game touched.';

COMMENT ON TABLE "public"."game_updates" IS 'Updates of the game, and until when the values of what they touched are unsettled.';

COMMENT ON TABLE "public"."item_demand_changes" IS 'Every change of an item''s demand or status, oldest first by id.';

COMMENT ON TABLE "public"."status_words" IS 'The words for how an item goes, in the order in which they are offered.';

COMMENT ON TABLE "public"."user_roles" IS 'Roles beyond that of a signed-in person: admin, editor, moderator.';

COMMENT ON TABLE "public"."value_proposals" IS 'Values that somebody wants published, and what became of them.';

COMMENT ON TABLE "public"."value_reasons" IS 'Why values change, in the order in which editors are offered it.';

COMMENT ON TABLE "public"."value_sets" IS 'Values that are published and taken back together.';

COMMENT ON TABLE "public"."work_skips" IS 'Which items an editor left for later, and when.';

REVOKE ALL ON FUNCTION "private"."add_proposal"(uuid, record, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_item_traders"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."editing_role"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_editor_news"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_wait"(uuid, public.items, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."first_value_of_day"(uuid, public.items, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_new_editor"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."leave_deleted_updates"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_proposals"(bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_set"(uuid, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_editor_news"(boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."publish_planned_sets"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."publish_set"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_cells"(jsonb, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_demand"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_editor"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_second_person"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."submit_set"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_editor_notices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."write_proposal"(bigint, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."approve_proposals"(bigint[], text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."approve_proposals"(bigint[], text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."approve_proposals"(bigint[], text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."approve_proposals"(bigint[], text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."create_value_set"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."create_value_set"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."create_value_set"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."create_value_set"(text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."discard_value_set"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."discard_value_set"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."discard_value_set"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."discard_value_set"(uuid) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_editor_days"(timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_editor_days"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_editor_days"(timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_editor_days"(timestamp WITH time zone) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_editor_names"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_editor_names"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_editor_names"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_editor_names"() TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_value_changes"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "service_role";

REVOKE ALL ON FUNCTION "public"."list_value_ranges"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_value_ranges"(uuid[]) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."list_value_ranges"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_ranges"(uuid[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_ranges"(uuid[]) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_work"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_work"(integer) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) TO "service_role";

REVOKE ALL ON FUNCTION "public"."measure_accuracy"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."measure_accuracy"(integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."measure_accuracy"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."measure_accuracy"(integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."measure_accuracy"(integer) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."plan_value_set"(uuid, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."plan_value_set"(uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."plan_value_set"(uuid, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."plan_value_set"(uuid, timestamp WITH time zone) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."publish_value_set"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."publish_value_set"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."publish_value_set"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."publish_value_set"(uuid) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."publish_values"(jsonb, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."publish_values"(jsonb, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."publish_values"(jsonb, text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."publish_values"(jsonb, text, text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."reject_proposals"(bigint[], text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reject_proposals"(bigint[], text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."reject_proposals"(bigint[], text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."reject_proposals"(bigint[], text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."roll_back_value_set"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."roll_back_value_set"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."roll_back_value_set"(uuid, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."roll_back_value_set"(uuid, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."withdraw_proposals"(bigint[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."withdraw_proposals"(bigint[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."withdraw_proposals"(bigint[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."withdraw_proposals"(bigint[]) TO "service_role";

REVOKE ALL ON SEQUENCE "public"."editor_notices_id_seq" FROM "anon";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."editor_notices_id_seq" TO "anon";

REVOKE ALL ON SEQUENCE "public"."editor_notices_id_seq" FROM "authenticated";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."editor_notices_id_seq" TO "authenticated";

REVOKE ALL ON SEQUENCE "public"."editor_notices_id_seq" FROM "postgres";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."editor_notices_id_seq" TO "postgres";

REVOKE ALL ON SEQUENCE "public"."editor_notices_id_seq" FROM "service_role";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."editor_notices_id_seq" TO "service_role";

REVOKE ALL ON SEQUENCE "public"."item_demand_changes_id_seq" FROM "anon";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."item_demand_changes_id_seq" TO "anon";

REVOKE ALL ON SEQUENCE "public"."item_demand_changes_id_seq" FROM "authenticated";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."item_demand_changes_id_seq" TO "authenticated";

REVOKE ALL ON SEQUENCE "public"."item_demand_changes_id_seq" FROM "postgres";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."item_demand_changes_id_seq" TO "postgres";

REVOKE ALL ON SEQUENCE "public"."item_demand_changes_id_seq" FROM "service_role";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."item_demand_changes_id_seq" TO "service_role";

REVOKE ALL ON SEQUENCE "public"."value_proposals_id_seq" FROM "anon";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."value_proposals_id_seq" TO "anon";

REVOKE ALL ON SEQUENCE "public"."value_proposals_id_seq" FROM "authenticated";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."value_proposals_id_seq" TO "authenticated";

REVOKE ALL ON SEQUENCE "public"."value_proposals_id_seq" FROM "postgres";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."value_proposals_id_seq" TO "postgres";

REVOKE ALL ON SEQUENCE "public"."value_proposals_id_seq" FROM "service_role";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."value_proposals_id_seq" TO "service_role";

REVOKE ALL ON TABLE "public"."editor_notices" FROM "authenticated";

REVOKE ALL ("count") ON TABLE "public"."editor_notices" FROM "authenticated";

GRANT SELECT ("count") ON TABLE "public"."editor_notices" TO "authenticated";

REVOKE ALL ("created_at") ON TABLE "public"."editor_notices" FROM "authenticated";

GRANT SELECT ("created_at") ON TABLE "public"."editor_notices" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."editor_notices" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."editor_notices" TO "authenticated";

REVOKE ALL ("items") ON TABLE "public"."editor_notices" FROM "authenticated";

GRANT SELECT ("items") ON TABLE "public"."editor_notices" TO "authenticated";

REVOKE ALL ("kind") ON TABLE "public"."editor_notices" FROM "authenticated";

GRANT SELECT ("kind") ON TABLE "public"."editor_notices" TO "authenticated";

REVOKE ALL ON TABLE "public"."editor_notices" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."editor_notices" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."editor_notices" TO "service_role";

REVOKE ALL ON TABLE "public"."game_update_items" FROM "anon";

GRANT SELECT ON TABLE "public"."game_update_items" TO "anon";

REVOKE ALL ON TABLE "public"."game_update_items" FROM "authenticated";

REVOKE ALL ("item_id") ON TABLE "public"."game_update_items" FROM "authenticated";

GRANT INSERT ("item_id") ON TABLE "public"."game_update_items" TO "authenticated";

REVOKE ALL ("update_id") ON TABLE "public"."game_update_items" FROM "authenticated";

GRANT INSERT ("update_id") ON TABLE "public"."game_update_items" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."game_update_items" TO "authenticated";

REVOKE ALL ON TABLE "public"."game_update_items" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."game_update_items" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."game_update_items" TO "service_role";

REVOKE ALL ON TABLE "public"."game_updates" FROM "anon";

GRANT SELECT ON TABLE "public"."game_updates" TO "anon";

REVOKE ALL ON TABLE "public"."game_updates" FROM "authenticated";

REVOKE ALL ("happened_at") ON TABLE "public"."game_updates" FROM "authenticated";

GRANT INSERT ("happened_at"), UPDATE ("happened_at") ON TABLE "public"."game_updates" TO "authenticated";

REVOKE ALL ("name") ON TABLE "public"."game_updates" FROM "authenticated";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "public"."game_updates" TO "authenticated";

REVOKE ALL ("volatile_until") ON TABLE "public"."game_updates" FROM "authenticated";

GRANT INSERT ("volatile_until"), UPDATE ("volatile_until") ON TABLE "public"."game_updates" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."game_updates" TO "authenticated";

REVOKE ALL ON TABLE "public"."game_updates" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."game_updates" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."game_updates" TO "service_role";

REVOKE ALL ON TABLE "public"."item_demand_changes" FROM "anon";

REVOKE ALL ("changed_at") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("changed_at") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("id") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("id") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("item_id") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("item_id") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("kind") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("kind") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("new_word") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("new_word") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("old_word") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("old_word") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("reason") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("reason") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ON TABLE "public"."item_demand_changes" FROM "authenticated";

REVOKE ALL ("changed_at") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("changed_at") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("item_id") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("item_id") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("kind") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("kind") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("new_word") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("new_word") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("old_word") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("old_word") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("reason") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("reason") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ON TABLE "public"."item_demand_changes" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."item_demand_changes" TO "postgres";

REVOKE ALL ON TABLE "public"."item_demand_changes" FROM "service_role";

GRANT SELECT ON TABLE "public"."item_demand_changes" TO "service_role";

REVOKE ALL ("changed_as") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("changed_as") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("evidence_url") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("evidence_url") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("is_seconded") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("is_seconded") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("reason_code") ON TABLE "public"."item_value_changes" FROM "anon";

GRANT SELECT ("reason_code") ON TABLE "public"."item_value_changes" TO "anon";

REVOKE ALL ("changed_as") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("changed_as") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("evidence_url") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("evidence_url") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("is_seconded") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("is_seconded") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("old_high") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("old_high") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("old_low") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("old_low") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("reason_code") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("reason_code") ON TABLE "public"."item_value_changes" TO "authenticated";

REVOKE ALL ("current_high") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("current_high"), UPDATE ("current_high") ON TABLE "public"."items" TO "authenticated";

REVOKE ALL ("current_low") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("current_low"), UPDATE ("current_low") ON TABLE "public"."items" TO "authenticated";

REVOKE ALL ("permanent_high") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("permanent_high"), UPDATE ("permanent_high") ON TABLE "public"."items" TO "authenticated";

REVOKE ALL ("permanent_low") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("permanent_low"), UPDATE ("permanent_low") ON TABLE "public"."items" TO "authenticated";

REVOKE ALL ("status") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("status"), UPDATE ("status") ON TABLE "public"."items" TO "authenticated";

REVOKE ALL ON TABLE "public"."status_words" FROM "anon";

GRANT SELECT ON TABLE "public"."status_words" TO "anon";

REVOKE ALL ON TABLE "public"."status_words" FROM "authenticated";

REVOKE ALL ("place") ON TABLE "public"."status_words" FROM "authenticated";

GRANT INSERT ("place"), UPDATE ("place") ON TABLE "public"."status_words" TO "authenticated";

REVOKE ALL ("word") ON TABLE "public"."status_words" FROM "authenticated";

GRANT INSERT ("word"), UPDATE ("word") ON TABLE "public"."status_words" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."status_words" TO "authenticated";

REVOKE ALL ON TABLE "public"."status_words" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."status_words" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."status_words" TO "service_role";

REVOKE ALL ON TABLE "public"."value_proposals" FROM "authenticated";

GRANT SELECT ON TABLE "public"."value_proposals" TO "authenticated";

REVOKE ALL ON TABLE "public"."value_proposals" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."value_proposals" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."value_proposals" TO "service_role";

REVOKE ALL ON TABLE "public"."value_reasons" FROM "anon";

GRANT SELECT ON TABLE "public"."value_reasons" TO "anon";

REVOKE ALL ON TABLE "public"."value_reasons" FROM "authenticated";

GRANT SELECT ON TABLE "public"."value_reasons" TO "authenticated";

REVOKE ALL ON TABLE "public"."value_reasons" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."value_reasons" TO "postgres";

REVOKE ALL ON TABLE "public"."value_reasons" FROM "service_role";

GRANT INSERT, SELECT, UPDATE ON TABLE "public"."value_reasons" TO "service_role";

REVOKE ALL ON TABLE "public"."value_sets" FROM "authenticated";

GRANT SELECT ON TABLE "public"."value_sets" TO "authenticated";

REVOKE ALL ON TABLE "public"."value_sets" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."value_sets" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."value_sets" TO "service_role";

REVOKE ALL ON TABLE "public"."work_skips" FROM "authenticated";

REVOKE ALL ("item_id") ON TABLE "public"."work_skips" FROM "authenticated";

GRANT INSERT ("item_id") ON TABLE "public"."work_skips" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."work_skips" TO "authenticated";

REVOKE ALL ON TABLE "public"."work_skips" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."work_skips" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."work_skips" TO "service_role";

ALTER TABLE "public"."value_proposals"
  ADD CONSTRAINT "value_proposals_decided_by_fkey" FOREIGN KEY (decided_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."value_proposals"
  ADD CONSTRAINT "value_proposals_proposed_by_fkey" FOREIGN KEY (proposed_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."value_proposals"
  ADD CONSTRAINT "value_proposals_reason_code_fkey" FOREIGN KEY (reason_code) REFERENCES public.value_reasons(code) ON DELETE RESTRICT;

CREATE INDEX value_proposals_decided_by_idx ON public.value_proposals USING btree (decided_by);

CREATE INDEX value_proposals_proposed_by_idx ON public.value_proposals USING btree (proposed_by, published_at);

CREATE INDEX value_proposals_reason_code_idx ON public.value_proposals USING btree (reason_code);

CREATE UNIQUE INDEX value_proposals_set_id_item_id_field_key ON public.value_proposals USING btree (set_id, item_id, field)
  WHERE (state = ANY (ARRAY['draft'::text, 'waiting'::text, 'approved'::text]));

CREATE INDEX value_proposals_state_idx ON public.value_proposals USING btree (state, id);

CREATE POLICY "People see their own proposals, editors all" ON "public"."value_proposals"
  FOR SELECT
  TO "authenticated"
  USING (((proposed_by = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_editor() AS is_editor)));

COMMENT ON COLUMN "public"."value_proposals"."after" IS 'What publishing left there.';

COMMENT ON COLUMN "public"."value_proposals"."before" IS 'What the item had in the columns that were written, to take it back.';

COMMENT ON COLUMN "public"."value_proposals"."why" IS 'Why it waits, or waited, for a second person.';

ALTER TABLE "public"."work_skips"
  ADD CONSTRAINT "work_skips_editor_id_fkey" FOREIGN KEY (editor_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE POLICY "Editors leave items for later in their own name" ON "public"."work_skips"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((editor_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors see what they left for later" ON "public"."work_skips"
  FOR SELECT
  TO "authenticated"
  USING (((editor_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors take back what they left" ON "public"."work_skips"
  FOR DELETE
  TO "authenticated"
  USING (((editor_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

REVOKE ALL ("editor_id") ON TABLE "public"."work_skips" FROM "authenticated";

GRANT INSERT ("editor_id") ON TABLE "public"."work_skips" TO "authenticated";

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_current_value_is_within_its_range" CHECK (private.is_within(current_value, current_low, current_high));

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_permanent_value_is_within_its_range" CHECK (private.is_within(permanent_value, permanent_low, permanent_high));

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
values ('item-images', 'item-images', true, 5242880, '{image/jpeg,image/png,image/webp,image/gif}')
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types
where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
  is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types);

-- Pictures of people that a moderator allowed: whoever has a picture's address sees it. The name of a picture says nothing:
-- it is made anew for each, so that no cache shows the old one. Those that wait are seen by their owner and moderators.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('avatars', 'avatars', true, 1048576, '{image/jpeg,image/png,image/webp}'),
  ('avatar-uploads', 'avatar-uploads', false, 1048576, '{image/jpeg,image/png,image/webp}')
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
