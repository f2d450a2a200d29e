/** An error reported by PostgreSQL, with its fields as sent (SQLSTATE in `code`). */
export class DatabaseError extends Error {
  override name = "DatabaseError";
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly constraint: string | null;
  /** The function of the server that raised it, unlike the message the same in every language. */
  readonly routine: string | null;

  constructor(fields: DatabaseErrorFields) {
    super(fields.message);
    this.code = fields.code;
    this.detail = fields.detail ?? null;
    this.hint = fields.hint ?? null;
    this.constraint = fields.constraint ?? null;
    this.routine = fields.routine ?? null;
  }
}

type DatabaseErrorFields = { code: string; message: string } & Partial<
  Record<"detail" | "hint" | "constraint" | "routine", string | undefined>
>;

/**
 * PostgreSQL gave no answer: `connection` if it cannot be reached (or the connection was lost, leaving it unknown
 * whether a write was committed), `pool` if no connection became free in time.
 */
export class DatabaseUnavailableError extends Error {
  override name = "DatabaseUnavailableError";
  readonly reason: "connection" | "pool";

  constructor(reason: "connection" | "pool", cause: unknown) {
    super(
      reason === "pool" ? "no database connection became free in time" : "the database can't be reached",
      { cause },
    );
    this.reason = reason;
  }
}

/** The server lacks disk, memory or connections for any request of this kind, and may have them later. */
export function isExhausted({ code }: DatabaseError): boolean {
  return code.startsWith("53");
}

/** SQLSTATEs with which the server ends a connection. */
const ENDS_CONNECTION = /^(08|25P0[34]|57P0[1-5])/;

/**
 * An error that the server sends for a statement becomes a `DatabaseError`. Anything else that `pg` throws, and any error
 * with which the server ends the connection, counts as a lost connection.
 */
export function toDatabaseError(cause: unknown): DatabaseError | DatabaseUnavailableError {
  if (cause instanceof DatabaseError || cause instanceof DatabaseUnavailableError) return cause;
  const fields = cause as Partial<DatabaseErrorFields> & { severity?: string };
  return isOfStatement(fields ?? {})
    ? new DatabaseError(fields as DatabaseErrorFields)
    : new DatabaseUnavailableError("connection", cause);
}

/** The severity is in the server's language (`lc_messages`), like the message, which may be empty. */
function isOfStatement({ severity, code }: { severity?: string; code?: string }): boolean {
  if (!severity || !code) return false;
  if (severity === "ERROR") return true;
  return severity !== "FATAL" && severity !== "PANIC" && !ENDS_CONNECTION.test(code);
}
