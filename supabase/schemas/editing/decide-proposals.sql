-- Review by a second person of the proposals of others.

-- An approver shares the responsibility for the value, so new editors may not approve.
create function private.require_second_person() returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
    begin
      perform private.require_editor();
      if private.is_new_editor((select auth.uid())) then
        raise exception using
          errcode = 'insufficient_privilege',
          message = 'Your own changes still wait for a second person, so you can''t be one yet';
      end if;
    end
  $$;
revoke execute on function private.require_second_person() from public;

-- Locks the items first and then the proposals, in the same order as every other writer of values.
create function private.lock_proposals(ids bigint[]) returns setof public.value_proposals
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if cardinality(ids) > 5000 then
        raise exception using errcode = 'check_violation', message = 'Between 1 and 5000 values at once';
      end if;
      perform from public.items
        where id in (select item_id from public.value_proposals as wanted where wanted.id = any (ids))
        order by id for update;
      return query select * from public.value_proposals as wanted where wanted.id = any (ids) order by wanted.id for update;
    end
  $$;
revoke execute on function private.lock_proposals(bigint[]) from public;

-- Approves pending proposals, and publishes those in no set at once, all in one transaction. Returns the outcome of
-- each: published, approved (its set publishes it), changed_meanwhile (stays pending), refused (stays pending; `why`
-- is the reason), own (nobody approves their own), decided (already), gone (with its item). A repeat by the same person,
-- as after a lost answer, has the outcome of the first call.
create function public.approve_proposals(ids bigint[], note text default null)
  returns table (id bigint, outcome text, set_id uuid, why text)
  language plpgsql security definer
  set search_path = ''
  as $$
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
        order by private.write_order(held.field, held.old_value, held.new_value), held.id
      loop
        id := proposal.id;
        set_id := proposal.set_id;
        why := null;
        if proposal.decided_by = person and proposal.state in ('approved', 'published') then
          outcome := proposal.state;
        elsif proposal.state <> 'waiting' then
          outcome := 'decided';
        elsif proposal.proposed_by = person then
          outcome := 'own';
        elsif not private.is_proposal_current(proposal) then
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
  $$;
comment on function public.approve_proposals is 'Approves proposals of other editors; those outside a set are published at once.';
revoke execute on function public.approve_proposals(bigint[], text) from public, anon;
grant execute on function public.approve_proposals(bigint[], text) to authenticated;

-- Rejects proposals with a note to their proposers. Returns the outcome of each: rejected, also by an earlier call of the
-- same person, own, decided or gone.
create function public.reject_proposals(ids bigint[], note text) returns table (id bigint, outcome text)
  language plpgsql security definer
  set search_path = ''
  as $$
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
          select asked, there.state, there.proposed_by, there.decided_by
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
            when asked in (select rejected.id from rejected) or state = 'rejected' and decided_by = person then 'rejected'
            when proposed_by = person and state in ('waiting', 'approved') then 'own'
            else 'decided'
          end
        from held order by asked;
    end
  $$;
comment on function public.reject_proposals is 'Rejects proposals of other editors, with a note.';
revoke execute on function public.reject_proposals(bigint[], text) from public, anon;
grant execute on function public.reject_proposals(bigint[], text) to authenticated;

-- Withdraws the caller's own unpublished proposals; former editors may do so too.
create function public.withdraw_proposals(ids bigint[]) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
comment on function public.withdraw_proposals is 'Withdraws the caller''s own unpublished proposals.';
revoke execute on function public.withdraw_proposals(bigint[]) from public, anon;
grant execute on function public.withdraw_proposals(bigint[]) to authenticated;

-- The usernames, listed or not, of editors, admins, and everyone who proposed or decided values or created or
-- published a set. For editors only.
create function public.list_editor_names() returns table (id uuid, username text)
  language plpgsql stable security definer
  set search_path = ''
  as $$
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
  $$;
comment on function public.list_editor_names is 'Names of the people who edit values; for editors.';
revoke execute on function public.list_editor_names() from public, anon;
grant execute on function public.list_editor_names() to authenticated;
