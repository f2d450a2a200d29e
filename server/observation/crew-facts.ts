import { randomUUID } from "node:crypto";
import type { Crew } from "#backend/memory/crew.ts";

/** Gives how to read what each process that answers within a second says of itself; this one's comes first. */
export function shareFacts<Facts>(
  crew: Crew,
  kind: string,
  own: () => Facts | Promise<Facts>,
): () => Promise<Facts[]> {
  type Told = { round: string; facts: Facts };
  const rounds = new Map<string, Facts[]>();
  // Who asks goes on when all others have told theirs, since each tells before it is done with the question.
  crew.onTold(`${kind} wanted`, async (round) => {
    const told: Told = { round, facts: await own() };
    await crew.tell(kind, JSON.stringify(told));
  });
  crew.onTold(kind, (about) => {
    const { round, facts }: Told = JSON.parse(about);
    rounds.get(round)?.push(facts);
  });
  return async () => {
    const round = randomUUID();
    const heard: Facts[] = [];
    rounds.set(round, heard);
    await crew.tell(`${kind} wanted`, round);
    rounds.delete(round);
    return [await own(), ...heard];
  };
}
