import { randomUUID } from "node:crypto";
import type { Crew } from "#backend/memory/crew.ts";

/** Returns a function that collects facts from all processes that answer within a second, this one first. */
export function shareFacts<Facts>(
  crew: Crew,
  kind: string,
  own: () => Facts | Promise<Facts>,
): () => Promise<Facts[]> {
  type Told = { round: string; facts: Facts };
  const rounds = new Map<string, Facts[]>();
  // `crew.tell` resolves once the others have handled the question, so their answers have arrived by then.
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
