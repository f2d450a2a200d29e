import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "#backend/postgres/database.ts";

/** Whole transaction numbers go on where 32 bits end; the log names only those. */
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
 * Resolves when a transaction that the log has as committed can be seen by others. PostgreSQL writes the log first: for
 * a moment, longer on a busy machine, whoever reads what was just announced as changed would still read the old.
 */
export async function waitForCommit(database: Database, xid: number): Promise<void> {
  for (;;) {
    // Without an answer the database cannot be read either; the feed will announce a gap.
    const [row] = await database.query(IS_VISIBLE, [String(xid >>> 0)]).catch(() => [{ visible: "t" }]);
    if (row?.visible !== "f") return;
    await wait(RETRY_DELAY_MS);
  }
}
