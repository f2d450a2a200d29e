import { type Connection, Query } from "pg";
import { getOrMake } from "#backend/memory/get-or-make.ts";
import { isKept, type PreparedStatement, StatementCache } from "./statement-cache.ts";

/**
 * One prepared statement with text parameters. With row-level security, plans depend on the role, so a statement that
 * runs under several roles names its role in `planFor` and gets a prepared copy for each, instead of being replanned
 * whenever the role changes.
 */
export type Step = { text: string; values: (string | null)[]; planFor?: string };

/** A result row: each column as PostgreSQL's text, or null. */
export type Row = Record<string, string | null>;

// Runs the checks that are deferred to commit, then rolls back. Without a preceding BEGIN, both statements apply to the
// implicit transaction, with a warning.
const undoing: Step[] = [
  { text: "set constraints all immediate", values: [] },
  { text: "rollback", values: [] },
];

/** A step that was sent, and the rows received for it. */
type Answer = { statement: PreparedStatement | null; rows: Row[] };

/** PostgreSQL memory for the prepared statements of each connection. */
const PREPARED_BYTES = 12 * 1024 * 1024;
const caches = new WeakMap<Connection, StatementCache>();

/**
 * Several statements before a single Sync. PostgreSQL runs everything between two Syncs in one implicit transaction, so
 * `set_config(…, true)` in the first step lasts exactly as long as the batch, and a single round trip does the work of
 * BEGIN, settings, query and COMMIT. A `Query` because pg refuses other classes in pipeline mode, in which batches may be
 * sent before the ones ahead are answered.
 */
export class Batch extends Query {
  readonly #steps: Step[];
  readonly #answers: Answer[];
  readonly #resolve: (rows: Row[][]) => void;
  readonly #reject: (cause: unknown) => void;
  readonly #parsedNow: string[] = [];
  readonly #preparedBytes: number;
  /** The connection's cache, once the batch is sent. */
  #cache: StatementCache | null = null;
  #completed = 0;

  /**
   * Resolves with the rows of each step; with `undo`, deferred constraints are checked and everything is rolled back
   * after the last step. Without `prepared`, no statement outlives the batch: behind a pooler, the next batch may run
   * on another connection.
   */
  constructor(
    steps: Step[],
    { undo, prepared }: { undo: boolean; prepared: boolean },
    resolve: (rows: Row[][]) => void,
    reject: (cause: unknown) => void,
  ) {
    super("");
    this.#answers = steps.map(() => ({ statement: null, rows: [] }));
    this.#steps = undo ? [...steps, ...undoing] : steps;
    this.#preparedBytes = prepared ? PREPARED_BYTES : 0;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  override readonly submit = (connection: Connection): void => {
    const wire = connection as unknown as WireConnection;
    const cache = getOrMake(caches, connection, () => new StatementCache(this.#preparedBytes));
    this.#cache = cache;
    wire.stream.cork();
    for (const name of cache.takeNamesToClose()) wire.close({ type: "S", name });
    for (const [index, step] of this.#steps.entries()) this.#send(wire, cache, step, this.#answers[index]);
    wire.sync();
    // Batches that follow at once are sent in the same packet.
    process.nextTick(() => wire.stream.uncork());
  };

  #send(wire: WireConnection, cache: StatementCache, step: Step, answer: Answer | undefined): void {
    const key = keyOf(step);
    let statement = cache.find(key);
    if (!statement) {
      statement = cache.add(key);
      this.#parsedNow.push(key);
      wire.parse({ text: step.text, name: statement.name, types: [] });
    }
    wire.bind({ portal: "", statement: statement.name, values: step.values, binary: false });
    if (answer) {
      answer.statement = statement;
      if (!statement.columns) wire.describe({ type: "P", name: "" });
    }
    wire.execute({ portal: "", rows: 0 });
    if (!isKept(statement)) wire.close({ type: "S", name: statement.name });
  }

  handleRowDescription(message: { fields: { name: string }[] }): void {
    const statement = this.#answers[this.#completed]?.statement;
    if (statement) statement.columns = message.fields.map((field) => field.name);
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const answer = this.#answers[this.#completed];
    const columns = answer?.statement?.columns;
    if (!columns) return;
    const row: Row = {};
    for (let i = 0; i < columns.length; i++) row[columns[i] as string] = message.fields[i] as string | null;
    answer.rows.push(row);
  }

  handleCommandComplete(): void {
    this.#completed++;
  }

  handleEmptyQuery(): void {
    this.#completed++;
  }

  // `pg` drops the active query at the first error, so no other callback will follow.
  handleError(cause: unknown): void {
    for (const key of this.#parsedNow) this.#cache?.forget(key);
    this.#reject(cause);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#answers.map(({ rows }) => rows));
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail("copy is not possible here");
  }

  handleCopyData(): void {}

  /** Drops statements that the server no longer has, or whose result shape changed with the schema. */
  forgetStatements(): void {
    for (const step of this.#steps) this.#cache?.forget(keyOf(step));
  }
}

function keyOf(step: Step): string {
  return step.planFor ? `${step.planFor}\n${step.text}` : step.text;
}

/** The part of `pg`'s connection that its types omit. */
type WireConnection = {
  stream: { cork(): void; uncork(): void };
  close(message: { type: "S" | "P"; name: string }): void;
  parse(message: { text: string; name: string; types: number[] }): void;
  bind(message: { portal: string; statement: string; values: (string | null)[]; binary: boolean }): void;
  describe(message: { type: "S" | "P"; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  sync(): void;
};
