import { createByteCache } from "#backend/memory/byte-cache.ts";

/** A statement prepared on one connection. Its result's columns are known once the server has described them. */
export type PreparedStatement = { name: string; columns: string[] | null };

type Kept = { statement: PreparedStatement; length: number };

/** What one prepared statement takes of PostgreSQL's memory however short it is, and for each character: measured. */
const BYTES_PER_STATEMENT = 32 * 1024;
const BYTES_PER_CHARACTER = 250;
/** What is longer is sent once and not kept: a few of them would drive all others out. */
const LONGEST_KEPT = 8_192;

/** PostgreSQL's name for the statement that the next one replaces. */
const UNNAMED = "";

/**
 * Which statements one connection has prepared: so many that PostgreSQL needs `maxBytes` for them at most, the longest
 * unused out first, so that ever new or ever longer queries cannot fill the server's memory.
 */
export class StatementCache {
  readonly #statements;
  readonly #keepsNone: boolean;
  #toClose: string[] = [];
  #counter = 0;

  /** With no bytes at all nothing is kept: each statement goes with its batch. */
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

  /** One that is too long to be kept has no name, and is to be closed behind its use. */
  add(key: string): PreparedStatement {
    if (this.#keepsNone || key.length > LONGEST_KEPT) return { name: UNNAMED, columns: null };
    const statement = { name: `s${++this.#counter}`, columns: null };
    this.#statements.set(key, { statement, length: key.length });
    return statement;
  }

  /** After an error the server may or may not have it: it gets closed, which is harmless if it never was. */
  forget(key: string): void {
    if (this.#keepsNone) return;
    if (key.length > LONGEST_KEPT) this.#toClose.push(UNNAMED);
    else this.#statements.delete(key);
  }

  /** The names to close with the next batch; they are handed out once. */
  takeNamesToClose(): string[] {
    const names = this.#toClose;
    this.#toClose = [];
    return names;
  }
}

/**
 * Whether a statement is so long that planning it leaves its backend with tens of megabytes, which PostgreSQL keeps for as
 * long as the connection lives.
 */
export function isHuge(text: string): boolean {
  return text.length > LONGEST_KEPT;
}

/** Whether a statement goes with its batch. */
export function isKept({ name }: PreparedStatement): boolean {
  return name !== UNNAMED;
}
