import type { Readable } from "node:stream";

type Turn = { body: Readable | null; done: Promise<unknown> };

/**
 * One request at a time for each upload. A new one ends the one before: a client that comes back has lost its old
 * connection, which this side may not know yet.
 */
export function createTurns() {
  const turns = new Map<string, Turn>();
  return async function take<T>(id: string, body: Readable | null, work: () => Promise<T>): Promise<T> {
    const before = turns.get(id);
    before?.body?.destroy(new Error("the upload goes on by another connection"));
    const running = (before?.done ?? Promise.resolve()).then(work);
    const turn: Turn = { body, done: running.catch(() => {}) };
    turns.set(id, turn);
    try {
      return await running;
    } finally {
      if (turns.get(id) === turn) turns.delete(id);
    }
  };
}
