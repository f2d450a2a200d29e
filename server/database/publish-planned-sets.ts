import { quoteScrubbed, type Sentence, sentence } from "#backend/log/sentence.ts";
import { connectDatabase } from "#backend/postgres/database.ts";

const LOOK_EVERY_MS = 10_000;

/**
 * Publishes the sets of values whose time has come, now and every ten seconds; gives how to stop. Several processes may do
 * this: the database gives each set to one of them, once.
 * @param url of the database's owner
 */
export function publishPlannedSets(
  url: string,
  report: (line: Sentence) => void,
  lookEvery = LOOK_EVERY_MS,
): () => Promise<void> {
  const database = connectDatabase({ url, max: 1, applicationName: "planned sets" });
  let isStopped = false;
  let looking = Promise.resolve();
  let isTold = false;
  async function look(): Promise<void> {
    try {
      await database.query("select private.publish_planned_sets()");
      isTold = false;
    } catch (error) {
      // A database that is away for an hour is told once.
      if (!isStopped && !isTold)
        report(
          sentence`Planned values could not be published (${quoteScrubbed((error as Error).message)}); it is tried again.`,
        );
      isTold = true;
    }
  }
  let isLooking = false;
  const lookOnce = () => {
    if (isLooking || isStopped) return;
    isLooking = true;
    looking = look().finally(() => {
      isLooking = false;
    });
  };
  const timer = setInterval(lookOnce, lookEvery).unref();
  lookOnce();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await looking;
    await database.close();
  };
}
