import type { Log } from "#backend/log/log.ts";
import { type LogText, logText } from "#backend/log/log-text.ts";
import { doForEach, runRegularly } from "./run-regularly.ts";

const EVERY_MS = 60 * 60_000;

/**
 * Hides, now and every hour, those who became children when the age limit was raised, and those whom an earlier release
 * left exposed; returns a function that stops it. One child per transaction, so that nobody waits long for their locks.
 */
export function hideChildren(url: string, report: Log): () => Promise<void> {
  const onFailure = (why: LogText) =>
    report(logText`Children could not be hidden from others (${why}); retrying in an hour.`, "warn");
  const options = { url, applicationName: "children", idleTime: 10, every: EVERY_MS, onFailure };
  return runRegularly(options, async (query, stopped) => {
    const children = await query("select private.list_exposed_children()::text as id");
    await doForEach(children, async ({ id }) => {
      if (stopped.aborted) return;
      // A parent may have allowed it meanwhile.
      await query("select private.hide_child($1, renames => true) where private.is_child($1)", [
        id as string,
      ]);
    });
  }).stop;
}
