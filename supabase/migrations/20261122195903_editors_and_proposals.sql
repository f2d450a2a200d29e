SET local check_function_bodies = off;

DROP POLICY "Admins add value checks" ON "public"."item_value_checks";

DROP POLICY "Moderators and admins follow what their panels show" ON "realtime"."messages";

ALTER TABLE "public"."user_roles"
  DROP CONSTRAINT "user_roles_role_is_known";

DROP FUNCTION "public"."list_value_changes"(uuid);

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

      insert into public.item_value_changes (
        item_id, mode, old_value, new_value, old_previous_value, new_previous_value, old_checked_at, reason, changed_by,
        reason_code, evidence_url, changed_as, is_seconded
      )
      select old.id, change.*, old.values_checked_at, reason, changed_by,
        context ->> 'reason_code', context ->> 'evidence_url',
        coalesce(context ->> 'changed_as', case when (select private.is_admin()) then 'admin' end),
        coalesce((context ->> 'is_seconded')::boolean, false)
      from (
        select 'regular', old.current_value, new.current_value, old.previous_value, new.previous_value
        where regular_changed
        union all
        select 'permanent', old.permanent_value, new.permanent_value,
          old.permanent_previous_value, new.permanent_previous_value
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
          rarity = before.rarity, demand = before.demand, type = before.type, is_permanent = before.is_permanent,
          current_value = before.current_value, previous_value = before.previous_value,
          permanent_value = before.permanent_value, permanent_previous_value = before.permanent_previous_value,
          beli_price = before.beli_price, robux_price = before.robux_price, custom_fields = before.custom_fields,
          change_reason = restore_item.reason
        where items.id = before.id
        returning items.*;
      perform set_config('private.restored_check', '', true);
      perform set_config('private.change_context', '', true);
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
          change.reason_code, change.evidence_url, change.changed_as, change.is_seconded
        from public.item_value_changes as change
        left join public.profiles as person on person.id = change.changed_by
        where change.item_id = item;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_value_changes"(uuid) FROM PUBLIC, "anon";

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

ALTER TABLE "private"."settings"
  ADD CONSTRAINT "settings_dear_items_is_at_least_0" CHECK ((dear_items >= 0));

ALTER TABLE "private"."settings"
  ADD CONSTRAINT "settings_large_change_percent_is_above_0" CHECK ((large_change_percent > (0)::numeric));

ALTER TABLE "private"."settings"
  ADD CONSTRAINT "settings_new_editor_changes_is_at_least_0" CHECK ((new_editor_changes >= 0));

ALTER TABLE "public"."item_value_changes"
  ADD CONSTRAINT "item_value_changes_changed_as_is_known" CHECK ((changed_as = ANY (ARRAY['admin'::text, 'editor'::text])));

ALTER TABLE "public"."item_value_changes"
  ADD CONSTRAINT "item_value_changes_evidence_url_has_at_most_500_characters" CHECK ((char_length(evidence_url) <= 500));

ALTER TABLE "public"."item_value_changes"
  ADD CONSTRAINT "item_value_changes_evidence_url_is_a_secure_address" CHECK ((evidence_url ~ '^https://[^\s<>"]+$'::text));

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

CREATE INDEX item_value_changes_reason_code_idx ON public.item_value_changes USING btree (reason_code);

CREATE INDEX value_proposals_item_id_idx ON public.value_proposals USING btree (item_id);

CREATE INDEX value_proposals_set_id_idx ON public.value_proposals USING btree (set_id);

CREATE INDEX value_sets_created_at_idx ON public.value_sets USING btree (created_at);

CREATE INDEX value_sets_created_by_idx ON public.value_sets USING btree (created_by);

CREATE INDEX value_sets_planned_for_idx ON public.value_sets USING btree (planned_for)
  WHERE (state = 'submitted'::text);

CREATE INDEX value_sets_published_by_idx ON public.value_sets USING btree (published_by);

CREATE INDEX value_sets_rolled_back_by_idx ON public.value_sets USING btree (rolled_back_by);

CREATE TRIGGER value_proposals_keep_proposal
  BEFORE UPDATE ON public.value_proposals
  FOR EACH ROW
  EXECUTE FUNCTION private.keep_proposal();

CREATE POLICY "Editors add value checks" ON "public"."item_value_checks"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_editor() AS is_editor));

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

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."value_proposals";

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."value_sets";

COMMENT ON COLUMN "private"."settings"."dear_items" IS 'Changes of so many of the dearest items wait for a second person.';

COMMENT ON COLUMN "private"."settings"."large_change_percent" IS 'A change of a value by more than this waits for a second person.';

COMMENT ON COLUMN "private"."settings"."new_editor_changes" IS 'Changes of an editor of whom fewer were published wait for a second person.';

COMMENT ON COLUMN "public"."item_value_changes"."changed_as" IS 'The role of whoever changed it; null for readings of others and for servers.';

COMMENT ON COLUMN "public"."item_value_changes"."is_seconded" IS 'Whether a second person looked at it before it was published.';

COMMENT ON COLUMN "public"."value_reasons"."is_offered" IS 'False for what the database says by itself.';

COMMENT ON COLUMN "public"."value_sets"."fault" IS 'Why it was not published when it was planned.';

COMMENT ON COLUMN "public"."value_sets"."name" IS 'Null for what was published without drafts.';

COMMENT ON COLUMN "public"."value_sets"."planned_for" IS 'When the server publishes it by itself.';

COMMENT ON FUNCTION "public"."approve_proposals"(bigint[], text) IS 'Approves what other editors proposed; what is in no set is published.';

COMMENT ON FUNCTION "public"."create_value_set"(text) IS 'Begins a set of drafts.';

COMMENT ON FUNCTION "public"."discard_value_set"(uuid) IS 'Throws away a set that was not published.';

COMMENT ON FUNCTION "public"."draft_values"(uuid, jsonb, text, text, text) IS 'Puts values into a set, to be published with it.';

COMMENT ON FUNCTION "public"."list_value_changes"(uuid) IS 'The changes of an item''s values with who made them; for editors.';

COMMENT ON FUNCTION "public"."plan_value_set"(uuid, timestamp with time zone) IS 'Has a set published at a time; null takes the plan back.';

COMMENT ON FUNCTION "public"."publish_value_set"(uuid) IS 'Publishes a set, or gives how many of its values wait for a second person.';

COMMENT ON FUNCTION "public"."publish_values"(jsonb, text, text, text) IS 'Publishes values; large changes, dear items and those of new editors wait for a second person.';

COMMENT ON FUNCTION "public"."reject_proposals"(bigint[], text) IS 'Rejects what other editors proposed, with a note to them.';

COMMENT ON FUNCTION "public"."roll_back_value_set"(uuid, text) IS 'Takes back all that a set, or one call of publish_values, published.';

COMMENT ON FUNCTION "public"."withdraw_proposals"(bigint[]) IS 'Takes back one''s own proposals that are not published.';

COMMENT ON TABLE "public"."user_roles" IS 'Roles beyond that of a signed-in person: admin, editor, moderator.';

COMMENT ON TABLE "public"."value_proposals" IS 'Values that somebody wants published, and what became of them.';

COMMENT ON TABLE "public"."value_reasons" IS 'Why values change, in the order in which editors are offered it.';

COMMENT ON TABLE "public"."value_sets" IS 'Values that are published and taken back together.';

REVOKE ALL ON FUNCTION "private"."add_proposal"(uuid, record, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."editing_role"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_wait"(uuid, public.items, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."first_value_of_day"(uuid, public.items, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_new_editor"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_proposals"(bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_set"(uuid, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."publish_planned_sets"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."publish_set"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_cells"(jsonb, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_editor"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_second_person"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."submit_set"(uuid) FROM PUBLIC;

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

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_value_changes"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "service_role";

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

REVOKE ALL ON SEQUENCE "public"."value_proposals_id_seq" FROM "anon";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."value_proposals_id_seq" TO "anon";

REVOKE ALL ON SEQUENCE "public"."value_proposals_id_seq" FROM "authenticated";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."value_proposals_id_seq" TO "authenticated";

REVOKE ALL ON SEQUENCE "public"."value_proposals_id_seq" FROM "postgres";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."value_proposals_id_seq" TO "postgres";

REVOKE ALL ON SEQUENCE "public"."value_proposals_id_seq" FROM "service_role";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."value_proposals_id_seq" TO "service_role";

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

REVOKE ALL ("reason_code") ON TABLE "public"."item_value_changes" FROM "authenticated";

GRANT SELECT ("reason_code") ON TABLE "public"."item_value_changes" TO "authenticated";

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
