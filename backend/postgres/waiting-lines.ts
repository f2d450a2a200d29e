import { DatabaseUnavailableError } from "./database-error.ts";

/** Who waits for a connection. */
export type Waiter<Connection> = {
  isGuest: boolean;
  since: number;
  resolve(connection: Connection): void;
  reject(cause: unknown): void;
};

export type WaitingLines<Connection> = {
  add(waiter: Waiter<Connection>): void;
  /** Takes whoever came first out of the line; guests stay in theirs while as many as may are inside. */
  takeFirst(): Waiter<Connection> | undefined;
  guestLeft(): void;
  /** After `add`, for whoever is still in a line then. */
  watch(): void;
  count(): number;
  refuseAll(cause: unknown): void;
};

/**
 * Guests and all others, each in the order of coming, and for `longestWait` milliseconds at most.
 * @param mostGuests that may be inside at a time
 */
export function createWaitingLines<Connection>(
  longestWait: number,
  mostGuests: number,
): WaitingLines<Connection> {
  let guestsInside = 0;
  const guests: Waiter<Connection>[] = [];
  const others: Waiter<Connection>[] = [];
  // One for all, since everybody waits as long: that of whoever has waited longest.
  let timer: NodeJS.Timeout | undefined;

  function watch(): void {
    if (timer) return;
    const first = Math.min(guests[0]?.since ?? Infinity, others[0]?.since ?? Infinity);
    if (first < Infinity) timer = setTimeout(giveUp, first + longestWait - Date.now()).unref();
  }

  function giveUp(): void {
    timer = undefined;
    const latest = Date.now() - longestWait;
    for (const line of [guests, others]) {
      while (line[0] && line[0].since <= latest)
        line.shift()?.reject(new DatabaseUnavailableError("pool", undefined));
    }
    watch();
  }

  return {
    add: (waiter) => void (waiter.isGuest ? guests : others).push(waiter),
    takeFirst() {
      const [other] = others;
      const guest = guestsInside < mostGuests ? guests[0] : undefined;
      if (!guest || (other && other.since < guest.since)) return others.shift();
      guestsInside++;
      return guests.shift();
    },
    guestLeft: () => void guestsInside--,
    watch,
    count: () => guests.length + others.length,
    refuseAll(cause) {
      clearTimeout(timer);
      for (const { reject } of [...guests.splice(0), ...others.splice(0)]) reject(cause);
    },
  };
}
