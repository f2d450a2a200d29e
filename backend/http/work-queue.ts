/**
 * Runs at most `workers` tasks at a time. The client for whom least was done so far comes first, so that one who asks for
 * much, or for what takes long, waits behind all others; beyond `waiting` tasks of one client, or `waitingInAll` of
 * everybody, they are sent away.
 */
export type WorkQueue = { run<T>(who: string, task: () => Promise<T>): Promise<T> };

export type WorkLimits = {
  workers: number;
  waiting: number;
  /** Without limit unless said. */
  waitingInAll?: number;
  /** What `run` rejects with: the client's own waiting room is full, or everybody's. */
  refusal: (whose: "client" | "everybody") => Error;
};

/** So many clients are remembered while there is no pause; then all begin anew. */
const MOST_CLIENTS = 10_000;

export function createWorkQueue(limits: WorkLimits): WorkQueue {
  const { workers, waitingInAll = Number.POSITIVE_INFINITY, refusal } = limits;
  const lines = new Map<string, (() => void)[]>();
  /** Milliseconds. */
  const spent = new Map<string, number>();
  let running = 0;
  let waiting = 0;

  async function enter(who: string): Promise<void> {
    if (running < workers) {
      running++;
      return;
    }
    const line = lines.get(who) ?? [];
    if (line.length >= limits.waiting) throw refusal("client");
    if (waiting >= waitingInAll) throw refusal("everybody");
    lines.set(who, line);
    waiting++;
    // Whoever leaves hands the place over, so that nobody slips in between.
    await new Promise<void>((resolve) => line.push(resolve));
  }

  function leave(): void {
    const [next] = [...lines].sort(([a], [b]) => (spent.get(a) ?? 0) - (spent.get(b) ?? 0));
    if (!next) running--;
    if (running === 0 || spent.size > MOST_CLIENTS) spent.clear();
    if (!next) return;
    const [who, line] = next;
    waiting--;
    line.shift()?.();
    if (line.length === 0) lines.delete(who);
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
