import { createWorkQueue } from "#backend/memory/work-queue.ts";
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
  /** Rejects with `DatabaseUnavailableError` if it waits too long. */
  run<T>(caller: QueryCaller, query: () => Promise<T>): Promise<T>;
  waiting(): number;
};

/** Maximum concurrent queries of signed-in users and of visitors, and the queueing timeout in milliseconds. */
type QueueLimits = { people: number; guests: number; longestWait: number };

/** Schedules queries for the pool's connections. */
export function createQueryQueue(limits: QueueLimits): QueryQueue {
  const refusal = () => new DatabaseUnavailableError("pool", undefined);
  const { longestWait } = limits;
  const guests = createWorkQueue({ workers: limits.guests, longestWait, refusal });
  const people = createWorkQueue({ workers: limits.people, longestWait, refusal });
  return {
    run({ guest, person }, query) {
      if (guest !== undefined) return guests.run(guest, query);
      return person === undefined ? query() : people.run(person, query);
    },
    waiting: () => guests.waiting() + people.waiting(),
  };
}
