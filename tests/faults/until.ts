import { setTimeout as sleep } from "node:timers/promises";

/** Longer than the slowest recovery, on a busy machine. */
const PATIENCE_MS = 120_000;

/** Waits until `look` returns true; the timeout error says what it waited for. */
export async function until(what: string, look: () => boolean | Promise<boolean>): Promise<void> {
  const latest = Date.now() + PATIENCE_MS;
  while (!(await look())) {
    if (Date.now() > latest) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`);
    await sleep(20);
  }
}
