import { withClient } from "#backend/postgres/with-client.ts";

/** Runs SQL as superuser, several statements where there are no values, and gives the rows. */
export async function runOn(databaseUrl: string, sql: string, values?: unknown[]) {
  return (await withClient(databaseUrl, "test", (client) => client.query(sql, values))).rows;
}
