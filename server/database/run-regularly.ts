import { type LogText, quoteScrubbed } from "#backend/log/log-text.ts";
import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import {
  connectDatabase,
  type DatabaseOptions,
  DatabaseUnavailableError,
  type Query,
} from "#backend/postgres/database.ts";
import { SILENT_AFTER_MS } from "#backend/postgres/keep-alive.ts";
import { listenWhenUp } from "#backend/postgres/listen.ts";

type Options = Pick<DatabaseOptions, "url" | "applicationName" | "idleTime" | "answerTimeout"> & {
  /** In milliseconds. */
  every: number;
  /** A channel whose notifications trigger a run at once. */
  channel?: string;
  onFailure: (why: LogText) => void;
};

export type RegularJob = {
  /** Resolves after a run that starts from now on: a run in progress does not count. */
  next(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Runs a database job at regular intervals on a connection of its own, one run at a time. Only the first of repeated
 * failures is reported.
 */
export function runRegularly(
  { every, channel, onFailure, ...connection }: Options,
  look: (query: Query, stopped: AbortSignal) => Promise<void>,
): RegularJob {
  const database = connectDatabase({ answerTimeout: SILENT_AFTER_MS, ...connection, max: 1 });
  const abort = new AbortController();
  let isTold = false;
  const looks = coalesceRuns(async () => {
    try {
      await look(database.query, abort.signal);
      isTold = false;
    } catch (error) {
      if (!isTold && !abort.signal.aborted) onFailure(quoteScrubbed((error as Error).message));
      isTold = true;
    }
  });
  const subscription = channel ? listenWhenUp(database, channel, () => void looks.next()) : null;
  const begin = () => void (looks.underWay() ?? looks.next());
  const timer = setInterval(begin, every).unref();
  subscription?.ensure();
  begin();
  return {
    next: looks.next,
    async stop() {
      abort.abort();
      clearInterval(timer);
      await subscription?.close();
      await looks.underWay();
      await database.close();
    },
  };
}

/**
 * Does the work for one after the other. One for which it fails keeps it from no other, now and at every later run.
 * @throws the first failure, once all have had their turn; at once if the database is away
 */
export async function doForEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items)
    await work(item).catch((cause) => {
      if (cause instanceof DatabaseUnavailableError) throw cause;
      failures.push(cause);
    });
  if (failures.length > 0) throw failures[0];
}
