import type { Pool, PoolClient } from "pg";
import { tracedWithin } from "#backend/log/traced.ts";
import type { Worker } from "#backend/memory/work-queue.ts";
import { Batch, type Row, type Step } from "./batch.ts";
import { DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";
import { describeStatements } from "./describe-statement.ts";
import { isHuge } from "./statement-cache.ts";

/** The pool, and how batches run on its connections. */
export type ConnectionSource = {
  pool: Pool;
  how: Omit<How, "undo">;
  client: string;
  /** The connections of workers that have one. */
  leases: WeakMap<Worker, Lease>;
};

/** A connection while batches run on it. */
type Lease = { client: Promise<PoolClient>; users: number; isBroken: boolean };

type How = { undo: boolean; prepared: boolean; answerTimeout?: number | undefined };

type Running = { undo?: boolean; worker?: Worker | undefined };

// A batch is one transaction: if it failed because of a stale statement, nothing happened and it can be retried.
const MISSING_STATEMENT = "26000";
const UNSUPPORTED = "0A000";

/** Runs a batch on one of the pool's connections, again if its statements had become stale. */
export function runBatch(source: ConnectionSource, steps: Step[], running: Running): Promise<Row[][]> {
  return tracedWithin(
    () => describeStatements(steps, source.client),
    () => runOnConnection(source, steps, running),
  );
}

async function runOnConnection(
  source: ConnectionSource,
  steps: Step[],
  { undo = false, worker }: Running,
): Promise<Row[][]> {
  const lease = takeLease(source, worker);
  let client: PoolClient | undefined;
  try {
    client = await lease.client;
    return await runRenewing(client, steps, { undo, ...source.how });
  } catch (cause) {
    const error = toDatabaseError(cause);
    if (error instanceof DatabaseUnavailableError) lease.isBroken = true;
    throw error;
  } finally {
    // Planning a huge statement bloats the backend; closing the connection releases its memory.
    if (steps.some(({ text }) => isHuge(text))) lease.isBroken = true;
    lease.users--;
    if (lease.users === 0) client?.release(lease.isBroken);
  }
}

/** Runs it once more, with new statements, if the server no longer has them or the schema changed. */
function runRenewing(client: PoolClient, steps: Step[], how: How): Promise<Row[][]> {
  return runOnce(client, steps, how).catch(({ cause, batch }: Failure) => {
    if (!isStale(cause)) throw cause;
    batch.forgetStatements();
    return runOnce(client, steps, how).catch((failure: Failure) => {
      throw failure.cause;
    });
  });
}

/** The connection that other batches of the worker are using, or one of the pool's. */
function takeLease({ pool, leases }: ConnectionSource, worker: Worker | undefined): Lease {
  const known = worker && leases.get(worker);
  if (known && known.users > 0 && !known.isBroken) {
    known.users++;
    return known;
  }
  const lease: Lease = { client: acquire(pool), users: 1, isBroken: false };
  if (worker) leases.set(worker, lease);
  return lease;
}

/** Why a batch failed. */
export type Failure = { cause: unknown; batch: Batch };

export function runOnce(client: PoolClient, steps: Step[], how: How): Promise<Row[][]> {
  const { connection } = client;
  const late = how.answerTimeout && setTimeout(() => connection.stream.destroy(), how.answerTimeout);
  const answer = new Promise<Row[][]>((resolve, reject) => {
    const batch: Batch = new Batch(steps, how, resolve, (cause) =>
      reject({ cause, batch } satisfies Failure),
    );
    client.query(batch);
  });
  return late ? answer.finally(() => clearTimeout(late)) : answer;
}

/**
 * Whether the server no longer has a prepared statement, or its result has other columns now. Not told by the message,
 * which is in the server's language.
 */
export function isStale(cause: unknown): boolean {
  const { code, routine } = cause as { code?: string; routine?: string };
  return code === MISSING_STATEMENT || (code === UNSUPPORTED && routine === "RevalidateCachedQuery");
}

export async function acquire(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (cause) {
    if (String((cause as Error).message).includes("timeout exceeded when trying to connect")) {
      throw new DatabaseUnavailableError(pool.totalCount >= pool.options.max ? "pool" : "connection", cause);
    }
    throw new DatabaseUnavailableError("connection", cause);
  }
}
