import { withClient } from "#backend/postgres/with-client.ts";

/** Runs SQL as superuser and returns the rows; allows several statements if there are no values. */
export async function runOn(databaseUrl: string, sql: string, values?: unknown[]) {
  return (await withClient(databaseUrl, "test", (client) => client.query(sql, values))).rows;
}
