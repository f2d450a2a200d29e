-- The effect of each kind of sanction, and how it is undone.

-- A name that children should not see is removed at once from the profile, from the user's recent messages and from
-- those that mention the user; a harmless name replaces it until the user has chosen another.
create function private.rename_person(person uuid, name text) returns void
  language plpgsql
  set search_path = ''
  as $$
    declare
      own uuid[];
      others uuid[];
    begin
      update public.profiles set username = name where id = person;
      own := array(select id from public.chat_messages where user_id = person order by created_at desc limit 500);
      others := array(
        select id from (select id, mentions from public.chat_messages order by created_at desc limit 5000) as latest
        where person = any (mentions)
      );
      -- Locked in one order, since two users who mention each other may be renamed at the same time.
      perform from public.chat_messages where id = any (own || others) order by id for no key update;
      update public.chat_messages set username = name where id = any (own);
      -- The names in front of a message are in the order of its mentions.
      update public.chat_messages
        set message = left(
          regexp_replace(
            message, format('^((?:@\w+ ){%s})@\w+ ', array_position(mentions, person) - 1), '\1@' || name || ' '
          ),
          1000
        )
        where id = any (others);
    end
  $$;
revoke execute on function private.rename_person(uuid, text) from public;

-- Returns what it removed.
create function private.apply_sanction(sanction public.sanctions) returns text
  language plpgsql
  set search_path = ''
  as $$
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
  $$;
revoke execute on function private.apply_sanction(public.sanctions) from public;

-- Silences that admins wrote directly are not shortened, nor lifted with a sanction.
create function private.set_silence(person uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
    begin
      insert into public.chat_silences as silence (user_id, until, reason, created_by, created_at)
        select user_id, until, reason, created_by, created_at
        from private.find_sanction_in_force(person, 'silence') where id is not null
        on conflict (user_id) do update set until = excluded.until, reason = excluded.reason,
          created_by = excluded.created_by, created_at = excluded.created_at
          where silence.until < excluded.until;
    end
  $$;
revoke execute on function private.set_silence(uuid) from public;

-- A shorter silence or ban ends no longer one.
create function private.settle_silence_or_ban() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if new.kind = 'ban' then
        perform private.set_ban(new);
        return null;
      end if;
      if new.lifted_at is not null then
        delete from public.chat_silences
          where user_id = new.user_id and until = new.until and created_at = new.created_at;
      end if;
      perform private.set_silence(new.user_id);
      return null;
    end
  $$;
revoke execute on function private.settle_silence_or_ban() from public;

create trigger sanctions_settle_silence_or_ban
  after insert or update of lifted_at on public.sanctions
  for each row when (new.kind in ('silence', 'ban'))
  execute function private.settle_silence_or_ban();

-- Users can show only a picture that was approved, and none that was taken from their profile and is still kept as
-- evidence. No picture of a child is shown, also if a moderator approves one.
create function private.refuse_unapproved_picture() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      file constant text := substring(new.avatar_url from '/avatars/(.+)$');
    begin
      if private.is_child(new.id) or new.id = (select auth.uid()) and (
        not exists (select from storage.objects where bucket_id = 'avatars' and name = file)
        or exists (
          select from public.sanctions
          where user_id = new.id and kind = 'picture' and lifted_at is null and removed = file
        )
      ) then
        raise exception using
          errcode = 'check_violation', message = 'This picture is not allowed', constraint = 'safe_text';
      end if;
      return new;
    end
  $$;
revoke execute on function private.refuse_unapproved_picture() from public;

create trigger profiles_refuse_unapproved_picture
  before update of avatar_url on public.profiles
  for each row when (new.avatar_url like '/storage/%')
  execute function private.refuse_unapproved_picture();

-- Deleted content (a message, a picture) is not restored, nor a text of a rating that was changed since. A name is, unless the user has chosen another or is a child,
-- or it has been taken or reserved meanwhile.
create function private.undo_sanction() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
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
  $$;
revoke execute on function private.undo_sanction() from public;

create trigger sanctions_undo
  after update of lifted_at on public.sanctions
  for each row execute function private.undo_sanction();

-- Deleting a silence directly from its table also lifts its sanctions, except those that are over: they were served.
create function private.lift_silence_sanction() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      update public.sanctions set lifted_at = now()
        where user_id = old.user_id and kind = 'silence' and until > now() and lifted_at is null;
      return null;
    end
  $$;
revoke execute on function private.lift_silence_sanction() from public;

create trigger chat_silences_lift_sanction
  after delete on public.chat_silences
  for each row when (pg_trigger_depth() = 0)
  execute function private.lift_silence_sanction();
