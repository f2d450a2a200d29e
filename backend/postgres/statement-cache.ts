import { createByteCache } from "#backend/memory/byte-cache.ts";

/** A statement prepared on one connection. Its columns are known once the server has described them. */
export type PreparedStatement = { name: string; columns: string[] | null };

type Kept = { statement: PreparedStatement; length: number };

/** Measured PostgreSQL memory of a prepared statement: a fixed amount plus an amount per character. */
const BYTES_PER_STATEMENT = 32 * 1024;
const BYTES_PER_CHARACTER = 250;
/** Longer statements are not cached: a few of them would evict all others. */
const LONGEST_KEPT = 8_192;

/** PostgreSQL's unnamed statement, replaced by the next one. */
const UNNAMED = "";

/**
 * The statements prepared on one connection, using at most `maxBytes` of PostgreSQL's memory; the least recently used
 * are evicted, so that ever new or ever longer queries cannot exhaust the server's memory.
 */
export class StatementCache {
  readonly #statements;
  readonly #keepsNone: boolean;
  #toClose: string[] = [];
  #counter = 0;

  /** With 0 bytes nothing is kept: each statement is closed with its batch. */
  constructor(maxBytes: number) {
    this.#keepsNone = maxBytes === 0;
    this.#statements = createByteCache<Kept>({
      maxBytes,
      sizeOf: ({ length }) => BYTES_PER_STATEMENT + length * BYTES_PER_CHARACTER,
      onDrop: ({ statement }) => void this.#toClose.push(statement.name),
    });
  }

  find(key: string): PreparedStatement | undefined {
    return this.#statements.get(key)?.statement;
  }

  /** A statement too long to be kept is unnamed, and must be closed after use. */
  add(key: string): PreparedStatement {
    if (this.#keepsNone || key.length > LONGEST_KEPT) return { name: UNNAMED, columns: null };
    const statement = { name: `s${++this.#counter}`, columns: null };
    this.#statements.set(key, { statement, length: key.length });
    return statement;
  }

  /** After an error the server may or may not have the statement; closing one that does not exist is harmless. */
  forget(key: string): void {
    if (this.#keepsNone) return;
    if (key.length > LONGEST_KEPT) this.#toClose.push(UNNAMED);
    else this.#statements.delete(key);
  }

  /** Names to close with the next batch; each is returned once. */
  takeNamesToClose(): string[] {
    const names = this.#toClose;
    this.#toClose = [];
    return names;
  }
}

/**
 * Whether a statement is so long that planning it leaves tens of megabytes in its backend, which PostgreSQL keeps for
 * the lifetime of the connection.
 */
export function isHuge(text: string): boolean {
  return text.length > LONGEST_KEPT;
}

/** Whether a statement outlives its batch. */
export function isKept({ name }: PreparedStatement): boolean {
  return name !== UNNAMED;
}
