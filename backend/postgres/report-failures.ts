import type { Log } from "#backend/log/log.ts";
import { quoteScrubbed } from "#backend/log/log-text.ts";
import { type DatabaseError, DatabaseUnavailableError } from "./database-error.ts";

/** SQLSTATE classes that no request causes: insufficient disk or memory, I/O errors, PostgreSQL's internal errors. */
const OWN_FAULT = /^(53|58|F0|XX)/;

/** Disk full, or I/O error. */
const DISK_FAULT = /^(53100|58030)$/;

const REPEAT_AFTER_MS = 60_000;

/** Reports failures to the operator and remembers disk failures. */
export type FailureReport = {
  record(error: DatabaseError | DatabaseUnavailableError): void;
  /** Whether a statement failed because of a full or broken disk within the last minute. */
  diskFailed(): boolean;
};

/** Logs failures that no caller can fix: each kind once a minute, since every request hits the same full disk. */
export function createFailureReport(report: Log, now: () => number = () => performance.now()): FailureReport {
  const reportedAt = new Map<string, number>();
  let diskFailedAt = Number.NEGATIVE_INFINITY;
  return {
    record(error) {
      const kind = error instanceof DatabaseUnavailableError ? error.reason : error.code;
      if (DISK_FAULT.test(kind)) diskFailedAt = now();
      const isOurs = error instanceof DatabaseUnavailableError || OWN_FAULT.test(kind);
      if (!isOurs || now() - (reportedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < REPEAT_AFTER_MS) return;
      reportedAt.set(kind, now());
      report(quoteScrubbed(describe(error).replace(/\s+/g, " ")), "error");
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
