SET local check_function_bodies = off;

DROP TRIGGER "profiles_limit_renames" ON "public"."profiles";

DROP TRIGGER "profiles_settle_forced_name" ON "public"."profiles";

CREATE OR REPLACE FUNCTION private.check_chat_message()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      original text;
      refusal text;
    begin
      -- Only the name of somebody whom it mentions changed.
      if tg_op = 'UPDATE' and private.without_mentions(new.message) = private.without_mentions(old.message) then
        return new;
      end if;
      new.message := private.trim_text(new.message);
      if char_length(new.message) > 1000 then
        raise exception using errcode = 'check_violation', message = 'Message too long (max 1000 characters)';
      end if;
      original := private.tidy_text(new.message);
      -- Invisible characters alone are not a message.
      if private.trim_text(private.plain_text(original)) = '' then
        raise exception using errcode = 'check_violation', message = 'Message cannot be empty';
      end if;
      -- Imports by the owner or a server are not refused, but unknown words are still hidden.
      new.message := left(
        case when row_security_active('public.chat_messages') then private.require_known_text(original)
          else private.show_text(original) end,
        1000
      );
      new := private.stamp_message(new);
      if row_security_active('public.chat_messages') then
        refusal := private.find_harm_in_pieces(new.user_id, original);
        if refusal is not null then
          raise exception using errcode = 'check_violation', message = refusal, constraint = 'safe_text';
        end if;
      end if;
      if new.message <> original then
        perform private.keep_original(new.id, new.user_id, original);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_rating()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if tg_op = 'UPDATE' then
        if (new.rater_id, new.rated_user_id) is distinct from (old.rater_id, old.rated_user_id) then
          raise exception using
            errcode = 'check_violation', message = 'A rating stays with its rater and its trader';
        end if;
        -- Removal by a moderator keeps the date; an edit by the rater clears the answer, which was to the old text.
        if row_security_active('public.user_ratings') then
          new.created_at := now();
          if (new.rating, new.comment) is distinct from (old.rating, old.comment) then
            new.answer := null;
            new.answered_at := null;
          end if;
        end if;
      end if;
      new.comment := nullif(private.trim_text(new.comment), '');
      new.answer := nullif(private.trim_text(new.answer), '');
      -- Longer comments are left to the check constraint.
      if char_length(new.comment) <= 500 and (tg_op = 'INSERT' or new.comment is distinct from old.comment) then
        new.comment := nullif(private.tidy_text(new.comment), '');
        -- In imports by the owner or a server, unknown words are hidden, not refused.
        new.comment := left(
          case when row_security_active('public.user_ratings') then private.require_known_text(new.comment)
            else private.show_text(new.comment) end,
          500
        );
      end if;
      if char_length(new.answer) <= 500 and (tg_op = 'INSERT' or new.answer is distinct from old.answer) then
        new.answer := left(private.show_text(nullif(private.tidy_text(new.answer), '')), 500);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.close_reports()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      update public.reports set resolved_at = now(), outcome = 'acted', sanction_id = new.id
        where reported_user_id = new.user_id and resolved_at is null
          and not private.is_left_to_another_moderator(new.user_id);
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_harm_in_pieces (
  person uuid,
  value  text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      span constant interval := '2 minutes';
      words constant text := private.without_mentions(value);
      pieces text;
      row_of_figures text;
      verdict private.verdict;
    begin
      if char_length(words) > 60 then
        return null;
      end if;
      select string_agg(private.without_mentions(coalesce(original.message, piece.message)), E'\n' order by piece.created_at)
        into pieces
        from (
          (
            select id, message, created_at from public.chat_messages
            where user_id = person and created_at > now() - span and char_length(private.without_mentions(message)) <= 60
            order by created_at desc limit 8
          ) union all (
            select id, message, created_at from public.deleted_chat_messages
            where user_id = person and created_at > now() - span and char_length(private.without_mentions(message)) <= 60
            order by created_at desc limit 8
          )
          order by created_at desc limit 8
        ) as piece
        left join public.chat_originals as original on original.message_id = piece.id;
      if pieces is not null then
        verdict := private.judge_text(pieces || E'\n' || words);
        -- Words hidden in a single message were handled there; this refuses letters that spell a word only together.
        if verdict.refusal is not null or private.holds_spelling(pieces || E'\n' || words) then
          return coalesce(verdict.refusal, 'Please write whole words: words that are spelled letter by letter are not shown');
        end if;
      end if;
      if words ~ '^[^[:alpha:]]*[0-9][^[:alpha:]]*$' then
        select string_agg(message, ' ' order by created_at) into row_of_figures
          from (
            select message, created_at, bool_and(message ~ '^[^[:alpha:]]*$') over (order by created_at desc) as in_a_row
            from (
              select private.without_mentions(message) as message, created_at from public.chat_messages
              where created_at > now() - span order by created_at desc limit 8
            ) as latest
          ) as latest where in_a_row;
        return (private.judge_text(row_of_figures || ' ' || words)).refusal;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.is_left_to_another_moderator (
  person uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select private.has_other_moderator(person)
      and exists (select from public.second_opinions where user_id = person and asked_by = (select auth.uid()))
  $function$;

CREATE OR REPLACE FUNCTION private.limit_renames()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      -- A rename that a moderator required does not count.
      if not private.must_choose_name(new.id) then
        perform private.count_daily_act(
          new.id, 'rename', 3, 'You can change your username 3 times a day. Please try again tomorrow.'
        );
      end if;
      return null;
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
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_removed_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.id = (select auth.uid()) and (private.is_child(new.id) or exists (
        select from public.sanctions
        where user_id = new.id and kind = 'picture' and lifted_at is null
          and removed = substring(new.avatar_url from '/avatars/(.+)$')
      )) then
        raise exception using
          errcode = 'check_violation', message = 'This picture is not allowed', constraint = 'safe_text';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.rename_person (
  person uuid,
  name   text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      update public.profiles set username = name where id = person;
      update public.chat_messages set username = name where id in (
        select id from public.chat_messages where user_id = person order by created_at desc limit 500
      );
      -- The names in front of a message are in the order of its mentions.
      update public.chat_messages
        set message = left(
          regexp_replace(
            message, format('^((?:@\w+ ){%s})@\w+ ', array_position(mentions, person) - 1), '\1@' || name || ' '
          ),
          1000
        )
        where person = any (mentions) and id in (
          select id from public.chat_messages order by created_at desc limit 5000
        );
    end
  $function$;

CREATE OR REPLACE FUNCTION private.set_silence (
  person uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      insert into public.chat_silences as silence (user_id, until, reason, created_by, created_at)
        select user_id, until, reason, created_by, created_at
        from private.find_sanction_in_force(person, 'silence') where id is not null
        on conflict (user_id) do update set until = excluded.until, reason = excluded.reason,
          created_by = excluded.created_by, created_at = excluded.created_at
          where silence.until < excluded.until;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.settle_forced_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      update public.sanctions set done_at = now()
        where user_id = new.id and kind = 'rename' and done_at is null and lifted_at is null;
      delete from private.outgrown_names where user_id = new.id;
      return null;
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
      perform private.set_silence(new.user_id);
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
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'update', 'avatars', person, person);
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.sign_resolution()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.resolved_at is null then
        new.resolved_by := null;
        new.outcome := null;
        return new;
      end if;
      if private.is_left_to_another_moderator(new.reported_user_id) then
        raise exception using
          errcode = 'PT403', message = 'You asked for a second opinion: another moderator closes this case';
      end if;
      new.resolved_at := now();
      new.resolved_by := (select id from public.profiles where id = (select auth.uid()));
      -- Of a report that was opened again, the sanction may stand.
      new.outcome := coalesce(new.outcome, case
        when exists (select from public.sanctions where id = new.sanction_id and lifted_at is null) then 'acted'
        else 'nothing'
      end);
      return new;
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
          if new.done_at is null then
            begin
              perform private.rename_person(person, new.removed);
            exception when unique_violation or check_violation then
              null;
            end;
          end if;
        when 'comment' then
          update public.user_ratings set comment = new.removed
            where id = new.subject_id and rater_id = person and comment is null;
          update public.user_ratings set answer = new.removed
            where id = new.subject_id and rated_user_id = person and answer is null;
        else null;
      end case;
      -- Lifted within ten minutes, it was a mistake: reopen the reports. Later, keep them resolved, without action;
      -- writing resolved_at would close their cases again.
      if new.created_at < now() - interval '10 minutes' then
        update public.reports set outcome = 'nothing' where sanction_id = new.id and resolved_at is not null;
      else
        update public.reports set resolved_at = null where sanction_id = new.id;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.without_mentions (
  message text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  STRICT
  SET search_path TO ''
  AS $function$ select regexp_replace(message, '^(@[A-Za-z0-9_]{3,20} )+', '') $function$;

CREATE OR REPLACE FUNCTION public.answer_rating (
  rating_id uuid,
  answer    text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      said constant text := nullif(private.trim_text(answer_rating.answer), '');
    begin
      if private.owes_second_factor() or private.is_anonymous_or_application() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in to answer a rating';
      end if;
      perform private.require_chosen_name((select auth.uid()));
      if said is not null then
        perform private.require_free_writing((select auth.uid()));
      end if;
      update public.user_ratings set answer = said, answered_at = coalesce(answered_at, now())
        where id = rating_id and rated_user_id = (select auth.uid()) and (said is null or answered_at is null);
      if not found then
        raise exception using errcode = 'PT404', message = 'This rating is gone, or you answered it already';
      end if;
      -- Not in the trigger, which also sees the answers that are restored.
      perform private.require_known_text(private.tidy_text(said));
    end
  $function$;

CREATE TRIGGER profiles_limit_renames
  AFTER UPDATE OF username ON public.profiles
  FOR EACH ROW
  WHEN (((old.username IS DISTINCT FROM new.username) AND row_security_active('public.profiles'::text)))
  EXECUTE FUNCTION private.limit_renames();

CREATE TRIGGER profiles_settle_forced_name
  AFTER UPDATE OF username ON public.profiles
  FOR EACH ROW
  WHEN (((old.username IS DISTINCT FROM new.username) AND row_security_active('public.profiles'::text)))
  EXECUTE FUNCTION private.settle_forced_name();

COMMENT ON COLUMN "public"."archived_items"."records" IS 'Rows deleted with the item, by table: its ledger, its checks; not those that are deleted with an account too.';

REVOKE ALL ON FUNCTION "private"."is_left_to_another_moderator"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."set_silence"(uuid) FROM PUBLIC;

-- Silences and bans that a shorter one had cut short.
SELECT private.set_silence(user_id) FROM public.sanctions
  WHERE kind = 'silence' AND lifted_at IS NULL AND until > now()
  GROUP BY user_id HAVING count(*) > 1;

SELECT private.set_ban(user_id) FROM public.sanctions
  WHERE kind = 'ban' AND lifted_at IS NULL AND until > now()
  GROUP BY user_id HAVING count(*) > 1;
