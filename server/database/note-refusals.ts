import type { Log } from "#backend/log/log.ts";
import { logText, quoteScrubbed } from "#backend/log/log-text.ts";
import { connectDatabase, type DatabaseError } from "#backend/postgres/database.ts";
import { SILENT_AFTER_MS } from "#backend/postgres/keep-alive.ts";
import type { Identity } from "#backend/tokens/identity.ts";

export type RefusalNotes = {
  /** Counts a refused text without delaying the response; other refusals are not counted. */
  note(identity: Identity, refusal: DatabaseError): void;
  close(): Promise<void>;
};

/** The constraint that the database names when it refuses what a user wanted to show others. */
const SAFE_TEXT = "safe_text";

/**
 * Records whose texts the database refused and why, never the texts themselves: users refused repeatedly within a day
 * are reported to the moderators (`private.note_refusal`). Needs a transaction of its own, since a refusal rolls back
 * the one that it occurs in.
 */
export function noteRefusals(url: string, report: Log): RefusalNotes {
  const database = connectDatabase({
    url,
    max: 1,
    answerTimeout: SILENT_AFTER_MS,
    applicationName: "refusals",
    idleTime: 10,
  });
  let waiting = 0;
  return {
    note({ claims }, { constraint, message: reason }) {
      if (typeof claims.sub !== "string" || constraint !== SAFE_TEXT) return;
      // A flood of refusals is counted long before this many are queued.
      if (waiting >= 100) return;
      waiting += 1;
      database
        .query("select private.note_refusal($1, $2)", [claims.sub, reason])
        .catch(({ message }: Error) =>
          report(logText`A refused text could not be counted: ${quoteScrubbed(message)}.`, "warn"),
        )
        .finally(() => {
          waiting -= 1;
        });
    },
    close: database.close,
  };
}
