-- Sets: the values of one update day under a name, published and rolled back together; publishing can be scheduled.

-- Locks and returns a set that is in one of these states.
create function private.lock_set(set_id uuid, states text[]) returns public.value_sets
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
revoke execute on function private.lock_set(uuid, text[]) from public;

-- A repeat with the same id, as after a lost answer, creates no second set.
create function public.create_value_set(name text, id uuid default gen_random_uuid()) returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.require_editor();
      if nullif(private.trim_text(create_value_set.name), '') is null then
        raise exception using errcode = 'check_violation', message = 'Name is required', hint = 'name';
      end if;
      insert into public.value_sets (id, name, created_by)
      values (create_value_set.id, private.trim_text(create_value_set.name), (select auth.uid()))
      on conflict on constraint value_sets_pkey do nothing;
      return create_value_set.id;
    end
  $$;
comment on function public.create_value_set is 'Creates a set of drafts.';
revoke execute on function public.create_value_set(text, uuid) from public, anon;
grant execute on function public.create_value_set(text, uuid) to authenticated;

-- Adds values to a set as drafts; takes the same cells as public.publish_values. Outcomes: drafted,
-- changed_meanwhile, refused (why: the message for its field).
create function public.draft_values(
  set_id uuid, cells jsonb, reason_code text, note text, evidence_url text default null, picture text default null
)
  returns table (item_id uuid, field text, outcome text, why text)
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
comment on function public.draft_values is 'Adds values to a set, to be published with it.';
revoke execute on function public.draft_values(uuid, jsonb, text, text, text, text) from public, anon;
grant execute on function public.draft_values(uuid, jsonb, text, text, text, text) to authenticated;

-- Marks those values of a set that now need a second person as waiting, and returns how many wait.
create function private.submit_set(set_id uuid) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
    #variable_conflict use_column
    begin
      perform from public.items
        where id in (select item_id from public.value_proposals as held where held.set_id = submit_set.set_id)
        order by id for update;
      update public.value_proposals as held
        set why = private.find_review_reason(held.proposed_by, items, held.field, held.new_value)
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
  $$;
revoke execute on function private.submit_set(uuid) from public;

-- Publishes a whole set or nothing.
create function private.publish_set(set_id uuid, person uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    #variable_conflict use_column
    declare
      changed text[] := '{}';
      proposal record;
      count integer := 0;
    begin
      for proposal in
        select held.id, items.name from public.value_proposals as held join public.items on items.id = held.item_id
        where held.set_id = publish_set.set_id and held.state = 'approved'
        order by private.write_order(held.field, held.old_value, held.new_value), held.id
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
  $$;
revoke execute on function private.publish_set(uuid, uuid) from public;

-- Publishes a set in one transaction, unless some of its values wait for a second person: then it publishes nothing
-- and returns how many wait.
create function public.publish_value_set(set_id uuid) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
comment on function public.publish_value_set is 'Publishes a set, or returns how many of its values wait for a second person.';
revoke execute on function public.publish_value_set(uuid) from public, anon;
grant execute on function public.publish_value_set(uuid) to authenticated;

-- Schedules a set for publication by the server; null cancels the schedule. Returns how many of its values wait for a
-- second person: the set is not published while any does, even past its time.
create function public.plan_value_set(set_id uuid, planned_for timestamptz) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
comment on function public.plan_value_set is 'Schedules a set; null cancels the schedule.';
revoke execute on function public.plan_value_set(uuid, timestamptz) from public, anon;
grant execute on function public.plan_value_set(uuid, timestamptz) to authenticated;

-- For the server: publishes the sets that are due, each once no matter how many processes call this. A set that
-- cannot be published becomes a draft again, with the reason; a fault that is not the set's own is raised if nothing
-- could be published. Returns how many were published.
create function private.publish_planned_sets() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      due record;
      done integer := 0;
      code text;
      fault text;
    begin
      -- The items of all due sets at once, since set by set they would not be locked in the order of every other writer.
      perform from public.items
        where id in (
          select item_id from public.value_proposals as held join public.value_sets as due_set on due_set.id = held.set_id
          where due_set.state = 'submitted' and due_set.planned_for <= now()
        )
        order by id for update;
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
          when operator_intervention then
            raise;
          -- Deadlocks, lock timeouts, a full disk and the like are not the set's fault: the next call tries again.
          when transaction_rollback or object_not_in_prerequisite_state or insufficient_resources
            or system_error or internal_error then
            code := sqlstate;
            fault := sqlerrm;
          when others then
            update public.value_sets set state = 'draft', planned_for = null, fault = left(sqlerrm, 400) where id = due.id;
        end;
      end loop;
      if done = 0 and code is not null then
        raise exception using errcode = code, message = fault;
      end if;
      return done;
    end
  $$;
revoke execute on function private.publish_planned_sets() from public;

-- Rolls back everything that a set published, or nothing if one of its values was changed since. Each value gets back
-- its exact earlier text, as a further change in the ledger. Allowed for admins, and for whoever published the set
-- unless a second person had to approve some of it: moving those values back alone would get around that. Returns the
-- number of values.
create function public.roll_back_value_set(set_id uuid, note text default null) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
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
      elsif not private.is_admin() and exists (
        select from public.value_proposals as held where held.set_id = rolled.id and held.state = 'published' and held.why is not null
      ) then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only admins take back what a second person approved';
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
        order by private.write_order(held.field, held.old_value, held.new_value) desc, held.id desc
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
  $$;
comment on function public.roll_back_value_set is 'Reverts everything that a set, or one call of publish_values, published.';
revoke execute on function public.roll_back_value_set(uuid, text) from public, anon;
grant execute on function public.roll_back_value_set(uuid, text) to authenticated;

-- Discards an unpublished set; allowed for its creator and for admins.
create function public.discard_value_set(set_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
comment on function public.discard_value_set is 'Discards an unpublished set.';
revoke execute on function public.discard_value_set(uuid) from public, anon;
grant execute on function public.discard_value_set(uuid) to authenticated;
