import type { Log } from "#backend/log/log.ts";
import { type LogText, logText } from "#backend/log/log-text.ts";
import { runRegularly } from "./run-regularly.ts";

const CHANNEL = "contact_messages";
/** For messages whose delivery failed, or whose notification was missed. */
const LOOK_EVERY_MS = 60_000;
const IS_WAITING =
  "select id from public.contact_messages where mailed_at is null and created_at > now() - interval '1 day' limit 1";

/**
 * Has stored contact messages mailed as soon as one arrives, and again each minute while any wait; returns a function
 * that stops it. Several processes may run this: each message is mailed once.
 * @param url of the database's owner
 * @param mail delivers some of the waiting messages and returns how many; the function `contact`
 */
export function deliverContactMessages(
  url: string,
  mail: () => Promise<number>,
  report: Log,
): () => Promise<void> {
  const onFailure = (why: LogText) =>
    report(logText`Contact messages could not be mailed yet (${why}); retrying in a minute.`, "warn");
  const options = { url, applicationName: "contact", every: LOOK_EVERY_MS, channel: CHANNEL, onFailure };
  return runRegularly(options, async (query) => {
    while ((await query(IS_WAITING)).length > 0) if ((await mail()) === 0) return;
  }).stop;
}
