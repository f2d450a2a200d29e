/** What PostgreSQL answered instead of a result: its fields as sent (SQLSTATE in `code`). */
export class DatabaseError extends Error {
  override name = "DatabaseError";
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly constraint: string | null;

  constructor(fields: DatabaseErrorFields) {
    super(fields.message);
    this.code = fields.code;
    this.detail = fields.detail ?? null;
    this.hint = fields.hint ?? null;
    this.constraint = fields.constraint ?? null;
  }
}

type DatabaseErrorFields = { code: string; message: string } & Partial<
  Record<"detail" | "hint" | "constraint", string | undefined>
>;

/**
 * No answer came at all: `connection` when there is no server (or it went away, and it is unknown whether a write was
 * committed), `pool` when every connection stayed busy for too long.
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

/**
 * An error of a statement carries a SQLSTATE. Anything else that `pg` raises, and what the server says while it ends
 * the connection (severity FATAL), is a lost or refused connection.
 */
export function toDatabaseError(cause: unknown): DatabaseError | DatabaseUnavailableError {
  if (cause instanceof DatabaseError || cause instanceof DatabaseUnavailableError) return cause;
  const fields = cause as Partial<DatabaseErrorFields> & { severity?: string };
  const isStatementError = fields?.severity === "ERROR" && fields.code && fields.message;
  return isStatementError
    ? new DatabaseError(fields as DatabaseErrorFields)
    : new DatabaseUnavailableError("connection", cause);
}
