import { quoteScrubbed, type Sentence, sentence } from "#backend/log/sentence.ts";
import { withClient } from "#backend/postgres/with-client.ts";

/** So many names are judged in one transaction, that nobody who saves a name waits long. */
const AT_ONCE = 200;

/**
 * Judges, once for each database, the usernames that stood before their rule, and asks the people of those that fail it
 * for another one; until then a harmless one stands in their place. Beside the work of a running site; gives how to stop,
 * and the next start goes on where it stopped.
 */
export function judgeStandingNames(url: string, report: (line: Sentence) => void): () => Promise<void> {
  let isStopped = false;
  const judging = judgeNames(url, () => isStopped).catch(({ message }: Error) => {
    if (!isStopped)
      report(
        sentence`Usernames from before the rule could not be judged (${quoteScrubbed(message)}); the next start goes on.`,
      );
  });
  return async () => {
    isStopped = true;
    await judging;
  };
}

/** The same, until all are judged or it is stopped. */
export async function judgeNames(url: string, isStopped = () => false): Promise<void> {
  await withClient(url, "names", async (client) => {
    let judged = AT_ONCE;
    while (judged > 0 && !isStopped()) {
      const { rows } = await client.query("select private.judge_standing_names($1) as judged", [AT_ONCE]);
      judged = rows[0].judged;
    }
  });
}
