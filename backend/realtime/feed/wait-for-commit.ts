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

/**
 * Resolves once a transaction that is committed in the log is visible to others. PostgreSQL writes the log first: for a
 * moment, longer on a busy machine, a client that reads an announced change would still read the old row.
 */
export async function waitForCommit(database: Database, xid: number): Promise<void> {
  for (;;) {
    // If the query fails, clients cannot read either; the feed will announce a gap.
    const [row] = await database.query(IS_VISIBLE, [String(xid >>> 0)]).catch(() => [{ visible: "t" }]);
    if (row?.visible !== "f") return;
    await wait(RETRY_DELAY_MS);
  }
}
