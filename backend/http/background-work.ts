export type BackgroundWork = {
  run(work: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
};

/** Work that goes on after an answer; a failure is reported and ends nothing. */
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
