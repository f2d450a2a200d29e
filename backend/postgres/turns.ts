import { createWorkQueue } from "#backend/memory/work-queue.ts";
import { DatabaseUnavailableError } from "./database-error.ts";

/** For whom something is asked; the site itself, which is neither of them, waits for nobody's turn. */
export type Asker = {
  /**
   * The network of an anonymous visitor: however many there are, they leave connections to those who signed in, and those
   * of one network, whose queries take long, let others go first.
   */
  guest?: string | undefined;
  /** Who signed in: of those, too, whoever asks for what takes long lets others go first. */
  person?: string | undefined;
};

type Turns = {
  /** Rejects with `DatabaseUnavailableError` where the turn does not come in time. */
  take<T>(asker: Asker, run: () => Promise<T>): Promise<T>;
  waiting(): number;
};

/** How many may ask at a time, of all and of visitors, and for how many milliseconds the others wait. */
type TurnLimits = { people: number; guests: number; longestWait: number };

/** The order in which those who ask get to the connections. */
export function createTurns(limits: TurnLimits): Turns {
  const refusal = () => new DatabaseUnavailableError("pool", undefined);
  const { longestWait } = limits;
  const guests = createWorkQueue({ workers: limits.guests, longestWait, refusal });
  const people = createWorkQueue({ workers: limits.people, longestWait, refusal });
  return {
    take({ guest, person }, run) {
      if (guest !== undefined) return guests.run(guest, run);
      return person === undefined ? run() : people.run(person, run);
    },
    waiting: () => guests.waiting() + people.waiting(),
  };
}
