import { Client } from "pg";
import { KEEP_ALIVE } from "./keep-alive.ts";

/** Connection timeout in milliseconds; otherwise an unresponsive database would block the start forever. */
const PATIENCE = 30_000;

/** Runs work on a dedicated connection outside any pool; rejects if the connection or the work fails. */
export async function withClient<T>(
  url: string,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: PATIENCE,
    ...KEEP_ALIVE,
  });
  // A lost connection also rejects the running statement.
  client.on("error", () => {});
  await client.connect().catch(nameTimeout);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** pg's own error of a server that accepts connections and does not answer, such as a stopped one, has no code. */
function nameTimeout(error: Error): never {
  if (error.message !== "timeout expired") throw error;
  const message = `it did not answer within ${PATIENCE / 1000} s`;
  throw Object.assign(new Error(message, { cause: error }), { code: "ETIMEDOUT", syscall: "connect" });
}

/**
 * The same in a transaction serialized by an advisory lock: two processes that start at once do their work one after
 * the other.
 * @param lock any number that is used for no other lock
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
