import { Client } from "pg";

/** How long a database may take to accept a connection, in milliseconds; one that stays silent would hold the start forever. */
const PATIENCE = 30_000;

/** Runs work on a connection of its own, outside any pool. Rejects if the connection or the work fails. */
export async function withClient<T>(
  url: string,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: PATIENCE,
  });
  // One that breaks fails the statement too.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * The same in one transaction, into which one process at a time comes: two that start at once do their work one after
 * the other.
 * @param lock any number that nobody else locks by
 */
export function inTransaction<T>(
  url: string,
  name: string,
  lock: number,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withClient(url, name, async (client) => {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1)", [lock]);
    const result = await work(client);
    await client.query("commit");
    return result;
  });
}
