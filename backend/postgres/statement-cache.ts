/** A statement prepared on one connection. Its result's columns are known once the server has described them. */
export type PreparedStatement = { name: string; columns: string[] | null };

/**
 * Which statements one connection has prepared: at most `limit`, least recently used first out, so that a stranger who
 * invents ever new queries cannot fill the server's memory.
 */
export class StatementCache {
  readonly #statements = new Map<string, PreparedStatement>();
  #toClose: string[] = [];
  #counter = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  find(key: string): PreparedStatement | undefined {
    const statement = this.#statements.get(key);
    if (!statement) return undefined;
    this.#statements.delete(key);
    this.#statements.set(key, statement);
    return statement;
  }

  add(key: string): PreparedStatement {
    const statement = { name: `s${++this.#counter}`, columns: null };
    this.#statements.set(key, statement);
    if (this.#statements.size > this.#limit) this.forget(this.#statements.keys().next().value as string);
    return statement;
  }

  /** After an error nobody knows whether the server has it: it gets closed, which is harmless if it never was. */
  forget(key: string): void {
    const statement = this.#statements.get(key);
    if (!statement) return;
    this.#statements.delete(key);
    this.#toClose.push(statement.name);
  }

  /** The names to close with the next batch; they are handed out once. */
  takeNamesToClose(): string[] {
    const names = this.#toClose;
    this.#toClose = [];
    return names;
  }
}
