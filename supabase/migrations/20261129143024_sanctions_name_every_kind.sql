SET local check_function_bodies = off;

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
          with gone as (
            delete from public.chat_messages where id = sanction.subject_id and user_id = person returning *
          )
          insert into public.deleted_chat_messages (id, user_id, username, message, created_at)
            select id, user_id, username, message, created_at from gone
            on conflict (id) do update set message = excluded.message
            returning message into removed;
        when 'rename' then
          select username into removed from public.profiles where id = person;
          perform private.rename_person(person, private.generate_username(''));
        when 'picture' then
          select substring(avatar_url from '/avatars/(.+)$') into removed from public.profiles where id = person;
          update public.profiles set avatar_url = null where id = person;
          -- Open chats receive changes of messages only, and then read their writer's picture again.
          -- Waits for none, whose deletion may wait for this.
          update public.chat_messages set username = username where id = (
            select id from public.chat_messages where user_id = person
              order by created_at desc limit 1 for no key update skip locked
          );
        when 'comment' then
          select case person when rater_id then comment when rated_user_id then answer end into removed
            from public.user_ratings where id = sanction.subject_id;
          update public.user_ratings
            set comment = case when rater_id <> person then comment end,
              answer = case when rated_user_id <> person then answer end
            where id = sanction.subject_id and person in (rater_id, rated_user_id);
        -- These take effect once their row exists; a kind that no branch names is an error.
        when 'silence', 'ban' then null;
      end case;
      return removed;
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
          if new.done_at is null and not private.is_child(person) then
            begin
              perform private.rename_person(person, new.removed);
            exception when unique_violation or check_violation then
              null;
            end;
          end if;
        when 'comment' then
          update public.user_ratings set comment = new.removed
            where id = new.subject_id and rater_id = person and comment is null and created_at <= new.created_at;
          update public.user_ratings set answer = new.removed
            where id = new.subject_id and rated_user_id = person and answer is null and created_at <= new.created_at;
        when 'message', 'silence', 'picture', 'ban' then null;
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
