/** Work that runs one at a time, and whose result is for whoever asked before it began. */
export type SharedRuns<T> = {
  /** A run that begins from now on: one under way does not count, and many callers share the next. */
  next(): Promise<T>;
  /** The run under way, if there is one. */
  underWay(): Promise<T> | null;
};

/** Lets callers share the runs of `run`, such as reading a table anew after each notification. */
export function shareRuns<T>(run: () => Promise<T>): SharedRuns<T> {
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
