import { StorageError } from "../storage-error.ts";

/** Runs at most `workers` tasks at a time, lets `waiting` more wait, and sends the rest away. */
export type WorkQueue = { run<T>(task: () => Promise<T>): Promise<T> };

/** @throws StorageError 429 where even the waiting room is full */
export function createWorkQueue(limits: { workers: number; waiting: number }): WorkQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < limits.workers) {
      running++;
      return;
    }
    if (waiting.length >= limits.waiting) throw tooBusy();
    // Whoever leaves hands the place over, so that nobody slips in between.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  return {
    async run(task) {
      await enter();
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}

function tooBusy(): StorageError {
  return new StorageError(429, "SlowDown", "Too many pictures are being rendered, please try again later", {
    headers: { "retry-after": "2" },
  });
}
