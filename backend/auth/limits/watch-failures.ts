import { type LogText, logText } from "#backend/log/log-text.ts";
import { type ProcessGroup, SINGLE_PROCESS, shareOf } from "#backend/memory/process-group.ts";

const WINDOW_MS = 60_000;
const BURST = 100;
const QUIET_MS = 600_000;

/** Counts failed and rate-limited sign-ins. */
export type FailureWatch = { note(network: string | null): void };

/**
 * Logs a burst of a hundred within a minute, at most every ten minutes while it continues. The line contains no
 * personal data.
 */
export function watchFailures(
  log: (line: LogText) => void,
  processGroup: Pick<ProcessGroup, "size"> = SINGLE_PROCESS,
  now: () => number = () => performance.now(),
): FailureWatch {
  /** This process's share, since attempts are distributed over all processes. */
  const burst = shareOf(BURST, processGroup);
  let began = Number.NEGATIVE_INFINITY;
  let toldAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  let networks = new Set<string | null>();
  return {
    note(network) {
      if (now() - began >= WINDOW_MS) {
        began = now();
        count = 0;
        networks = new Set();
      }
      count++;
      // Bounded by the size of a burst.
      if (count <= burst) networks.add(network);
      if (count !== burst || now() - toldAt < QUIET_MS) return;
      toldAt = now();
      const from = networks.size === 1 ? logText`one network` : logText`${networks.size} networks`;
      log(
        logText`auth: ${BURST} sign-ins failed within a minute, from ${from}. Someone may be guessing passwords.`,
      );
    },
  };
}
