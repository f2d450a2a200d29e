import { ConfigurationError } from "#backend/configuration/variables.ts";

/** Why the site cannot start or go on, as one sentence for the operator; shown without a stack trace. */
export class StartError extends Error {
  override name = "StartError";
}

/** Exits with the cause: one sentence if the operator can fix it, otherwise the stack trace for developers. */
export function endWithFault(error: unknown): void {
  console.error(describeFault(error) ?? error);
  process.exitCode = 1;
}

const SYSTEM_FAULTS: Record<string, string> = {
  ENOSPC: "there is no room left on its disk",
  EDQUOT: "there is no room left for this user on its disk",
  EACCES: "this user may not write or read there",
  EPERM: "this user may not do that there",
  EROFS: "its disk can only be read",
  ENOTDIR: "a part of its path is not a folder",
  EISDIR: "it is a folder and not a file",
  EIO: "its disk is broken",
  EMFILE: "this process has too many files open",
};

/** A sentence for errors of the machine or the database; null for a bug. */
export function describeFault(error: unknown): string | null {
  if (error instanceof StartError || error instanceof ConfigurationError) return error.message;
  if (!(error instanceof Error)) return null;
  const {
    code = "",
    syscall = "",
    path,
    dest,
    severity,
  } = error as NodeJS.ErrnoException & { dest?: string; severity?: string };
  if (["connect", "getaddrinfo"].includes(syscall)) return `A server cannot be reached: ${error.message}.`;
  if (isConnectionLost(code, error.message))
    return `The connection to the database was lost: ${error.message}. Try again once it runs.`;
  const place = path ?? dest;
  if (code === "ENOENT" && ["mkdir", "mkdtemp"].includes(syscall))
    return `${place} cannot be used: no folder can be made there.`;
  if (place && SYSTEM_FAULTS[code]) return `${place} cannot be used: ${SYSTEM_FAULTS[code]}.`;
  if (SYSTEM_FAULTS[code]) return `A file cannot be used: ${SYSTEM_FAULTS[code]} (${error.message}).`;
  return severity ? `The database refused to be prepared: ${error.message} (SQLSTATE ${code}).` : null;
}

/** PostgreSQL was stopped or killed (SQLSTATE 57P01 to 57P03); pg's own errors have no code. */
function isConnectionLost(code: string, message: string): boolean {
  return /^(57P0[123]|ECONNRESET)$/.test(code) || /^Connection terminated|is not queryable$/.test(message);
}
