-- Locks an account's rows in one order wherever it may be deleted meanwhile, so that neither fails as a deadlock.
-- A user's own act locks the account first. Whoever changes rows of another account locks these before its profile,
-- which their foreign keys do by themselves; renaming somebody, which goes the other way, takes a turn. Deleting an
-- account takes a turn, and locks the account, its rows and its profile.

create function private.keep_writer() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform from auth.users where id = (select auth.uid()) for key share;
      return null;
    end
  $$;
revoke execute on function private.keep_writer() from public;

create function private.lock_rows_of_account() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      owned record;
    begin
      -- In alphabetical order: messages before reports of them, as whoever deletes a message.
      for owned in
        select conrelid::regclass as rows, attname as person
          from pg_catalog.pg_constraint
          join pg_catalog.pg_attribute on attrelid = conrelid and attnum = conkey[1]
          where contype = 'f' and confrelid = 'public.profiles'::regclass and confdeltype = 'c'
          order by conrelid::regclass::text collate "C", attname
      loop
        execute format('select from %s where %I = $1 for update', owned.rows, owned.person) using old.id;
      end loop;
      return old;
    end
  $$;
revoke execute on function private.lock_rows_of_account() from public;

-- Triggers fire in alphabetical order: before keep_what_counts reads these rows.
create trigger account_locks_rows
  before delete on auth.users
  for each row execute function private.lock_rows_of_account();

-- Named to fire after …_wait_for_turn, as deleting an account takes its turn first.
do $$
  declare
    owned regclass;
  begin
    for owned in
      select conrelid from pg_catalog.pg_constraint where contype = 'f' and confrelid = 'public.profiles'::regclass
      union select 'public.profiles'::regclass
    loop
      execute format(
        'create trigger writer_stays before insert or update or delete on %s
          for each statement execute function private.keep_writer()', owned
      );
    end loop;
  end
$$;
