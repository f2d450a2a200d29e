import { quoteScrubbed, type Sentence } from "#backend/log/sentence.ts";
import { type DatabaseError, DatabaseUnavailableError } from "./database-error.ts";

/** SQLSTATE classes that no request causes: no room or memory left, a broken disk or file, PostgreSQL's own faults. */
const OWN_FAULT = /^(53|58|F0|XX)/;

/** A disk that is full, and one that cannot be read or written. */
const DISK_FAULT = /^(53100|58030)$/;

const REPEAT_AFTER_MS = 60_000;

/** Reports failures to the operator and remembers those of the disk. */
export type FailureReport = {
  record(error: DatabaseError | DatabaseUnavailableError): void;
  /** Whether a statement found the database's disk full or broken within the last minute. */
  diskFailed(): boolean;
};

/**
 * Logs for the operator what no caller can mend: each kind once a minute, since every request meets the same full disk.
 */
export function createFailureReport(
  report: (line: Sentence) => void,
  now: () => number = () => performance.now(),
): FailureReport {
  const reportedAt = new Map<string, number>();
  let diskFailedAt = Number.NEGATIVE_INFINITY;
  return {
    record(error) {
      const kind = error instanceof DatabaseUnavailableError ? error.reason : error.code;
      if (DISK_FAULT.test(kind)) diskFailedAt = now();
      const isOurs = error instanceof DatabaseUnavailableError || OWN_FAULT.test(kind);
      if (!isOurs || now() - (reportedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < REPEAT_AFTER_MS) return;
      reportedAt.set(kind, now());
      report(quoteScrubbed(describe(error).replace(/\s+/g, " ")));
    },
    diskFailed: () => now() - diskFailedAt < REPEAT_AFTER_MS,
  };
}

function describe(error: DatabaseError | DatabaseUnavailableError): string {
  if (!(error instanceof DatabaseUnavailableError))
    return `The database fails: ${error.message} (SQLSTATE ${error.code})`;
  const cause = error.reason === "connection" ? `: ${(error.cause as Error | undefined)?.message}` : "";
  return `Requests fail: ${error.message}${cause}`;
}
