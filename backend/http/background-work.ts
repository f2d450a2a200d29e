export type BackgroundWork = {
  run(work: () => Promise<void>): void;
  /** Resolves when no work is pending. */
  settle(): Promise<void>;
};

/** Work that continues after the response; failures are reported and otherwise ignored. */
export function createBackgroundWork(onFailure: (cause: unknown) => void): BackgroundWork {
  const underWay = new Set<Promise<void>>();
  return {
    run(work) {
      const done: Promise<void> = work()
        .catch(onFailure)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    async settle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
