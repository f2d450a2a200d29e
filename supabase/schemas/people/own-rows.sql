-- Triggers before an insert run before its policy is checked, and judge the row as its writer's: what they answer must
-- not tell anybody about another user's hidden words, pace or age. So rows in another's name are refused first, as the
-- policy would, wherever a policy demands the caller's own.
create function private.refuse_rows_of_others() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if row_security_active(tg_relid) and (to_jsonb(new) ->> tg_argv[0])::uuid is distinct from (select auth.uid()) then
        raise exception using
          errcode = 'insufficient_privilege',
          message = format('new row violates row-level security policy for table "%s"', tg_table_name);
      end if;
      return new;
    end
  $$;

-- Triggers fire in alphabetical order: before any that is named after its table.
do $$
  declare
    own record;
  begin
    for own in
      select polrelid::regclass as rows, found.match[1] as writer
        from pg_catalog.pg_policy
          join pg_catalog.pg_class on pg_class.oid = polrelid,
          regexp_matches(pg_catalog.pg_get_expr(polwithcheck, polrelid), '\((\w+) = \( SELECT auth\.uid\(\)') as found (match)
        where polcmd = 'a' and relnamespace = 'public'::regnamespace
    loop
      execute format(
        'create trigger admit_only_own before insert on %s for each row execute function private.refuse_rows_of_others(%L)',
        own.rows, own.writer
      );
    end loop;
  end
$$;
