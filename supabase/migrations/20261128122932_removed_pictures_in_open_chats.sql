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
        -- Silences and bans take effect once their row exists.
        else null;
      end case;
      return removed;
    end
  $function$;
