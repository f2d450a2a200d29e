import { Client } from "pg";

/** Runs SQL as superuser, several statements where there are no values, and gives the rows. */
export async function runOn(databaseUrl: string, sql: string, values?: unknown[]) {
  const client = new Client({ connectionString: databaseUrl });
  // One that breaks fails the statement too.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
