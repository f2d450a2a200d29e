import { createByteCache } from "#backend/memory/byte-cache.ts";

const REMEMBERED_BYTES = 2_500_000;
const NUMBER_BYTES = 8;

/** Keys over their limit: a flood is refused from memory and does not reach the database. */
export type BlockList = {
  add(name: string, ms: number): void;
  remove(name: string): void;
  /** Milliseconds left; zero or less when it is not blocked. */
  remaining(name: string): number;
};

/** Holds the most recent 10,000 or so; for others the database is consulted again. */
export function createBlockList(): BlockList {
  const ends = createByteCache<number>({ maxBytes: REMEMBERED_BYTES, sizeOf: () => NUMBER_BYTES });
  return {
    add: (name, ms) => ends.set(name, Date.now() + ms),
    remove: (name) => void ends.delete(name),
    remaining: (name) => (ends.get(name) ?? 0) - Date.now(),
  };
}
