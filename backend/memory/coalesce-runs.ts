/** Work that runs once at a time, with results shared by all callers that asked before the run began. */
export type CoalescedRuns<T> = {
  /** A run that begins from now on: the current one does not count, and many callers share the next. */
  next(): Promise<T>;
  /** The current run, if any. */
  underWay(): Promise<T> | null;
};

/** Coalesces calls into shared runs of `run`, such as re-reading a table after each notification. */
export function coalesceRuns<T>(run: () => Promise<T>): CoalescedRuns<T> {
  let running: Promise<T> | null = null;
  let queued: Promise<T> | null = null;

  function start(): Promise<T> {
    queued = null;
    const next = run().finally(() => {
      if (running === next) running = null;
    });
    running = next;
    return next;
  }

  return {
    next() {
      if (queued) return queued;
      if (!running) return start();
      queued = running.then(start, start);
      return queued;
    },
    underWay: () => running,
  };
}
