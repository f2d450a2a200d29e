-- Usernames that predate a rule and violate it. Their owners are asked to choose another, which is not a sanction.
create table private.outgrown_names (
  user_id uuid not null primary key references public.profiles (id) on delete cascade,
  fault text not null
);
comment on table private.outgrown_names is 'Users who must choose another name, and what was wrong with the old one.';

-- A user whose name was taken away must choose another before writing to others again.
create function private.must_choose_name(person uuid) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    select exists (
      select from public.sanctions
      where user_id = person and kind = 'rename' and done_at is null and lifted_at is null
    ) or exists (select from private.outgrown_names where user_id = person)
  $$;

-- Checks a batch of the usernames that predate the rule, each once, until one fails, and replaces it with a harmless one:
-- a transaction that renames several users could deadlock with another one. Returns how many were checked; 0 when done.
-- Names of admins and moderators are up to the operator.
create function private.check_existing_names(most integer) returns integer
  language plpgsql
  set search_path = ''
  as $$
    declare
      judged integer := 0;
      reached uuid := (select coalesce(names_judged_to, '00000000-0000-0000-0000-000000000000') from private.settings for update);
      person record;
      found_fault text;
    begin
      -- Before the vocabularies are loaded, every name would fail.
      if not exists (select from private.vocabularies where language not in ('items', 'site')) then
        return 0;
      end if;
      for person in select id, username from public.profiles where id > reached order by id limit most loop
        judged := judged + 1;
        reached := person.id;
        continue when exists (select from public.user_roles where user_id = person.id);
        found_fault := private.find_username_fault(person.username);
        continue when found_fault is null;
        perform private.take_turn();
        insert into private.outgrown_names (user_id, fault) values (person.id, found_fault) on conflict do nothing;
        perform private.rename_person(person.id, private.generate_username(''));
        exit;
      end loop;
      update private.settings set names_judged_to =
        case when judged = 0 then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else reached end;
      return judged;
    end
  $$;
revoke execute on function private.check_existing_names(integer) from public;

-- Why the caller must choose another name; no row if they need not.
create function public.show_forced_name() returns table (reason text, by_moderator boolean)
  language sql stable security definer
  set search_path = ''
  as $$
    select reason, by_moderator from (
      select sanctions.reason, true from public.sanctions
      where user_id = (select auth.uid()) and kind = 'rename' and done_at is null and lifted_at is null
      union all
      select fault, false from private.outgrown_names where user_id = (select auth.uid())
    ) as faults (reason, by_moderator)
    where not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
    limit 1
  $$;
comment on function public.show_forced_name is 'Why the caller must choose another username, and whether a moderator required it.';
revoke execute on function public.show_forced_name() from public, anon;
grant execute on function public.show_forced_name() to authenticated, service_role;

create function private.require_chosen_name(person uuid) returns void
  language plpgsql stable
  set search_path = ''
  as $$
    begin
      if private.must_choose_name(person) then
        raise exception using
          errcode = 'PT403', message = 'Please choose a new username first, on your account page', hint = 'username';
      end if;
    end
  $$;

create function private.ask_for_name() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      perform private.require_chosen_name((select auth.uid()));
      return new;
    end
  $$;

create trigger chat_messages_ask_for_name
  before insert on public.chat_messages
  for each row execute function private.ask_for_name();

create trigger user_ratings_ask_for_name
  before insert or update of rating, comment on public.user_ratings
  for each row when (row_security_active('public.user_ratings'))
  execute function private.ask_for_name();

-- Users cannot take back the name that was removed, nor one about which a report is open, nor one that looks the same.
create function private.refuse_removed_name() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if new.id = (select auth.uid())
        and private.lookalike_key(old.username) is distinct from private.lookalike_key(new.username)
        and private.lookalike_key(new.username) in (
        select private.lookalike_key(removed) from public.sanctions
        where user_id = new.id and kind = 'rename' and lifted_at is null
        union all
        select private.lookalike_key(evidence) from public.reports
        where reported_user_id = new.id and kind = 'name' and resolved_at is null
        union all
        select private.lookalike_key(reports.evidence)
        from public.reports join public.sanctions on sanctions.id = reports.sanction_id
        where reports.reported_user_id = new.id and reports.kind = 'name'
          and sanctions.kind = 'rename' and sanctions.lifted_at is null
      ) then
        raise exception using
          errcode = 'check_violation', message = 'This username is not allowed', constraint = 'safe_text';
      end if;
      return new;
    end
  $$;
revoke execute on function private.refuse_removed_name() from public;

create trigger profiles_refuse_removed_name
  before update of username on public.profiles
  for each row when (old.username is distinct from new.username)
  execute function private.refuse_removed_name();

-- The name that a user chooses settles the sanction, and lifting the sanction gives back the name.
create trigger profiles_wait_for_turn
  before update of username on public.profiles
  for each statement when (row_security_active('public.profiles'))
  execute function private.wait_for_turn();

create function private.settle_forced_name() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      update public.sanctions set done_at = now()
        where user_id = new.id and kind = 'rename' and done_at is null and lifted_at is null;
      delete from private.outgrown_names where user_id = new.id;
      return null;
    end
  $$;
revoke execute on function private.settle_forced_name() from public;

-- Its name sorts after profiles_limit_renames, which does not count a forced rename.
create trigger profiles_settle_forced_name
  after update of username on public.profiles
  for each row when (old.username is distinct from new.username and row_security_active('public.profiles'))
  execute function private.settle_forced_name();
