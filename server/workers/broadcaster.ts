import type { Told } from "./messages.ts";

/** Forwards a worker's message to all others, and tells the sender when all have acknowledged it. */
export function createBroadcaster(
  hand: (to: number, told: Told) => void,
  heardByAll: (teller: number, id: number) => void,
) {
  const news = new Map<number, { teller: number; id: number; waiting: Set<number> }>();
  let counter = 0;

  function heard(who: number, number: number): void {
    const one = news.get(number);
    one?.waiting.delete(who);
    if (!one || one.waiting.size > 0) return;
    news.delete(number);
    heardByAll(one.teller, one.id);
  }

  return {
    tell(teller: number, told: Told, others: readonly number[]): void {
      if (others.length === 0) {
        heardByAll(teller, told.id);
        return;
      }
      const number = ++counter;
      news.set(number, { teller, id: told.id, waiting: new Set(others) });
      for (const other of others) hand(other, { ...told, id: number });
    },
    heard,
    forget(who: number): void {
      for (const number of [...news.keys()]) heard(who, number);
    },
  };
}
