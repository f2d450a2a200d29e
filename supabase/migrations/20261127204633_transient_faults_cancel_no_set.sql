SET local check_function_bodies = off;

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
          -- Deadlocks, lock timeouts, a full disk and the like are not the set's fault: the next call tries again.
          when transaction_rollback or object_not_in_prerequisite_state or insufficient_resources
            or operator_intervention or system_error or internal_error then
            raise;
          when others then
            update public.value_sets set state = 'draft', planned_for = null, fault = left(sqlerrm, 400) where id = due.id;
        end;
      end loop;
      return done;
    end
  $function$;
