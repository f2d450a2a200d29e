import { quoteScrubbed, type Sentence, sentence } from "#backend/log/sentence.ts";
import { shareRuns } from "#backend/memory/share-runs.ts";
import { connectDatabase } from "#backend/postgres/database.ts";
import { listenWhenUp } from "#backend/postgres/listen.ts";

const CHANNEL = "contact_messages";
/** For what failed, or came while nobody listened. */
const LOOK_EVERY_MS = 60_000;
const IS_WAITING =
  "select id from public.contact_messages where mailed_at is null and created_at > now() - interval '1 day' limit 1";

/**
 * Has stored contact messages mailed as soon as one comes, and again each minute while one waits; gives how to stop. Several processes may do
 * this: each message is mailed once.
 * @param url of the database's owner
 * @param mail hands on some of what waits, and says how many; the function `contact`
 */
export function deliverContactMessages(
  url: string,
  mail: () => Promise<number>,
  report: (line: Sentence) => void,
): () => Promise<void> {
  const database = connectDatabase({ url, max: 1, applicationName: "contact" });
  const runs = shareRuns(async () => {
    subscription.ensure();
    while ((await database.query(IS_WAITING)).length > 0) if ((await mail()) === 0) return;
  });
  let isStopped = false;
  const deliver = () =>
    void runs.next().catch(({ message }: Error) => {
      if (!isStopped)
        report(
          sentence`Contact messages wait for their mail (${quoteScrubbed(message)}); the next minute comes.`,
        );
    });
  const subscription = listenWhenUp(database, CHANNEL, deliver);
  const timer = setInterval(deliver, LOOK_EVERY_MS).unref();
  deliver();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await subscription.close();
    await runs.underWay()?.catch(() => {});
    await database.close();
  };
}
