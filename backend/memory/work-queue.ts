import { createByteCache } from "./byte-cache.ts";

/**
 * Runs at most `workers` tasks at a time. The client for whom least was done so far comes first, so that one who sends
 * much, or what takes long, waits behind all others.
 */
export type WorkQueue = {
  /** `who` is empty where all are one and take no turns: then nothing is counted. */
  run<T>(who: string, task: () => Promise<T>): Promise<T>;
  /** Tasks that wait now. */
  waiting(): number;
};

/** Why a task is not run: too many of its client's wait, too many in all, or it has waited for too long. */
type Overload = "client" | "everybody" | "time";

export type WorkLimits = {
  workers: number;
  /** Tasks of one client that may wait; without limit unless said, as the next two. */
  waiting?: number;
  waitingInAll?: number;
  /** Milliseconds. */
  longestWait?: number;
  /** What `run` rejects with. */
  refusal: (reason: Overload) => Error;
};

/** Room for some ten thousand clients while there is no pause; who did not come for longest begins anew. */
const CLIENTS_BYTES = 2_000_000;
const NUMBER_BYTES = 8;

export function createWorkQueue(limits: WorkLimits): WorkQueue {
  const { workers, waiting: ofOne = Infinity, waitingInAll = Infinity, longestWait, refusal } = limits;
  const lines = new Map<string, Set<() => void>>();
  /** Milliseconds. */
  const spent = createByteCache<number>({ maxBytes: CLIENTS_BYTES, sizeOf: () => NUMBER_BYTES });
  let running = 0;
  let waiting = 0;

  /** Null where a worker is free: the hot path waits for nothing. */
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

  /** The worker is handed over, so that nobody slips in between. */
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
