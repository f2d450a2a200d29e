import { Client } from "pg";
import { expect } from "vitest";

/** Sessions in a test file's own database that run at the same time, and wait for each other. */
export function sessionsOf(database: { url: string; owner: Client }) {
  /** A user's own session, in a transaction. */
  async function openSession(person: string): Promise<Client> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const claims = JSON.stringify({ sub: person, role: "authenticated" });
    await client.query("begin");
    await client.query(
      "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
      [claims],
    );
    return client;
  }

  /** A session that no policy restricts, in a transaction. */
  async function openOwnerSession(): Promise<Client> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query("begin");
    return client;
  }

  /** Begins a statement. Resolves as soon as it waits or has ended, with what will become of it. */
  async function begin(client: Client, sql: string, values: unknown[] = []) {
    const { rows } = await client.query("select pg_backend_pid() as id");
    let hasEnded = false;
    const outcome = client
      .query(sql, values)
      .then(
        () => "done",
        (error: { code: string }) => error.code,
      )
      .then(async (answer) => {
        hasEnded = true;
        await client.query("commit");
        await client.end();
        return answer;
      });
    const isWaiting = "select cardinality(pg_blocking_pids($1)) > 0 as it";
    await expect
      .poll(async () => hasEnded || (await database.owner.query(isWaiting, [rows[0].id])).rows[0].it)
      .toBe(true);
    return { outcome, waited: !hasEnded };
  }

  /** Begins a statement that has to wait. Resolves as soon as it waits, with what will become of it. */
  async function beginWaiting(client: Client, sql: string, values: unknown[]) {
    const begun = await begin(client, sql, values);
    expect(begun.waited).toBe(true);
    return begun;
  }

  /**
   * Runs `second` in its own session while `first` is not yet committed, and `meanwhile` in the first session once the
   * second waits; resolves with the result of `second`.
   */
  async function overtake(first: Client, second: Client, sql: string, values: unknown[], meanwhile?: string) {
    const { outcome } = await beginWaiting(second, sql, values);
    if (meanwhile) await first.query(meanwhile);
    await first.query("commit");
    await first.end();
    return await outcome;
  }

  return { openSession, openOwnerSession, begin, beginWaiting, overtake };
}
