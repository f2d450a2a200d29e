import { Pool } from "pg";
import type { Log } from "#backend/log/log.ts";
import { tracedWithin } from "#backend/log/traced.ts";
import type { Row, Step } from "./batch.ts";
import { DatabaseError, DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";
import { describeStatements } from "./describe-statement.ts";
import { KEEP_ALIVE } from "./keep-alive.ts";
import { listen, type Subscription } from "./listen.ts";
import { createQueryQueue, type QueryCaller } from "./query-queue.ts";
import { createFailureReport } from "./report-failures.ts";
import { acquire, type ConnectionSource, type Failure, isStale, runBatch, runOnce } from "./run-batch.ts";

export type { Row, Step } from "./batch.ts";
export { DatabaseError, DatabaseUnavailableError, isExhausted } from "./database-error.ts";

export type DatabaseOptions = {
  /** `postgres://…`; the user must be able to assume the tokens' roles. */
  url: string;
  /** Maximum connections. Each runs one request at a time, or several short reads in turn; more than a few per core only queue in PostgreSQL. */
  max?: number;
  /** Maximum connections that anonymous visitors may use at a time; all by default. */
  guests?: number;
  /** Milliseconds that a request waits for a free connection before it is refused. */
  acquireTimeout?: number;
  /** PostgreSQL's `statement_timeout` in milliseconds; 0 for none. */
  statementTimeout?: number;
  /**
   * Milliseconds after which a connection that has not answered is closed, as a firewall may have dropped it: what was
   * sent on such a connection is repeated for a quarter of an hour. None by default, as statements may take long.
   */
  answerTimeout?: number | undefined;
  applicationName?: string;
  /**
   * Set to false behind a pooler in transaction mode, where each transaction may get another connection; true by
   * default.
   */
  prepared?: boolean;
  /** The same login bypassing such a pooler, for LISTEN; defaults to `url`. */
  listenUrl?: string | undefined;
  /** Seconds after which an unused connection is closed. */
  idleTime?: number;
  /** Seconds after which a connection is replaced; never by default. */
  lifetime?: number;
  /** Called when the database turns out to be unreachable. */
  onLost?: (() => void) | undefined;
  /** Gets a line about failures that no caller can fix, such as a full disk: each kind once a minute. */
  report?: Log | undefined;
};

/** Runs one statement; parameters and results are text. */
export type Query = (text: string, values?: (string | null)[]) => Promise<Row[]>;

/** Runs several statements in one round trip, all or none of them; resolves with the rows of each. */
export type Run = (steps: Step[]) => Promise<Row[][]>;

type BatchOptions = QueryCaller & {
  /** Rolls everything back after the last step, whose rows are still returned. */
  undo?: boolean;
  /** Reads only data that everyone may read, so a replica may serve it. */
  shared?: boolean;
  /** Writes nothing: where short, it may be sent on a connection before the batches ahead of it are answered. */
  readOnly?: boolean;
};

/**
 * The only access to PostgreSQL. Every method rejects with `DatabaseError` or `DatabaseUnavailableError`. What PostgreSQL
 * rolls back to end a deadlock runs once more.
 */
export type Database = {
  /** Runs all steps in one implicit transaction and one round trip; resolves with the last step's rows. */
  batch(steps: Step[], options?: BatchOptions): Promise<Row[]>;
  /** A batch, never on a replica, that resolves with the rows of every step. */
  run(steps: Step[], options?: Omit<BatchOptions, "shared">): Promise<Row[][]>;
  /** Runs one statement as the login role; parameters are text. */
  query: Query;
  /**
   * Runs several statements in one transaction on one connection, one round trip each, with decisions in between.
   * Commits when `work` resolves; rolls back when it rejects, and rejects with the same error. `work` changes only the
   * database, as it may run again. If one round trip suffices, `run` is cheaper.
   */
  transaction<T>(work: (query: Query, run: Run) => Promise<T>): Promise<T>;
  /**
   * Calls back with each payload notified on `channel`, and with `null` after a reconnection, as some may have been
   * missed.
   */
  listen(channel: string, onPayload: (payload: string | null) => void): Promise<Subscription>;
  /** Whether a statement failed because of a full or broken disk within the last minute. */
  diskFailed(): boolean;
  /** Current pool usage, and how many requests timed out waiting for a connection. */
  use(): PoolUse;
  close(): Promise<void>;
};

export type PoolUse = { max: number; available: number; waiting: number; timeouts: number };

const DEFAULT_MAX = 10;
const DEFAULT_ACQUIRE_TIMEOUT = 10_000;
// A new connection costs a visitor about ten milliseconds; firewalls drop silent ones after about six minutes.
const IDLE_FOR = 300_000;

export function connectDatabase(options: DatabaseOptions): Database {
  const acquireTimeout = options.acquireTimeout ?? DEFAULT_ACQUIRE_TIMEOUT;
  const prepared = options.prepared ?? true;
  const pool = new Pool({
    connectionString: options.url,
    pipeline: prepared,
    max: options.max ?? DEFAULT_MAX,
    connectionTimeoutMillis: acquireTimeout,
    ...KEEP_ALIVE,
    idleTimeoutMillis: options.idleTime ? options.idleTime * 1000 : IDLE_FOR,
    ...(options.lifetime && { maxLifetimeSeconds: options.lifetime }),
    application_name: options.applicationName ?? "backend",
    ...(options.statementTimeout ? { statement_timeout: options.statementTimeout } : {}),
  });
  // A connection that dies while idle is replaced by the next request; without a listener, the error would crash the
  // process.
  pool.on("error", () => {});
  // The same for one that dies during a batch; the batch gets the error.
  pool.on("connect", (client) => client.on("error", () => {}));
  const subscriptions = new Set<Subscription>();
  const queue = createQueryQueue({
    people: options.max ?? DEFAULT_MAX,
    guests: options.guests ?? Infinity,
    longestWait: acquireTimeout,
  });
  let timeouts = 0;
  const client = options.applicationName ?? "backend";
  const how = { prepared, answerTimeout: options.answerTimeout };
  const source: ConnectionSource = { pool, how, client, leases: new WeakMap() };
  const failures = createFailureReport(options.report ?? (() => {}));
  const reporting = <T>(work: () => Promise<T>) =>
    againAfterDeadlock(work).catch((error) => {
      if (error instanceof DatabaseError || error instanceof DatabaseUnavailableError) failures.record(error);
      if (error instanceof DatabaseUnavailableError && error.reason === "connection") options.onLost?.();
      if (error instanceof DatabaseUnavailableError && error.reason === "pool") timeouts++;
      throw error;
    });

  function runAll(
    steps: Step[],
    { undo = false, readOnly = false, ...caller }: BatchOptions = {},
  ): Promise<Row[][]> {
    const kind = readOnly && prepared ? steps.at(-1)?.text : undefined;
    return reporting(() => queue.run(caller, (worker) => runBatch(source, steps, { undo, worker }), kind));
  }
  return {
    batch: async (steps, options) => lastOf(await runAll(steps, options)),
    run: runAll,
    query: async (text, values = []) =>
      lastOf(await reporting(() => runBatch(source, [{ text, values }], {}))),
    transaction: (work) => reporting(() => runTransaction(source, work)),
    async listen(channel, onPayload) {
      const listenOptions = { url: options.listenUrl ?? options.url, patience: acquireTimeout };
      const subscription = await listen(listenOptions, channel, onPayload);
      subscriptions.add(subscription);
      return subscription;
    },
    diskFailed: failures.diskFailed,
    use: () => ({
      max: pool.options.max,
      available: pool.options.max - pool.totalCount + pool.idleCount,
      waiting: pool.waitingCount + queue.waiting(),
      timeouts,
    }),
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.close()));
      await pool.end();
    },
  };
}

/** Of two transactions that wait for each other, PostgreSQL ends one; it fails for no fault of its caller. */
async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === "40P01")) throw error;
    return work();
  }
}

const lastOf = (rows: Row[][]): Row[] => rows.at(-1) ?? [];

async function runTransaction<T>(
  { pool, how, client: name }: ConnectionSource,
  work: (query: Query, run: Run) => Promise<T>,
): Promise<T> {
  const client = await acquire(pool);
  let broken: Error | undefined;
  const send = (steps: Step[]) =>
    tracedWithin(
      () => describeStatements(steps, name),
      () => runOnce(client, steps, { undo: false, ...how }),
    );
  const run: Run = (steps) =>
    send(steps).catch(({ cause, batch }: Failure) => {
      // The current transaction has failed; only the next one can prepare the statement again.
      if (isStale(cause)) batch.forgetStatements();
      const error = toDatabaseError(cause);
      if (error instanceof DatabaseUnavailableError) broken = error;
      throw error;
    });
  const query: Query = async (text, values = []) => lastOf(await run([{ text, values }]));
  try {
    await query("begin");
    const result = await work(query, run);
    await query("commit");
    return result;
  } catch (error) {
    // A lost connection has nothing to roll back; one whose rollback fails is not reused.
    if (!broken) await query("rollback").catch((cause) => (broken = cause));
    throw error;
  } finally {
    client.release(broken);
  }
}
