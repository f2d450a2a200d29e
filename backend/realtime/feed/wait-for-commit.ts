import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "#backend/postgres/database.ts";

/** Extends the log's 32-bit transaction id to a 64-bit xid8. */
const IS_VISIBLE = `
  select pg_visible_in_snapshot(
      (case when number > latest then number - (1::bigint << 32) else number end)::text::xid8, snapshot
    ) as visible
  from (
    select snapshot, latest, ((latest >> 32) << 32) | $1::bigint as number
    from (
      select snapshot, pg_snapshot_xmax(snapshot)::text::bigint as latest
      from pg_current_snapshot() as snapshot
    ) as known
  ) as completed`;

const RETRY_DELAY_MS = 1;
/** Queries that may fail in a row: the second already has a new connection. */
const TRIES = 3;

/**
 * Resolves once a transaction that is committed in the log is visible to others. PostgreSQL writes the log first: for a
 * moment, longer on a busy machine, a client that reads an announced change would still read the old row. Rejects if
 * the database does not say.
 */
export async function waitForCommit({ query }: Pick<Database, "query">, xid: number): Promise<void> {
  let failures = 0;
  for (;;) {
    const rows = await query(IS_VISIBLE, [String(xid >>> 0)]).catch((cause: unknown) => {
      failures++;
      if (failures === TRIES) throw cause;
      return null;
    });
    if (rows) failures = 0;
    if (rows?.[0]?.visible === "t") return;
    await wait(RETRY_DELAY_MS);
  }
}
