import type { Row, Step } from "#backend/postgres/database.ts";

/** Names in a schema on which a role has any privilege. */
export type VisibleNames = { tables: ReadonlySet<string>; routines: ReadonlySet<string> };

const visibleNamesQuery = `
select
  (select pg_catalog.json_agg(c.relname) from pg_catalog.pg_class c
   where c.relnamespace = n.oid and c.relkind in ('r', 'v', 'm', 'f', 'p')
     and (pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete')
       or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update')))::text as tables,
  (select pg_catalog.json_agg(distinct p.proname) from pg_catalog.pg_proc p
   where p.pronamespace = n.oid and pg_catalog.has_function_privilege(p.oid, 'execute'))::text as routines
from pg_catalog.pg_namespace n
where n.nspname = $1 and pg_catalog.has_schema_privilege(n.oid, 'usage')`;

/** The query, to be run as the request's role, whose rows `readVisibleNames` takes. */
export function visibleNamesStep(schema: string): Step {
  return { text: visibleNamesQuery, values: [schema] };
}

/** No row means that the role lacks USAGE on the schema, so nothing is visible. */
export function readVisibleNames([row]: Row[]): VisibleNames {
  return { tables: names(row?.tables), routines: names(row?.routines) };
}

function names(json: string | null | undefined): ReadonlySet<string> {
  return new Set<string>(json ? JSON.parse(json) : []);
}
