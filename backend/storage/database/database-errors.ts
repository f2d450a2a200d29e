import { DatabaseError, DatabaseUnavailableError, isExhausted } from "#backend/postgres/database.ts";
import { accessDenied, alreadyExists, invalidRequest, StorageError } from "../storage-error.ts";

/** Maps database errors to storage errors; other errors are returned unchanged. */
export function toStorageError(cause: unknown): unknown {
  if (cause instanceof DatabaseUnavailableError) return unavailable(cause);
  return cause instanceof DatabaseError ? fromDatabase(cause) : cause;
}

function unavailable({ reason }: DatabaseUnavailableError): StorageError {
  if (reason === "pool") {
    return new StorageError(544, "DatabaseTimeout", "The connection to the database timed out");
  }
  return noAnswer("The database can't be reached");
}

function noAnswer(message: string): StorageError {
  return new StorageError(503, "DatabaseError", message, { headers: { "retry-after": "1" } });
}

function fromDatabase(error: DatabaseError): unknown {
  const { code, message, routine } = error;
  if (code === "42501") {
    return accessDenied(
      routine === "ExecWithCheckOptions" ? "new row violates row-level security policy" : message,
    );
  }
  if (code === "23505") return alreadyExists();
  if (code === "23503") return new StorageError(404, "InvalidRequest", "The related resource does not exist");
  // A role that does not exist.
  if (code === "22023" && routine === "call_string_check_hook") return accessDenied();
  if (code === "57014")
    return new StorageError(544, "DatabaseTimeout", "The connection to the database timed out");
  if (isExhausted(error)) return noAnswer("The database has no room left");
  // A text with a NUL, a number out of range, JSON nested too deeply: invalid input of the caller's, in whatever field.
  if (code.startsWith("22") || code === "54001") return invalidRequest("Invalid input");
  // Messages of the operator's triggers and constraints are meant for the caller.
  if (code === "P0001" || code.startsWith("PT") || code.startsWith("23")) return invalidRequest(message);
  return error;
}
