SET local check_function_bodies = off;

ALTER TABLE "public"."value_proposals"
  DROP CONSTRAINT "value_proposals_field_is_known";

DROP FUNCTION "public"."approve_proposals"(bigint[], text);

DROP FUNCTION "public"."reject_proposals"(bigint[], text);

CREATE OR REPLACE FUNCTION private.describe_broken (
  rule text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
    select case when rule like '%\_is\_within\_its\_range'
      then 'The value would not lie between its lowest and highest' else 'The database refused it' end
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
    begin
      select * into wanted from public.value_proposals where id = proposal_id for update;
      select * into item from public.items where id = wanted.item_id for update;
      if not private.is_still_there(wanted) then
        return false;
      end if;
      earlier := to_jsonb(item);
      perform set_config('private.change_context', jsonb_build_object(
        'changed_by', wanted.proposed_by, 'changed_as', wanted.proposed_as, 'reason_code', wanted.reason_code,
        'evidence_url', wanted.evidence_url, 'is_seconded', wanted.decided_by is not null
      )::text, true);
      execute format('update public.items set %I = $1, change_reason = $2 where id = $3 returning *', wanted.field)
        into item using wanted.new_value, nullif(wanted.note, ''), wanted.item_id;
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
      broken text;
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
            when check_violation then
              get stacked diagnostics broken = constraint_name;
              if broken not like 'items\_%' then
                raise;
              end if;
              outcome := 'refused';
              why := private.describe_broken(broken);
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
      broken text;
    begin
      perform private.require_editor();
      insert into public.value_sets (id, state, created_by, published_at, published_by)
      values (set_of_call, 'published', person, now(), person);
      for cell in
        select * from private.read_cells(
          publish_values.cells, publish_values.reason_code, publish_values.note, publish_values.evidence_url) as held
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
            when check_violation then
              get stacked diagnostics broken = constraint_name;
              if broken not like 'items\_%' then
                raise;
              end if;
              outcome := 'refused';
              why := private.describe_broken(broken);
          end;
        end if;
        return next;
      end loop;
      delete from public.value_sets as unused where unused.id = set_of_call
        and not exists (select from public.value_proposals as used where used.set_id = set_of_call);
    end
  $function$;

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

ALTER TABLE "public"."value_proposals"
  ADD CONSTRAINT "value_proposals_field_is_known"
    CHECK
    ((field = ANY (ARRAY['current_value'::text, 'permanent_value'::text, 'demand'::text, 'beli_price'::text, 'robux_price'::text, 'current_low'::text, 'current_high'::text,
    'permanent_low'::text, 'permanent_high'::text])));

COMMENT ON FUNCTION "public"."approve_proposals"(bigint[], text) IS 'Approves what other editors proposed; what is in no set is published.';

COMMENT ON FUNCTION "public"."reject_proposals"(bigint[], text) IS 'Rejects what other editors proposed, with a note to them.';

REVOKE ALL ON FUNCTION "private"."is_still_there"(public.value_proposals) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."approve_proposals"(bigint[], text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."approve_proposals"(bigint[], text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."approve_proposals"(bigint[], text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."approve_proposals"(bigint[], text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."reject_proposals"(bigint[], text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reject_proposals"(bigint[], text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."reject_proposals"(bigint[], text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."reject_proposals"(bigint[], text) TO "service_role";
