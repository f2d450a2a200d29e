SET local check_function_bodies = off;

DROP FUNCTION "private"."find_ban"(uuid);

DROP FUNCTION "private"."set_ban"(uuid, timestamp WITH time zone);

CREATE OR REPLACE FUNCTION private.apply_sanction (
  sanction public.sanctions
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := sanction.user_id;
      removed text;
    begin
      case sanction.kind
        when 'message' then
          delete from public.chat_messages where id = sanction.subject_id and user_id = person
            returning message into removed;
        when 'rename' then
          select username into removed from public.profiles where id = person;
          perform private.rename_person(person, private.generate_username(''));
        when 'picture' then
          select substring(avatar_url from '/avatars/(.+)$') into removed from public.profiles where id = person;
          update public.profiles set avatar_url = null where id = person;
        when 'comment' then
          select case person when rater_id then comment when rated_user_id then answer end into removed
            from public.user_ratings where id = sanction.subject_id;
          update public.user_ratings
            set comment = case when rater_id <> person then comment end,
              answer = case when rated_user_id <> person then answer end
            where id = sanction.subject_id and person in (rater_id, rated_user_id);
        -- Silences and bans take effect once their row exists.
        else null;
      end case;
      return removed;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.explain_ban (
  event jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      ban public.sanctions;
    begin
      if (event ->> 'valid')::boolean then
        ban := private.find_sanction_in_force((event ->> 'user_id')::uuid, 'ban');
      end if;
      if ban.id is null then
        return '{"decision": "continue"}';
      end if;
      return jsonb_build_object(
        'decision', 'reject',
        'message', format('%s%s To appeal: /appeal?key=%s', private.ban_message(ban),
          case when ban.reason ~ '[.!?]$' then '' else '.' end, ban.appeal_key)
      );
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_sanction_in_force (
  person uuid,
  kind   text
)
  RETURNS public.sanctions
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select * from public.sanctions
    where user_id = person and sanctions.kind = find_sanction_in_force.kind and lifted_at is null and until > now()
    order by until desc limit 1
  $function$;

CREATE OR REPLACE FUNCTION private.lift_silence_sanction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      update public.sanctions set lifted_at = now()
        where user_id = old.user_id and kind = 'silence' and until > now() and lifted_at is null;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.set_ban (
  person uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      until timestamptz;
    begin
      -- Concurrent bans wait here for each other, and the last one sees them all.
      perform from auth.users where id = person for no key update;
      until := (private.find_sanction_in_force(person, 'ban')).until;
      -- The auth service cannot parse infinity, nor years beyond 9999.
      update auth.users set banned_until = case when until is not null then least(until, '9999-01-01') end
        where id = person;
      if until is not null then
        delete from auth.sessions where user_id = person;
      end if;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.settle_silence_or_ban()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.kind = 'ban' then
        perform private.set_ban(new.user_id);
        return null;
      end if;
      if new.lifted_at is not null then
        delete from public.chat_silences where user_id = new.user_id and until = new.until;
      end if;
      insert into public.chat_silences as silence (user_id, until, reason, created_by, created_at)
        select user_id, until, reason, created_by, created_at
        from private.find_sanction_in_force(new.user_id, 'silence') where id is not null
        on conflict (user_id) do update set until = excluded.until, reason = excluded.reason,
          created_by = excluded.created_by, created_at = excluded.created_at
          where silence.until < excluded.until;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.undo_sanction()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant uuid := new.user_id;
    begin
      case new.kind
        when 'rename' then
          if new.done_at is null and not exists (
            select from public.profiles where lower(username) = lower(new.removed)
          ) then
            perform private.rename_person(person, new.removed);
          end if;
        when 'comment' then
          update public.user_ratings set comment = new.removed
            where id = new.subject_id and rater_id = person and comment is null;
          update public.user_ratings set answer = new.removed
            where id = new.subject_id and rated_user_id = person and answer is null;
        else null;
      end case;
      -- Lifted within ten minutes, it was a mistake: reopen the reports. Later, keep them resolved, without action.
      update public.reports
        set resolved_at = case when new.created_at < now() - interval '10 minutes' then resolved_at end,
          outcome = 'nothing'
        where sanction_id = new.id;
      return null;
    end
  $function$;

CREATE TRIGGER sanctions_settle_silence_or_ban
  AFTER INSERT OR UPDATE OF lifted_at ON public.sanctions
  FOR EACH ROW
  WHEN ((new.kind = ANY (ARRAY['silence'::text, 'ban'::text])))
  EXECUTE FUNCTION private.settle_silence_or_ban();

REVOKE ALL ON FUNCTION "private"."find_sanction_in_force"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."set_ban"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_silence_or_ban"() FROM PUBLIC;
