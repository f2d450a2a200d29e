import { Client } from "pg";
import { quoteScrubbed, type Sentence, sentence } from "#backend/log/sentence.ts";

const EVERY_MS = 60 * 60_000;

/**
 * Deletes for good what people deleted from the chat more than 24 hours ago, now and every hour; gives how to stop. Each
 * deletion does the same in the database: this is for the time when nobody deletes anything. The addresses of parents who
 * did not answer go with them, and the views of items of days past.
 */
export function forgetDeletedMessages(url: string, report: (line: Sentence) => void): () => void {
  let stopped = false;
  const forgetSurely = () =>
    void forget(url).catch(({ message }: Error) => {
      if (!stopped)
        report(
          sentence`Deleted chat messages could not be forgotten (${quoteScrubbed(message)}); the next hour comes.`,
        );
    });
  const timer = setInterval(forgetSurely, EVERY_MS).unref();
  forgetSurely();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}

async function forget(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "clean-up" });
  // A connection that breaks fails the query too, which is told once.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(
      "select private.forget_deleted_messages(), private.forget_parents(), private.forget_item_views()",
    );
  } finally {
    await client.end();
  }
}
