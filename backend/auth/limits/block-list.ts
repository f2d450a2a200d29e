const REMEMBERED = 10_000;

/** Who is over a limit, so that a flood is refused from memory and does not reach the database. */
export type BlockList = {
  add(name: string, ms: number): void;
  remove(name: string): void;
  /** Milliseconds for which it still is; nothing or less when it is not. */
  remaining(name: string): number;
};

/** Of the most recent 10,000: the others are found in the database again. */
export function createBlockList(): BlockList {
  const ends = new Map<string, number>();
  return {
    add(name, ms) {
      if (ends.size >= REMEMBERED) ends.delete(ends.keys().next().value as string);
      ends.set(name, Date.now() + ms);
    },
    remove: (name) => void ends.delete(name),
    remaining: (name) => (ends.get(name) ?? 0) - Date.now(),
  };
}
