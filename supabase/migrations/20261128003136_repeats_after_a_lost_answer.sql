SET local check_function_bodies = off;

DROP FUNCTION "public"."create_value_set"(text);

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
  $function$;

CREATE OR REPLACE FUNCTION public.create_value_set (
  name text,
  id   uuid DEFAULT gen_random_uuid()
)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
  $function$;

REVOKE ALL ON FUNCTION "public"."create_value_set"(text, uuid) FROM PUBLIC, "anon";

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
  $function$;

COMMENT ON FUNCTION "public"."create_value_set"(text, uuid) IS 'Creates a set of drafts.';

GRANT EXECUTE ON FUNCTION "public"."create_value_set"(text, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."create_value_set"(text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."create_value_set"(text, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."create_value_set"(text, uuid) TO "service_role";

REVOKE ALL ("id") ON TABLE "public"."case_notes" FROM "authenticated";

GRANT INSERT ("id") ON TABLE "public"."case_notes" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."sanctions" FROM "authenticated";

GRANT INSERT ("id"), SELECT ("id") ON TABLE "public"."sanctions" TO "authenticated";
