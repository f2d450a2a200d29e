import { type DatabaseError, DatabaseUnavailableError } from "./database-error.ts";

/** SQLSTATE classes that are nobody's request: no room or memory left, a broken disk or file, PostgreSQL's own faults. */
const OWN_FAULT = /^(53|58|F0|XX)/;

const REPEAT_AFTER_MS = 60_000;

/**
 * Tells the operator of what no caller can mend, in the log of whoever runs the services: each kind once a minute, since
 * every request meets the same full disk.
 */
export function createFailureReport(
  report: (line: string) => void,
  now: () => number = Date.now,
): (error: DatabaseError | DatabaseUnavailableError) => void {
  const toldAt = new Map<string, number>();
  return (error) => {
    const kind = error instanceof DatabaseUnavailableError ? error.reason : error.code;
    const isOurs = error instanceof DatabaseUnavailableError || OWN_FAULT.test(kind);
    if (!isOurs || now() - (toldAt.get(kind) ?? Number.NEGATIVE_INFINITY) < REPEAT_AFTER_MS) return;
    toldAt.set(kind, now());
    report(describe(error).replace(/\s+/g, " "));
  };
}

function describe(error: DatabaseError | DatabaseUnavailableError): string {
  if (!(error instanceof DatabaseUnavailableError))
    return `The database fails: ${error.message} (SQLSTATE ${error.code})`;
  const cause = error.reason === "connection" ? `: ${(error.cause as Error | undefined)?.message}` : "";
  return `Requests fail: ${error.message}${cause}`;
}
