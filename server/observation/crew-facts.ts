import type { Crew } from "#backend/memory/crew.ts";
import type { ProcessFacts } from "#domain/operation/operation-report.ts";

const WANTED = "facts wanted";
const FACTS = "facts";

/** Gives how to read the facts of all processes that answer within a second; this one's come first. */
export function shareFacts(crew: Crew, own: () => ProcessFacts): () => Promise<ProcessFacts[]> {
  let heard = new Map<number, ProcessFacts>();
  // Who asks goes on when all others have told theirs, since each tells before it is done with the question.
  crew.onTold(WANTED, () => crew.tell(FACTS, JSON.stringify(own())));
  crew.onTold(FACTS, (about) => {
    const facts: ProcessFacts = JSON.parse(about);
    heard.set(facts.pid, facts);
  });
  return async () => {
    heard = new Map();
    await crew.tell(WANTED, "");
    return [own(), ...heard.values()];
  };
}
