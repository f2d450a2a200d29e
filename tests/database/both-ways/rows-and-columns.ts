import { Client } from "pg";
import { run } from "./life-on-both.ts";

/** Columns in the form of columns.csv: types without their schema, which depends on the search path. */
export async function columnsOf(url: string) {
  const rows = await run(
    url,
    `select table_schema || '.' || table_name as "table", column_name as "column", data_type as "type",
       is_nullable as nullable, coalesce(column_default, '') as "default"
     from information_schema.columns where table_schema in ('auth', 'storage')
     order by (table_schema || '.' || table_name) collate "C", column_name collate "C"`,
  );
  return rows.map((row) => ({
    ...row,
    default: row.default.replace("::auth.", "::").replace("'auth.refresh", "'refresh"),
  }));
}

/** Copies what a `pg_dump --data-only` of the three schemas and its restore would: rows, with triggers disabled. */
export async function moveRows(from: string, to: string): Promise<void> {
  const tables = await run(
    from,
    `select table_schema as schema, table_name as name,
       string_agg(quote_ident(column_name), ',') filter (where is_generated = 'NEVER') as columns
     from information_schema.columns where table_schema in ('auth', 'storage', 'public') group by 1, 2`,
  );
  const target = new Client({ connectionString: to });
  await target.connect();
  try {
    await target.query("begin; set local session_replication_role = replica");
    for (const { schema, name, columns } of tables) {
      const [{ rows }] = await run(
        from,
        `select coalesce(jsonb_agg(it), '[]')::text as rows from (select ${columns} from ${schema}.${name}) as it`,
      );
      await target.query(
        `insert into ${schema}.${name} (${columns})
         select ${columns} from jsonb_populate_recordset(null::${schema}.${name}, $1)`,
        [rows],
      );
    }
    await target.query("commit");
  } finally {
    await target.end();
  }
}
