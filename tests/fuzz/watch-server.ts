import type { Planned } from "./make-fuzz.ts";
import type { TestBed } from "./test-bed.ts";

/** No request may block all others for longer. */
export const LONGEST_HOLD_MS = 50;
/** `monitorEventLoopDelay` includes its own sampling interval in the delay. */
const RESOLUTION_MS = 10;
const TRIES = 3;
const AT_A_TIME = 32;
/** The number of samples needed to tell a trend from chance. */
const FEWEST_LOOKS = 40;

export type Look = {
  /** CPU time. */
  holdMs: number;
  /** Wall-clock time, including what other programs used. */
  delayMs: number;
  memory: number;
};

/** The server's own measurements since the previous look, taken inside its process. */
export async function look(testBed: TestBed): Promise<Look> {
  const figures = await testBed.readFigures();
  const read = (name: string) => figures.get(name) ?? Number.NaN;
  return {
    holdMs: await testBed.readHold(),
    delayMs: Math.max(0, read("nodejs_eventloop_lag_max_seconds") * 1000 - RESOLUTION_MS),
    memory: read("process_resident_memory_bytes"),
  };
}

/**
 * Which requests block the event loop every time they are sent alone: garbage collection or lazily loaded code delays
 * other requests the next time.
 */
export async function findHolders(
  testBed: TestBed,
  planned: readonly Planned[],
  send: (one: Planned) => Promise<unknown>,
): Promise<{ planned: Planned; holdMs: number }[]> {
  const shortestHold = async (few: readonly Planned[]) => {
    let shortest = Number.POSITIVE_INFINITY;
    for (let time = 0; time < TRIES && shortest > LONGEST_HOLD_MS; time++) {
      await testBed.readHold();
      for (const one of few) await send(one);
      shortest = Math.min(shortest, await testBed.readHold());
    }
    return shortest;
  };
  const found: { planned: Planned; holdMs: number }[] = [];
  for (let at = 0; at < planned.length; at += AT_A_TIME) {
    const few = planned.slice(at, at + AT_A_TIME);
    if ((await shortestHold(few)) <= LONGEST_HOLD_MS) continue;
    for (const one of few) {
      const holdMs = await shortestHold([one]);
      if (holdMs > LONGEST_HOLD_MS) found.push({ planned: one, holdMs });
    }
  }
  return found;
}

/** Why memory is not flat: compares its median in the last quarter with that of the second, when everything is warm. */
export function judgeMemory(looks: readonly Look[]): string | null {
  if (looks.length < FEWEST_LOOKS) return null;
  const quarter = Math.floor(looks.length / 4);
  const before = medianOf(looks.slice(quarter, 2 * quarter).map(({ memory }) => memory));
  const after = medianOf(looks.slice(-quarter).map(({ memory }) => memory));
  const toMb = (bytes: number) => Math.round(bytes / 1e6);
  return after > before * 1.15 + 32e6 ? `memory grew from ${toMb(before)} to ${toMb(after)} MB` : null;
}

export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
