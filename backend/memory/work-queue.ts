import { createByteCache } from "./byte-cache.ts";

/**
 * Runs at most `workers` tasks at a time. The client that has used the least time so far goes first, so that clients
 * with many or long tasks wait behind all others.
 */
export type WorkQueue = {
  /** `who` identifies the client; if empty, its time is not counted. */
  run<T>(who: string, task: () => Promise<T>): Promise<T>;
  /** Number of queued tasks. */
  waiting(): number;
};

/** Why a task is refused: too many queued for its client, too many in total, or it waited too long. */
type Overload = "client" | "everybody" | "time";

export type WorkLimits = {
  workers: number;
  /** Maximum queued tasks per client; unlimited by default, as are the next two. */
  waiting?: number;
  waitingInAll?: number;
  /** Milliseconds. */
  longestWait?: number;
  /** Creates the error that `run` rejects with. */
  refusal: (reason: Overload) => Error;
};

/** Room for about ten thousand clients while the queue is busy; the least recently active are forgotten. */
const CLIENTS_BYTES = 2_000_000;
const NUMBER_BYTES = 8;

export function createWorkQueue(limits: WorkLimits): WorkQueue {
  const { workers, waiting: ofOne = Infinity, waitingInAll = Infinity, longestWait, refusal } = limits;
  const lines = new Map<string, Set<() => void>>();
  /** Milliseconds of work per client. */
  const spent = createByteCache<number>({ maxBytes: CLIENTS_BYTES, sizeOf: () => NUMBER_BYTES });
  let running = 0;
  let waiting = 0;

  /** Null if a worker is free: the hot path awaits nothing. */
  function enter(who: string): Promise<void> | null {
    if (running < workers) {
      running++;
      return null;
    }
    const line = lines.get(who) ?? new Set();
    if (line.size >= ofOne) throw refusal("client");
    if (waiting >= waitingInAll) throw refusal("everybody");
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        waiting--;
        line.delete(begin);
        if (line.size === 0) lines.delete(who);
      };
      const begin = () => {
        stopWaiting();
        resolve();
      };
      const giveUp = () => {
        stopWaiting();
        reject(refusal("time"));
      };
      const timer = longestWait === undefined ? undefined : setTimeout(giveUp, longestWait);
      lines.set(who, line.add(begin));
      waiting++;
    });
  }

  /** Hands the worker directly to the next task, so that no other can slip in between. */
  function leave(): void {
    if (waiting === 0) running--;
    if (running === 0 && spent.size > 0) spent.clear();
    if (waiting === 0) return;
    const [next] = [...lines].sort(([a], [b]) => (spent.peek(a) ?? 0) - (spent.peek(b) ?? 0));
    const [begin] = next?.[1] ?? [];
    begin?.();
  }

  return {
    waiting: () => waiting,
    async run(who, task) {
      const wait = enter(who);
      if (wait) await wait;
      const start = who === "" ? 0 : performance.now();
      try {
        return await task();
      } finally {
        if (who !== "") spent.set(who, (spent.get(who) ?? 0) + performance.now() - start);
        leave();
      }
    },
  };
}
