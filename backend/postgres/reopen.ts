import { setTimeout as wait } from "node:timers/promises";

const FIRST_DELAY = 100;
const LONGEST_DELAY = 2_000;

/** Opens what the database ended, as often as it takes; null once it is closed for good. */
export async function reopen<T>(open: () => Promise<T>, isClosed: () => boolean): Promise<T | null> {
  for (let delay = FIRST_DELAY; !isClosed(); delay = Math.min(delay * 2, LONGEST_DELAY)) {
    await wait(delay, undefined, { ref: false });
    const opened = isClosed() ? null : await open().catch(() => null);
    if (opened) return opened;
  }
  return null;
}
