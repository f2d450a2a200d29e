import { StorageError } from "../storage-error.ts";

/**
 * Runs at most `workers` tasks at a time. The client for whom least was done so far comes first, so that one who asks for
 * much, or for what takes long, waits behind all others; beyond `waiting` tasks of one client they are sent away.
 */
export type WorkQueue = { run<T>(who: string, task: () => Promise<T>): Promise<T> };

/** So many clients are remembered while there is no pause; then all begin anew. */
const MOST_CLIENTS = 10_000;

/** @throws StorageError 429 where even the client's waiting room is full */
export function createWorkQueue(limits: { workers: number; waiting: number }): WorkQueue {
  const waiting = new Map<string, (() => void)[]>();
  /** Milliseconds. */
  const spent = new Map<string, number>();
  let running = 0;

  async function enter(who: string): Promise<void> {
    if (running < limits.workers) {
      running++;
      return;
    }
    const line = waiting.get(who) ?? [];
    if (line.length >= limits.waiting) throw tooBusy();
    waiting.set(who, line);
    // Whoever leaves hands the place over, so that nobody slips in between.
    await new Promise<void>((resolve) => line.push(resolve));
  }

  function leave(): void {
    const [next] = [...waiting].sort(([a], [b]) => (spent.get(a) ?? 0) - (spent.get(b) ?? 0));
    if (!next) running--;
    if (running === 0 || spent.size > MOST_CLIENTS) spent.clear();
    if (!next) return;
    const [who, line] = next;
    line.shift()?.();
    if (line.length === 0) waiting.delete(who);
  }

  return {
    async run(who, task) {
      await enter(who);
      const start = performance.now();
      try {
        return await task();
      } finally {
        spent.set(who, (spent.get(who) ?? 0) + performance.now() - start);
        leave();
      }
    },
  };
}

function tooBusy(): StorageError {
  return new StorageError(429, "SlowDown", "Too many pictures are being worked on, please try again later", {
    headers: { "retry-after": "2" },
  });
}
