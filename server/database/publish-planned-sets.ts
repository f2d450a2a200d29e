import type { Log } from "#backend/log/log.ts";
import { type LogText, logText } from "#backend/log/log-text.ts";
import { runRegularly } from "./run-regularly.ts";

const LOOK_EVERY_MS = 10_000;

/**
 * Publishes the sets of values that are due, now and every ten seconds; returns a function that stops it. Several
 * processes may run this: the database gives each set to one of them, once.
 * @param url of the database's owner
 */
export function publishPlannedSets(url: string, report: Log, every = LOOK_EVERY_MS): () => Promise<void> {
  const onFailure = (why: LogText) =>
    report(logText`Planned values could not be published (${why}); retrying.`, "warn");
  return runRegularly({ url, applicationName: "planned sets", every, onFailure }, async (query) => {
    await query("select private.publish_planned_sets()");
  }).stop;
}
