import type { Client } from "pg";
import type { Schema } from "./services/rest.ts";

const TABLES = `
  select relname as name,
    (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by attnum)
      from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
    coalesce((select json_agg(distinct other.relname) from pg_constraint
      join pg_class other on other.oid = case conrelid when c.oid then confrelid else conrelid end
      where contype = 'f' and c.oid in (conrelid, confrelid) and other.relnamespace = c.relnamespace), '[]') as related
  from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p') order by relname`;

const FUNCTIONS = `
  select proname as name,
    coalesce((select json_agg(json_build_object('name', parameter, 'type', format_type(type, null)))
      from unnest(proargnames[1:pronargs], proargtypes::oid[]) as of(parameter, type)), '[]') as parameters
  from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
  order by proname, pronargs`;

export async function readSchema(database: Client): Promise<Schema> {
  const { rows: tables } = await database.query<Schema["tables"][number]>(TABLES);
  const { rows: functions } = await database.query<Schema["functions"][number]>(FUNCTIONS);
  return { tables, functions };
}
