import { setTimeout as sleep } from "node:timers/promises";

/** Longer than the slowest recovery, on a busy machine. */
const PATIENCE_MS = 120_000;

/** Waits until it is so, and says in the end what was waited for in vain. */
export async function until(what: string, look: () => boolean | Promise<boolean>): Promise<void> {
  const latest = Date.now() + PATIENCE_MS;
  while (!(await look())) {
    if (Date.now() > latest) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`);
    await sleep(20);
  }
}
