/** Runs at most `concurrency` jobs at once, in order; with `maxWaiting` behind them a further one is refused. */
export function createQueue(
  concurrency: number,
  maxWaiting: number,
  refusal: () => Error,
): <T>(job: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (job) => {
    if (running >= concurrency) {
      if (waiting.length >= maxWaiting) throw refusal();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
