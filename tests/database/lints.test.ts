import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";

const database = ownDatabase();

/** Each rule is a query that must find nothing, modeled on Supabase's splinter. */
const LINTS: Record<string, string> = {
  "row-level security is on for every table that the API shows": `
    select oid::regclass from pg_class
    where relkind in ('r', 'p') and not relrowsecurity
      and relnamespace in ('public'::regnamespace, 'storage'::regnamespace, 'auth'::regnamespace)`,

  "every security definer pins its search path": `
    select oid::regprocedure from pg_proc
    where prosecdef and pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      and not exists (select from unnest(proconfig) as setting where setting like 'search_path=%')`,

  "every function of the product pins its search path": `
    select oid::regprocedure from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not exists (select from unnest(proconfig) as setting where setting like 'search_path=%')`,

  "every foreign key begins an index": `
    select constraints.conrelid::regclass, constraints.conname
    from pg_constraint as constraints
    where contype = 'f' and connamespace = 'public'::regnamespace
      and not exists (
        select from pg_index
        where indrelid = constraints.conrelid
          and (string_to_array(indkey::text, ' ')::smallint[])[1 : cardinality(conkey)] @> conkey)`,

  "every foreign key says what happens on delete": `
    select conrelid::regclass, conname from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and confdeltype = 'a'`,

  "no policy speaks for everybody, whoever they may come to be": `
    select tablename, policyname from pg_policies where 'public' = any (roles)`,

  "visitors write nothing but to the operator": `
    select tablename, policyname from pg_policies
    where 'anon' = any (roles) and cmd <> 'SELECT' and tablename <> 'contact_messages'`,

  "each role and verb has one policy that gives, so that none is overlooked": `
    select tablename, role, cmd from pg_policies, unnest(roles) as role
    where schemaname = 'public' and permissive = 'PERMISSIVE' group by 1, 2, 3 having count(*) > 1`,

  "every policy asks who is there once and not for each row": `
    select tablename, policyname from pg_policies
    where regexp_replace(coalesce(qual, '') || coalesce(with_check, ''),
      'SELECT (auth\\.\\w+|private\\.\\w+)\\(\\)', '', 'g') ~ '(auth|private)\\.\\w+\\(\\)'`,

  "a function about its caller refuses applications, and sessions without the second factor": `
    select oid::regprocedure from pg_proc
    where pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', oid, 'execute')
      and prosrc ~ 'auth\\.uid\\(\\)'
      -- These refuse both.
      and prosrc !~ 'private\\.(require_editor|require_second_person|require_right_over|has_recent_sign_in)\\('
      and not (prosrc ~ 'private\\.owes_second_factor\\(' and prosrc ~ 'private\\.is_(anonymous_or_)?application\\(')`,

  "whoever writes what refers to a profile keeps their own account from being deleted meanwhile": `
    select conrelid::regclass from pg_constraint
    where contype = 'f' and confrelid = 'public.profiles'::regclass
      and not exists (select from pg_trigger where tgrelid = conrelid and tgname = 'writer_stays')`,

  "a row in another's name is refused before any trigger judges it, and tells of that user": `
    select polrelid::regclass from pg_policy
    join pg_class on pg_class.oid = polrelid and relnamespace = 'public'::regnamespace
    where polcmd = 'a' and pg_get_expr(polwithcheck, polrelid) ~ '\\(\\w+ = \\( SELECT auth\\.uid\\(\\)'
      and 'private.refuse_rows_of_others'::regproc is distinct from (
        select tgfoid from pg_trigger where tgrelid = polrelid and not tgisinternal and tgtype & 7 = 7
        order by tgname limit 1)`,

  "every policy is named as a sentence": `
    select tablename, policyname from pg_policies where policyname !~ '^[A-Z]\\S* \\S+ '`,

  "no view runs with its owner's rights": `
    select oid::regclass from pg_class
    where relkind = 'v' and relnamespace = 'public'::regnamespace
      and not coalesce(reloptions @> '{security_invoker=true}', false)`,

  "no person may truncate, refer to or hang a trigger on a table": `
    select oid::regclass, role, privilege
    from pg_class, unnest('{anon,authenticated}'::text[]) as role,
      unnest('{truncate,references,trigger}'::text[]) as privilege
    where relkind = 'r' and relnamespace = 'public'::regnamespace and has_table_privilege(role, oid, privilege)`,

  "no email address stands in a table that others read": `
    select attrelid::regclass, attname from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attname like '%email%'
      and attrelid not in ('public.contact_messages'::regclass, 'public.trade_history'::regclass)`,

  "what only some may write is logged by who wrote it": `
    select tablename, cmd from pg_policies
    where schemaname = 'public' and permissive = 'PERMISSIVE' and cmd <> 'SELECT'
      and coalesce(qual, '') || coalesce(with_check, '') ~ 'private\\.is_(admin|moderator|editor)\\(\\)'
      -- Their own, signed with their names.
      and tablename not in ('case_notes', 'editor_names', 'notice_mails', 'work_skips')
      and not exists (
        select from pg_trigger
        where tgrelid = format('public.%I', tablename)::regclass and tgfoid = 'private.record_act'::regproc
          and tgtype & case cmd when 'INSERT' then 4 when 'DELETE' then 8 when 'UPDATE' then 16 end > 0)`,

  "no key names a person to whoever hears of a deletion": `
    select prrelid::regclass, attname from pg_publication_rel
    join pg_index on indrelid = prrelid and indisprimary
    join pg_attribute on attrelid = prrelid and attnum = any (indkey)
    join pg_constraint on conrelid = prrelid and contype = 'f' and attnum = any (conkey)
    where confrelid in ('public.profiles'::regclass, 'auth.users'::regclass)
      -- A profile is its person, and everybody who may hear of a reaction has seen it.
      and prrelid not in ('public.profiles'::regclass, 'public.chat_reactions'::regclass)`,

  "no two indexes do the same work": `
    select a.indrelid::regclass, a.indexrelid::regclass, b.indexrelid::regclass
    from pg_index as a join pg_index as b on a.indrelid = b.indrelid and a.indexrelid < b.indexrelid
    join pg_class on pg_class.oid = a.indrelid
    where relnamespace = 'public'::regnamespace
      and (a.indkey, a.indclass, a.indoption) = (b.indkey, b.indclass, b.indoption)
      and a.indexprs is null and b.indexprs is null and a.indpred is null and b.indpred is null`,

  "every table says what it is": `
    select oid::regclass from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and obj_description(oid) is null`,

  "every check constraint is named by its rule": `
    select conrelid::regclass, conname from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace and conname ~ '_check\\d*$'`,

  "every name fits, so that none is cut short": `
    select conname from pg_constraint where length(conname) >= 63
    union all select relname from pg_class where length(relname) >= 63
    union all select polname from pg_policy where length(polname) >= 63`,
};

test.each(Object.entries(LINTS))("%s", async (_, query) => {
  expect((await database.owner.query(query)).rows).toEqual([]);
});

test("only the tables with live updates are in the publication", async () => {
  const { rows } = await database.owner.query(
    "select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by 1",
  );
  expect(rows.map(({ tablename }) => tablename)).toEqual([
    "ads",
    "appeals",
    "case_notes",
    "categories",
    "change_pictures",
    "chat_messages",
    "chat_reactions",
    "editor_names",
    "editor_notices",
    "field_definitions",
    "game_update_items",
    "game_updates",
    "item_value_changes",
    "items",
    "page_configurations",
    "profiles",
    "reports",
    "sanctions",
    "second_opinions",
    "status_words",
    "user_ratings",
    "value_proposals",
    "value_sets",
    "word_requests",
  ]);
});
