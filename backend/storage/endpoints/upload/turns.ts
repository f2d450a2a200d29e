import type { Readable } from "node:stream";
import type { Crew } from "#backend/memory/crew.ts";
import type { TakeUploadTurn } from "../../storage-service.ts";

type Turn = { body: Readable | null; done: Promise<unknown> };

/** What the processes tell each other: somebody goes on with this upload. */
const GOES_ON = "upload goes on";

/**
 * One request at a time for each upload. A new one ends the one before: a client that comes back has lost its old
 * connection, which this side may not know yet, and comes to any process.
 */
export function createTurns(crew: Crew): TakeUploadTurn {
  const turns = new Map<string, Turn>();
  const endOld = (id: string) =>
    turns.get(id)?.body?.destroy(new Error("the upload goes on by another connection"));
  crew.onTold(GOES_ON, (id) => void endOld(id));

  return async function take<T>(id: string, body: Readable | null, work: () => Promise<T>): Promise<T> {
    endOld(id);
    const before = turns.get(id)?.done ?? Promise.resolve();
    const elsewhere = crew.tell(GOES_ON, id);
    const running = Promise.all([before, elsewhere]).then(() => crew.inTurn(`one upload ${id}`, work));
    const turn: Turn = { body, done: running.catch(() => {}) };
    turns.set(id, turn);
    try {
      return await running;
    } finally {
      if (turns.get(id) === turn) turns.delete(id);
    }
  };
}
