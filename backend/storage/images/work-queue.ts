import { StorageError } from "../storage-error.ts";

/**
 * Runs at most `workers` tasks at a time. Clients take turns, so that one who asks for much waits behind themselves;
 * beyond `waiting` tasks of one client they are sent away.
 */
export type WorkQueue = { run<T>(who: string, task: () => Promise<T>): Promise<T> };

/** @throws StorageError 429 where even the client's waiting room is full */
export function createWorkQueue(limits: { workers: number; waiting: number }): WorkQueue {
  // In the order of their turns: who was served goes to the end.
  const waiting = new Map<string, (() => void)[]>();
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
    const [turn] = waiting;
    if (!turn) return void running--;
    const [who, line] = turn;
    const next = line.shift();
    waiting.delete(who);
    if (line.length > 0) waiting.set(who, line);
    next?.();
  }

  return {
    async run(who, task) {
      await enter(who);
      try {
        return await task();
      } finally {
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
