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

/** A queue whose workers may run several short tasks at a time. */
export type SharingQueue = WorkQueue & {
  /**
   * Tasks of the same `kind` are expected to take as long as its last ones did. Those that are short may share a worker
   * and get the same one passed.
   */
  runShared<T>(who: string, kind: string, task: (worker: Worker) => Promise<T>): Promise<T>;
};

/** One of the workers, which runs one task at a time, or several short ones. */
export type Worker = {
  tasks: number;
  /** Whether all of its tasks are short. */
  isShared: boolean;
  /** When its last task ended. */
  endedAt: number;
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
  /** How many short tasks a worker may run at the same time; one by default. */
  together?: number;
  /** Creates the error that `run` rejects with. */
  refusal: (reason: Overload) => Error;
};

/** Room for about ten thousand clients while the queue is busy; the least recently active are forgotten. */
const CLIENTS_BYTES = 2_000_000;
/** Room for some hundred kinds of tasks with names of a few kilobytes. */
const KINDS_BYTES = 1_000_000;
const NUMBER_BYTES = 8;
/** Milliseconds that a task of a kind takes on average, for it to share a worker: those behind it wait as long. */
const SHORT = 5;
/** Weight of the newest task in that average. */
const NEWEST = 1 / 8;

type Waiting = { begin(worker: Worker): void; isShort: boolean };

export function createWorkQueue(limits: WorkLimits): SharingQueue {
  const { workers, waiting: ofOne = Infinity, waitingInAll = Infinity, together = 1 } = limits;
  const { longestWait, refusal } = limits;
  const lines = new Map<string, Set<Waiting>>();
  /** Milliseconds of work per client. */
  const spent = createByteCache<number>({ maxBytes: CLIENTS_BYTES, sizeOf: () => NUMBER_BYTES });
  const durations = createDurations();
  const first = () => nextInLine(lines, (who) => spent.peek(who) ?? 0);
  let running = 0;
  let waiting = 0;

  /** A worker at once if one is free: the hot path awaits nothing. */
  function enter(who: string, isShort: boolean): Worker | Promise<Worker> {
    if (running < workers) {
      running++;
      return { tasks: 1, isShared: isShort, endedAt: 0 };
    }
    const line = lines.get(who) ?? new Set();
    if (line.size >= ofOne) throw refusal("client");
    if (waiting >= waitingInAll) throw refusal("everybody");
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        waiting--;
        line.delete(place);
        if (line.size === 0) lines.delete(who);
      };
      const place: Waiting = {
        isShort,
        begin(worker) {
          stopWaiting();
          resolve(worker);
        },
      };
      const giveUp = () => {
        stopWaiting();
        reject(refusal("time"));
      };
      const timer = longestWait === undefined ? undefined : setTimeout(giveUp, longestWait);
      lines.set(who, line.add(place));
      waiting++;
    });
  }

  /** Hands the worker directly to the next tasks, so that no other can slip in between. */
  function leave(worker: Worker): void {
    worker.tasks--;
    for (let next = first(); next && hasRoom(worker, next, together); next = first()) {
      worker.tasks++;
      worker.isShared = next.isShort;
      next.begin(worker);
    }
    if (worker.tasks > 0) return;
    running--;
    if (running === 0 && spent.size > 0) spent.clear();
  }

  /** Counts the time since the worker's previous task ended: tasks that share it run one after the other. */
  function account(who: string, kind: string | undefined, worker: Worker, startedAt: number): void {
    const now = performance.now();
    const duration = now - Math.max(startedAt, worker.endedAt);
    worker.endedAt = now;
    if (who !== "") spent.set(who, (spent.get(who) ?? 0) + duration);
    if (kind !== undefined) durations.record(kind, duration);
  }

  async function run<T>(
    who: string,
    kind: string | undefined,
    task: (worker: Worker) => Promise<T>,
  ): Promise<T> {
    const isShort = kind !== undefined && durations.isShort(kind);
    const entered = enter(who, isShort);
    const worker = entered instanceof Promise ? await entered : entered;
    const startedAt = performance.now();
    try {
      return await task(worker);
    } finally {
      account(who, kind, worker, startedAt);
      leave(worker);
    }
  }

  return {
    waiting: () => waiting,
    run: (who, task) => run(who, undefined, task),
    runShared: run,
  };
}

/** The first task of the client that has used the least time. */
function nextInLine(lines: Map<string, Set<Waiting>>, usedBy: (who: string) => number): Waiting | undefined {
  let least = Infinity;
  let next: Set<Waiting> | undefined;
  for (const [who, line] of lines) {
    const used = usedBy(who);
    if (used >= least) continue;
    least = used;
    next = line;
  }
  return next?.values().next().value;
}

function hasRoom({ tasks, isShared }: Worker, { isShort }: Waiting, together: number): boolean {
  return tasks === 0 || (isShared && isShort && tasks < together);
}

/** How long tasks of a kind take on average. */
function createDurations() {
  const averages = createByteCache<number>({ maxBytes: KINDS_BYTES, sizeOf: () => NUMBER_BYTES });
  return {
    isShort: (kind: string) => (averages.peek(kind) ?? Infinity) < SHORT,
    record(kind: string, duration: number) {
      const usual = averages.get(kind) ?? duration;
      averages.set(kind, usual + (duration - usual) * NEWEST);
    },
  };
}
