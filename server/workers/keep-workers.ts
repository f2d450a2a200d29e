import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, sentence } from "#backend/log/sentence.ts";
import { createWorkerStarter, type Member, type StarterOptions } from "./start-worker.ts";

const TOLD = 5;
const WINDOW_MS = 60_000;
const LONGEST_PAUSE_MS = 3_000;

export type Workers = { address: string; operatorAddress: string | null; stop(): Promise<void> };

/** Starts the workers, and another one in the place of each that ends by itself. Rejects when the first ones cannot start. */
export async function keepWorkers(options: StarterOptions, log: Log): Promise<Workers> {
  const start = createWorkerStarter(options);
  const places = Array.from({ length: options.count }, (_, place) => start(place));
  let stopping = false;

  async function stop(): Promise<void> {
    stopping = true;
    await Promise.all(places.map((member) => member.retire()));
  }

  async function keep(place: number): Promise<void> {
    const pauses = createPauses(log);
    while (!stopping) {
      const member = places[place] as Member;
      const how = await member.ended;
      if (stopping || member !== places[place]) continue;
      await sleep(pauses.after(how), undefined, { ref: false });
      if (!stopping) places[place] = start(place);
    }
  }

  try {
    const [first] = await Promise.all(places.map(({ opened }) => opened));
    const { address = "", operatorAddress = null } = first ?? {};
    for (const place of places.keys()) void keep(place);
    return { address, operatorAddress, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How long to wait before another one is started: not at all, then ever longer. The first few ends are told, and then that there are many. */
function createPauses(log: Log): { after(how: string): number } {
  let ends: number[] = [];
  return {
    after(how) {
      const now = Date.now();
      ends = [...ends.filter((at) => now - at < WINDOW_MS), now];
      const { length } = ends;
      const why = fromOperator(how);
      if (length <= TOLD)
        log(sentence`A worker process ended unexpectedly (${why}) and another one is started.`, "warn");
      else if (length === TOLD + 1)
        log(
          sentence`Worker processes end again and again (${why}); they are started every few seconds.`,
          "error",
        );
      return Math.min((length - 1) * 1_000, LONGEST_PAUSE_MS);
    },
  };
}
