import { type LogText, logText } from "#backend/log/log-text.ts";

/**
 * Logs events for the operator: the first occurrence at once, repeats as one line per minute, so that a flood of events
 * does not flood the log.
 */
export type Journal = {
  /** `what` is one of the service's own sentences and contains no client input. */
  note(what: LogText): void;
  /** How often `note` was called. */
  noted(): number;
  close(): void;
};

const AGAIN_MS = 60_000;

export function createJournal(log: (line: LogText) => void): Journal {
  /** Repeats of each line since it was last logged; after a quiet minute, a line is logged at once again. */
  const repeated = new Map<LogText, number>();

  let noted = 0;

  function logRepeated(): void {
    for (const [what, times] of repeated) {
      if (times === 0) repeated.delete(what);
      else {
        log(logText`${what} (${times} more ${times === 1 ? logText`time` : logText`times`})`);
        repeated.set(what, 0);
      }
    }
  }
  const timer = setInterval(logRepeated, AGAIN_MS).unref();

  return {
    noted: () => noted,
    note(what) {
      noted++;
      const times = repeated.get(what);
      repeated.set(what, times === undefined ? 0 : times + 1);
      if (times === undefined) log(what);
    },
    close() {
      clearInterval(timer);
      logRepeated();
    },
  };
}
