import { createWorkQueue, type Worker } from "#backend/memory/work-queue.ts";
import { DatabaseUnavailableError } from "./database-error.ts";

/** On whose behalf a query runs; the site's own queries have neither field and never queue. */
export type QueryCaller = {
  /**
   * The network of an anonymous visitor. Visitors leave connections free for signed-in users, and networks with long
   * queries yield to the others.
   */
  guest?: string | undefined;
  /** Id of a signed-in user; users with long queries yield to the others too. */
  person?: string | undefined;
};

type QueryQueue = {
  /**
   * Rejects with `DatabaseUnavailableError` if it waits too long. Queries with a `kind` may share a connection where
   * queries of that kind are short: all that get the same worker.
   */
  run<T>(caller: QueryCaller, query: (worker?: Worker) => Promise<T>, kind?: string): Promise<T>;
  waiting(): number;
};

/** Maximum concurrent queries of signed-in users and of visitors, and the queueing timeout in milliseconds. */
type QueueLimits = { people: number; guests: number; longestWait: number };

/** How many short queries share a connection. */
const TOGETHER = 8;

/** Schedules queries for the pool's connections. */
export function createQueryQueue(limits: QueueLimits): QueryQueue {
  const refusal = () => new DatabaseUnavailableError("pool", undefined);
  const { longestWait } = limits;
  const guests = createWorkQueue({ workers: limits.guests, longestWait, together: TOGETHER, refusal });
  const people = createWorkQueue({ workers: limits.people, longestWait, together: TOGETHER, refusal });
  return {
    run({ guest, person }, query, kind) {
      const [queue, who] = guest === undefined ? [people, person] : [guests, guest];
      if (who === undefined) return query();
      return kind === undefined ? queue.run(who, query) : queue.runShared(who, kind, query);
    },
    waiting: () => guests.waiting() + people.waiting(),
  };
}
