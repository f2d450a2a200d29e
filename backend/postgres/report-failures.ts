import { type DatabaseError, DatabaseUnavailableError } from "./database-error.ts";

/** SQLSTATE classes that are nobody's request: no room or memory left, a broken disk or file, PostgreSQL's own faults. */
const OWN_FAULT = /^(53|58|F0|XX)/;

/** A disk that is full, and one that cannot be read or written. */
const DISK_FAULT = /^(53100|58030)$/;

const REPEAT_AFTER_MS = 60_000;

/** What the operator is told of failures, and what is remembered of them. */
export type FailureReport = {
  tell(error: DatabaseError | DatabaseUnavailableError): void;
  /** Whether a statement found the database's disk full or broken within the last minute. */
  diskFailed(): boolean;
};

/**
 * Tells the operator of what no caller can mend, in the log of whoever runs the services: each kind once a minute, since
 * every request meets the same full disk.
 */
export function createFailureReport(
  report: (line: string) => void,
  now: () => number = Date.now,
): FailureReport {
  const toldAt = new Map<string, number>();
  let diskFailedAt = Number.NEGATIVE_INFINITY;
  return {
    tell(error) {
      const kind = error instanceof DatabaseUnavailableError ? error.reason : error.code;
      if (DISK_FAULT.test(kind)) diskFailedAt = now();
      const isOurs = error instanceof DatabaseUnavailableError || OWN_FAULT.test(kind);
      if (!isOurs || now() - (toldAt.get(kind) ?? Number.NEGATIVE_INFINITY) < REPEAT_AFTER_MS) return;
      toldAt.set(kind, now());
      report(describe(error).replace(/\s+/g, " "));
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
