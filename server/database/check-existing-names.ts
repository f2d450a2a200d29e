import { type LogText, logText, quoteScrubbed } from "#backend/log/log-text.ts";
import { withClient } from "#backend/postgres/with-client.ts";

/** Names per transaction, few enough that nobody who saves a name waits long. */
const AT_ONCE = 200;

/**
 * Checks, once per database, the usernames that are older than the username rule, and asks their owners for a new one
 * if they break it; until then a harmless name takes its place. Runs in the background; returns a function that stops
 * it, and the next start continues where it stopped.
 */
export function checkExistingNames(url: string, report: (line: LogText) => void): () => Promise<void> {
  let isStopped = false;
  const judging = judgeNames(url, () => isStopped).catch(({ message }: Error) => {
    if (!isStopped)
      report(
        logText`Usernames older than the naming rule could not be checked (${quoteScrubbed(message)}); the next start will continue.`,
      );
  });
  return async () => {
    isStopped = true;
    await judging;
  };
}

/** The same, until all are checked or it is stopped. */
export async function judgeNames(url: string, isStopped = () => false): Promise<void> {
  await withClient(url, "names", async (client) => {
    let judged = AT_ONCE;
    while (judged > 0 && !isStopped()) {
      const { rows } = await client.query("select private.check_existing_names($1) as judged", [AT_ONCE]);
      judged = rows[0].judged;
    }
  });
}
