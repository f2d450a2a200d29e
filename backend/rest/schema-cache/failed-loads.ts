import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import { DatabaseUnavailableError } from "#backend/postgres/database.ts";
import { MissingSchemaError } from "./load-schema-cache.ts";

/** After how long to load again, in milliseconds: always, if a schema does not exist; otherwise at first. */
const RETRY_AFTER = 1000;
const LONGEST_RETRY = 30_000;

export type FailedLoads = {
  report(error: unknown): void;
  /** Loads again some time after a failure: whoever requested a reload does not ask again. */
  retry(error: unknown): void;
  /** A load succeeded. */
  forget(): void;
  close(): void;
};

/** Logs each reason why loading fails once, and loads again. */
export function createFailedLoads(load: () => Promise<unknown>, log: Log | undefined): FailedLoads {
  let timer: NodeJS.Timeout | undefined;
  let delay = RETRY_AFTER;
  let reported = "";
  let isClosed = false;

  return {
    report(error) {
      // The connections report it.
      if (error instanceof DatabaseUnavailableError) return;
      const names = error instanceof MissingSchemaError ? error.schemas.join(", ") : null;
      const reason = names ?? "another";
      if (reason === reported) return;
      reported = reason;
      const line =
        names === null
          ? logText`rest: the schema cache cannot be loaded, trying again: ${describeCause(error)}`
          : logText`rest: the database has no schema ${fromOperator(names)}: waiting for it`;
      log?.(line, "error");
    },
    retry(error) {
      if (isClosed || timer) return;
      const again = () => {
        timer = undefined;
        load().catch(() => {});
      };
      timer = setTimeout(again, error instanceof MissingSchemaError ? RETRY_AFTER : delay).unref();
      delay = Math.min(delay * 2, LONGEST_RETRY);
    },
    forget() {
      clearTimeout(timer);
      timer = undefined;
      delay = RETRY_AFTER;
      reported = "";
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
