-- Publishing values as an editor: one call, one transaction; changes that need a second person are held for review.

create function private.require_editor() returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
    begin
      if not private.is_editor() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only editors and admins publish values';
      end if;
    end
  $$;
revoke execute on function private.require_editor() from public;

-- The role in which a user changes values; null for users without one.
create function private.editing_role(person uuid) returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select min(role) from public.user_roles where user_id = person and role in ('admin', 'editor')
  $$;
revoke execute on function private.editing_role(uuid) from public;

-- Editors with few published changes so far, and former editors. Admins are never new: the operator chose them.
create function private.is_new_editor(person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select case private.editing_role(person)
      when 'admin' then false
      when 'editor' then (
        select count(*) from public.value_proposals where proposed_by = person and state = 'published'
      ) < (select new_editor_changes from private.settings)
      else true
    end
  $$;
revoke execute on function private.is_new_editor(uuid) from public;

-- Whether a value changes by more than the given percentage. A change from unpriced or from 0 has no percentage and
-- counts as large, as does becoming unpriced.
create function private.is_large_change(old_value text, new_value text, percent numeric) returns boolean
  language sql immutable
  set search_path = ''
  as $$
    select case
      when old_number is not distinct from new_number then false
      else coalesce(abs(new_number - old_number) > percent / 100 * nullif(old_number, 0), true)
    end
    from (select private.parse_value_text(old_value), private.parse_value_text(new_value)) as numbers (old_number, new_number)
  $$;

-- The value before the user's changes of the last day: several small steps by one user count as one large change
-- until somebody else reviews or changes the value.
create function private.first_value_of_day(person uuid, item public.items, field text) returns text
  language sql stable security definer
  set search_path = ''
  as $$
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
  $$;
revoke execute on function private.first_value_of_day(uuid, public.items, text) from public;

-- Whether a field is a bound of an editor's range.
create function private.is_range(field text) returns boolean
  language sql immutable
  set search_path = ''
  as $$
    select field in ('current_low', 'current_high', 'permanent_low', 'permanent_high')
  $$;

-- The order in which changes of one item are written: a range is widened before its value changes and narrowed
-- afterwards, so that the value lies within it at every step.
create function private.write_order(field text, old_value text, new_value text) returns integer
  language sql immutable
  set search_path = ''
  as $$
    select case
      when not private.is_range(field) then 2
      when new_value is null then 1
      when old_number is null then 3
      when (new_number < old_number) = (field like '%\_low') then 1
      else 3
    end
    from (select private.parse_value_text(old_value), private.parse_value_text(new_value)) as numbers (old_number, new_number)
  $$;

-- Why a change must wait for a second person; null if it need not. A range's width does not count as a change of the
-- value. An admin's change waits only if it is large, and never if there is nobody else to review it.
create function private.find_review_reason(person uuid, item public.items, field text, new_value text) returns text
  language plpgsql stable security definer
  set search_path = ''
  as $$
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
  $$;
revoke execute on function private.find_review_reason(uuid, public.items, text, text) from public;

-- The error message for an invalid value, worded as in the item form; null if it is valid.
create function private.find_value_fault(field text, value text) returns text
  language sql immutable
  set search_path = ''
  as $$
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
  $$;

-- Refuses the whole call if its reason, note or evidence is invalid.
create function private.require_reasons(code text, note text, evidence_url text) returns void
  language plpgsql stable
  set search_path = ''
  as $$
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
  $$;

-- The call's cells, trimmed, each with its reason, note and evidence, and with any fault found so far. Locks their
-- items in a consistent order. A cell's own reason_code, note and evidence_url override those of the call.
create function private.read_cells(cells jsonb, reason_code text, note text, evidence_url text, picture text)
  returns table (
    place bigint, item_id uuid, field text, new_value text, old_value text, reason_code_of text, note_of text,
    evidence_url_of text, picture_of text, outcome text, fault text
  )
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
revoke execute on function private.read_cells(jsonb, text, text, text, text) from public;

-- Whether the item still has the value that the proposer saw. A range that was cleared along with its value (see
-- private.follow_item) is not a conflict.
create function private.is_proposal_current(proposal public.value_proposals) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select there is not distinct from (proposal).old_value or private.is_range((proposal).field) and there is null
    from (
      select nullif(to_jsonb(items) ->> (proposal).field, '') from public.items where id = (proposal).item_id
    ) as held (there)
  $$;
revoke execute on function private.is_proposal_current(public.value_proposals) from public;

-- Writes a proposal to its item in the proposer's name. Returns false if the item no longer has the value that was
-- reviewed. A violated constraint of items is reported in one sentence, as PT422. The caller must have locked the
-- item and enforced the rule of the second person.
create function private.write_proposal(proposal_id bigint, into_set uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
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
      if not private.is_proposal_current(wanted) then
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
      -- private.follow_item clears a range that does not contain the new value.
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
  $$;
revoke execute on function private.write_proposal(bigint, uuid) from public;

-- Inserts a cell as a proposal. The user's earlier undecided proposal for the same value is withdrawn.
create function private.add_proposal(into_set uuid, cell record, state text, why text) returns bigint
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
revoke execute on function private.add_proposal(uuid, record, text, text) from public;

-- Publishes values, and holds those that need a second person. `cells` is an array of { item_id, field, value, was },
-- each with an optional reason_code, note and evidence_url of its own; `was` is the value that the editor saw. A cell
-- with an unchanged value is a check: the value is still right. Returns the outcome of each:
--   published, waiting (why: large, dear or new_editor), changed_meanwhile (nothing is written for it),
--   refused (why: the message for its field)
-- and the set with which the published values can be rolled back. `picture` is a file that the editor uploaded to the
-- bucket change-uploads under their own id: evidence for all cells, shown once a second person approves it.
create function public.publish_values(
  cells jsonb, reason_code text, note text, evidence_url text default null, picture text default null
)
  returns table (item_id uuid, field text, outcome text, why text, set_id uuid)
  language plpgsql security definer
  set search_path = ''
  as $$
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
        order by private.write_order(held.field, held.old_value, held.new_value), held.place
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
          wait := private.find_review_reason(person, item, cell.field, cell.new_value);
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
  $$;
comment on function public.publish_values is
  'Publishes values; large changes, the most valuable items and changes by new editors wait for a second person.';
revoke execute on function public.publish_values(jsonb, text, text, text, text) from public, anon;
grant execute on function public.publish_values(jsonb, text, text, text, text) to authenticated;
