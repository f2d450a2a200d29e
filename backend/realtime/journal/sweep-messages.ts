import { setTimeout as wait } from "node:timers/promises";
import { type LogText, logText, quoteScrubbed } from "#backend/log/log-text.ts";
import type { Database } from "#backend/postgres/database.ts";

const EVERY_MS = 60 * 60_000;
/** Rows deleted per statement: avoids long locks on a large table and gives other queries a turn in between. */
const MAX_BATCH = 5_000;
const PAUSE_MS = 100;

const DELETE_SOME = `
  with gone as (
    delete from realtime.messages where ctid in (
      select ctid from realtime.messages where inserted_at < now() - interval '3 days' limit $1::int
    ) returning 1
  ) select count(*) as count from gone`;

/** Deletes rows older than three days from `realtime.messages`, now and every hour; returns a stop function. */
export function sweepMessages(database: Database, log: (line: LogText) => void): () => void {
  let stopped = false;

  async function sweep(): Promise<void> {
    let count = 0;
    for (
      let some = MAX_BATCH;
      some === MAX_BATCH && !stopped;
      await wait(PAUSE_MS, undefined, { ref: false })
    ) {
      some = await deleteSome(database);
      count += some;
    }
    if (count > 0) log(logText`${count} messages older than three days were deleted`);
  }
  const sweepAndLog = () =>
    void sweep().catch((cause: Error) => {
      // The next sweep is in an hour. A missing table needs no sweep.
      if (!stopped && !isMissing(cause))
        log(logText`old messages could not be deleted (${quoteScrubbed(cause.message)})`);
    });

  const timer = setInterval(sweepAndLog, EVERY_MS);
  timer.unref();
  sweepAndLog();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}

async function deleteSome(database: Database): Promise<number> {
  const [row] = await database.batch([
    { text: "select set_config('role', 'service_role', true)", values: [] },
    { text: DELETE_SOME, values: [String(MAX_BATCH)] },
  ]);
  return Number(row?.count ?? 0);
}

// Missing schema, table or role: the database was not set up for the service.
const MISSING = new Set(["3F000", "42P01", "22023"]);

function isMissing(cause: Error): boolean {
  return "code" in cause && MISSING.has(String(cause.code));
}
