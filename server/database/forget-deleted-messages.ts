import { type Sentence, sentence } from "#backend/log/sentence.ts";
import { lookRegularly } from "./look-regularly.ts";

const EVERY_MS = 60 * 60_000;

/**
 * Deletes for good what people deleted from the chat more than 24 hours ago, now and every hour; gives how to stop. Each
 * deletion does the same in the database: this is for the time when nobody deletes anything. The addresses of parents who
 * did not answer go with them, and the views of items of days past.
 */
export function forgetDeletedMessages(url: string, report: (line: Sentence) => void): () => Promise<void> {
  const describe = (why: Sentence) =>
    sentence`Deleted chat messages could not be forgotten (${why}); the next hour comes.`;
  const options = { url, applicationName: "clean-up", idleTime: 10, every: EVERY_MS, describe, report };
  return lookRegularly(options, async (query) => {
    await query(
      "select private.forget_deleted_messages(), private.forget_parents(), private.forget_item_views()",
    );
  }).stop;
}
