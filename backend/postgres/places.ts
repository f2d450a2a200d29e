import { DatabaseUnavailableError } from "./database-error.ts";

/** A number of places; whoever finds none free waits in line. */
export type Places = {
  /** Null where a place was free, so that the hot path waits for nothing. Rejects when none becomes free in time. */
  take(): Promise<void> | null;
  leave(): void;
};

export function createPlaces(count: number, longestWait: number): Places {
  let free = count;
  const line = new Set<() => void>();

  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        line.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        line.delete(enter);
        reject(new DatabaseUnavailableError("pool", undefined));
      }, longestWait);
      line.add(enter);
    });

  return {
    take() {
      if (free === 0) return wait();
      free--;
      return null;
    },
    leave() {
      const [next] = line;
      if (next) next();
      else free++;
    },
  };
}
