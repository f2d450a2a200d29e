/** The schemas with user data and its rules. */
export const SCHEMAS = "('public', 'private', 'auth', 'storage')";

/** A line for every part of the database, ignoring column order. */
export const DESCRIBE_SCHEMA = `
  with spaces as (select oid, nspname from pg_namespace where nspname in ${SCHEMAS}),
  classes as (select c.*, nspname from pg_class c join spaces on spaces.oid = relnamespace where relkind in ('r', 'v', 'S', 'p')),
  granted as (
    select format('%s.%s', nspname, relname) as of, acl::text as acl from classes, unnest(relacl) as acl
    union all
    select format('%s.%s.%s', nspname, relname, attname), acl::text
      from classes join pg_attribute on attrelid = classes.oid, unnest(attacl) as acl
    union all
    select p.oid::regprocedure::text, acl::text from pg_proc p join spaces on spaces.oid = pronamespace, unnest(proacl) as acl
  )
  select line from (
    select format('%s %s.%s %s %s', relkind, nspname, relname, relrowsecurity, array_to_string(reloptions, ' ')) as line from classes
    union all
    select format('column %s.%s.%s %s %s %s %s%s', nspname, relname, attname, format_type(atttypid, atttypmod), attnotnull,
        pg_get_expr(adbin, adrelid), attgenerated, attidentity)
      from classes join pg_attribute on attrelid = classes.oid and attnum > 0 and not attisdropped
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relkind <> 'S'
    union all
    select format('constraint %s.%s %s %s', nspname, relname, conname, pg_get_constraintdef(con.oid))
      from pg_constraint con join classes on classes.oid = conrelid
    union all
    select format('index %s', pg_get_indexdef(indexrelid)) from pg_index join classes on classes.oid = indrelid
    union all
    select format('trigger %s %s', pg_get_triggerdef(tg.oid), tgenabled)
      from pg_trigger tg join classes on classes.oid = tgrelid where not tgisinternal
    union all
    select format('function %s %s', p.oid::regprocedure, md5(pg_get_functiondef(p.oid)))
      from pg_proc p join spaces on spaces.oid = pronamespace where prokind in ('f', 'p')
    union all
    select format('view %s.%s %s', nspname, relname, pg_get_viewdef(oid)) from classes where relkind = 'v'
    union all
    select format('policy %s.%s %s %s %s %s %s %s', schemaname, tablename, policyname, permissive, roles, cmd, qual, with_check)
      from pg_policies where schemaname in ${SCHEMAS} or schemaname = 'realtime'
    union all
    select format('published %s.%s %s', schemaname, tablename, pubname) from pg_publication_tables
    union all
    select format('granted on %s %s', granted.of, granted.acl) from granted
  ) described order by line`;
