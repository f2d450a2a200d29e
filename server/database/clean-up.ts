import type { Log } from "#backend/log/log.ts";
import { type LogText, logText } from "#backend/log/log-text.ts";
import { doForEach, runRegularly } from "./run-regularly.ts";

const EVERY_MS = 60 * 60_000;
/** The functions in `private` whose names begin with `forget_`: a list of them would lack the next one. */
const FORGETTING = `
  select oid::regprocedure::text as forget from pg_catalog.pg_proc
  where pronamespace = 'private'::regnamespace and starts_with(proname, 'forget_')
    and pronargs = 0 and prorettype = 'void'::regtype
  order by proname`;

/**
 * Deletes, now and every hour, what is no longer kept: chat messages that users deleted more than 24 hours ago (each
 * deletion does the same in the database: this covers times without deletions), the addresses of parents who did not
 * answer, item views of past days, pictures that a deleted account left, and what counted against it once it no longer
 * does. Returns a function that stops it.
 */
export function cleanUp(url: string, report: Log): () => Promise<void> {
  const onFailure = (why: LogText) =>
    report(logText`What is no longer kept could not be deleted (${why}); retrying in an hour.`, "warn");
  const options = { url, applicationName: "clean-up", idleTime: 10, every: EVERY_MS, onFailure };
  return runRegularly(options, async (query) => {
    // Each in a transaction of its own, so that none keeps rows locked in which another waits for its turn.
    await doForEach(await query(FORGETTING), ({ forget }) => query(`select ${forget}`));
  }).stop;
}
