import { Pool } from "pg";
import { quoteScrubbed, type Sentence, sentence } from "#backend/log/sentence.ts";
import type { Identity } from "#backend/tokens/identity.ts";

export type RefusalNotes = {
  /** Counts a refusal of what somebody wrote, without letting them wait for it. */
  note(identity: Identity, reason: string): void;
  close(): Promise<void>;
};

/**
 * Notes whose texts the database refused, and why, never the texts: whoever is refused again and again in a day is brought
 * before the moderators (`private.note_refusal`). A refusal takes back whatever its own transaction wrote, so this is another.
 */
export function noteRefusals(url: string, report: (line: Sentence) => void): RefusalNotes {
  const pool = new Pool({
    connectionString: url,
    application_name: "refusals",
    max: 1,
    idleTimeoutMillis: 10_000,
  });
  pool.on("error", () => {});
  let waiting = 0;
  return {
    note({ claims }, reason) {
      // A flood of refusals is counted long before this many wait.
      if (typeof claims.sub !== "string" || waiting >= 100) return;
      waiting += 1;
      pool
        .query("select private.note_refusal($1, $2)", [claims.sub, reason])
        .catch(({ message }: Error) =>
          report(sentence`A refused text could not be counted: ${quoteScrubbed(message)}.`),
        )
        .finally(() => {
          waiting -= 1;
        });
    },
    close: () => pool.end(),
  };
}
