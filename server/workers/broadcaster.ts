import type { Broadcast } from "./messages.ts";

/** Forwards a worker's message to all others, and tells the sender when all have acknowledged it. */
export function createBroadcaster(
  deliver: (to: number, message: Broadcast) => void,
  acknowledgedByAll: (sender: number, id: number) => void,
) {
  const pending = new Map<number, { sender: number; id: number; waiting: Set<number> }>();
  let counter = 0;

  function acknowledge(who: number, number: number): void {
    const one = pending.get(number);
    one?.waiting.delete(who);
    if (!one || one.waiting.size > 0) return;
    pending.delete(number);
    acknowledgedByAll(one.sender, one.id);
  }

  return {
    broadcast(sender: number, message: Broadcast, others: readonly number[]): void {
      if (others.length === 0) {
        acknowledgedByAll(sender, message.id);
        return;
      }
      const number = ++counter;
      pending.set(number, { sender, id: message.id, waiting: new Set(others) });
      for (const other of others) deliver(other, { ...message, id: number });
    },
    acknowledge,
    forget(who: number): void {
      for (const number of [...pending.keys()]) acknowledge(who, number);
    },
  };
}
