import type { Readable } from "node:stream";
import type { ProcessGroup } from "#backend/memory/process-group.ts";
import type { LockUpload } from "../../storage-service.ts";

type Turn = { body: Readable | null; done: Promise<unknown> };

/** The message by which a process tells the others that a client has resumed this upload. */
const GOES_ON = "upload goes on";

/**
 * One request at a time per upload. A new request closes the previous one's connection: a client that resumes has lost
 * it, which this side may not know yet, and may reach a different process.
 */
export function createUploadLocks(processGroup: ProcessGroup): LockUpload {
  const turns = new Map<string, Turn>();
  const endOld = (id: string) =>
    turns.get(id)?.body?.destroy(new Error("the upload goes on by another connection"));
  processGroup.onBroadcast(GOES_ON, (id) => void endOld(id));

  return async function take<T>(id: string, body: Readable | null, work: () => Promise<T>): Promise<T> {
    endOld(id);
    const before = turns.get(id)?.done ?? Promise.resolve();
    const elsewhere = processGroup.broadcast(GOES_ON, id);
    const running = Promise.all([before, elsewhere]).then(() =>
      processGroup.runInTurn(`one upload ${id}`, work),
    );
    const turn: Turn = { body, done: running.catch(() => {}) };
    turns.set(id, turn);
    try {
      return await running;
    } finally {
      if (turns.get(id) === turn) turns.delete(id);
    }
  };
}
