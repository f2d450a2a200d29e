import { randomUUID } from "node:crypto";
import type { ProcessGroup } from "#backend/memory/process-group.ts";

/** Returns a function that collects facts from all processes that answer within a second, this one first. */
export function shareFacts<Facts>(
  processGroup: ProcessGroup,
  kind: string,
  own: () => Facts | Promise<Facts>,
): () => Promise<Facts[]> {
  type FactsMessage = { round: string; facts: Facts };
  const rounds = new Map<string, Facts[]>();
  // `processGroup.broadcast` resolves once the others have handled the question, so their answers have arrived by then.
  processGroup.onBroadcast(`${kind} wanted`, async (round) => {
    const message: FactsMessage = { round, facts: await own() };
    await processGroup.broadcast(kind, JSON.stringify(message));
  });
  processGroup.onBroadcast(kind, (about) => {
    const { round, facts }: FactsMessage = JSON.parse(about);
    rounds.get(round)?.push(facts);
  });
  return async () => {
    const round = randomUUID();
    const received: Facts[] = [];
    rounds.set(round, received);
    await processGroup.broadcast(`${kind} wanted`, round);
    rounds.delete(round);
    return [await own(), ...received];
  };
}
