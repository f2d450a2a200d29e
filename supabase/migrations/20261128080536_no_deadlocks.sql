SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.carry_out_sanction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      report_resolved_at timestamptz;
    begin
      perform private.require_right_over(new.user_id);
      new.reason := private.trim_text(new.reason);
      new.created_at := now();
      new.created_by := (select id from public.profiles where id = (select auth.uid()));
      new.counts_until := now() + case new.kind when 'ban' then interval '90 days' else interval '30 days' end;
      new.removed := private.apply_sanction(new);
      -- Two moderators at one case would give two strikes for it: the second one waits for the first, and is refused. Not
      -- before the message is deleted: its author, too, would lock first the message and then the report.
      select resolved_at into report_resolved_at from public.reports where id = new.report_id for update;
      if report_resolved_at is not null then
        raise exception using errcode = 'PT409', message = 'This case was handled in the meantime';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.close_case()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      delete from public.second_opinions where user_id = new.reported_user_id;
      if new.kind = 'picture' and not private.is_evidence(new.evidence) and not exists (
        select from public.profiles where avatar_url = '/storage/v1/object/public/avatars/' || new.evidence
      ) then
        -- Hosted projects refuse to delete a file's row by SQL unless this is set.
        perform set_config('storage.allow_delete_query', 'true', true);
        -- One that is being deleted is passed over: its deletion waits for the profile.
        delete from storage.objects where id in (
          select id from storage.objects where bucket_id = 'avatars' and name = new.evidence for update skip locked
        );
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.forget_parents()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    -- Before the links, as a child that asks again changes them.
    with forgotten as (
      delete from private.parental_consents
      where state = 'asked' and changed_at < now() - interval '14 days' returning child_id
    )
    insert into private.consent_log (child_id, act) select child_id, 'forgotten' from forgotten;
    delete from private.parent_links where expires_at < now();
    delete from private.parent_paces
      where not exists (select from unnest(sent) as at where at > now() - interval '24 hours');
  $function$;

CREATE OR REPLACE FUNCTION private.remove_avatars()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      -- Hosted projects refuse to delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      if tg_op = 'DELETE' then
        delete from storage.objects where id in (
          select id from storage.objects
          where bucket_id in ('avatars', 'avatar-uploads') and starts_with(name, old.id::text || '/')
          for update skip locked
        );
      else
        delete from storage.objects where id in (
          select id from storage.objects
          where bucket_id = 'avatars' and name = substring(old.avatar_url from '/avatars/(.+)$')
            -- Kept as evidence until the report is resolved.
            and not private.is_evidence(name)
          for update skip locked
        );
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.show_allowed_avatar()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := private.owner_of_avatar(new.name);
    begin
      if new.name <> old.name then
        raise exception using errcode = '42501', message = 'A picture is approved under its own name';
      end if;
      update public.profiles set avatar_url = '/storage/v1/object/public/avatars/' || new.name where id = person;
      if not found then
        -- The account was deleted meanwhile, and its deletion passed over this file.
        perform set_config('storage.allow_delete_query', 'true', true);
        delete from storage.objects where id = new.id;
        return null;
      end if;
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'update', 'avatars', person, person);
      return null;
    end
  $function$;

CREATE TRIGGER users_wait_for_turn
  BEFORE DELETE ON auth.users
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.wait_for_turn();

CREATE TRIGGER profiles_wait_for_turn
  BEFORE UPDATE OF username ON public.profiles
  FOR EACH STATEMENT
  WHEN (row_security_active('public.profiles'::text))
  EXECUTE FUNCTION private.wait_for_turn();

CREATE TRIGGER reports_wait_for_turn
  BEFORE UPDATE OF resolved_at ON public.reports
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.wait_for_turn();
