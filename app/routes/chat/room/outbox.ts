import type { Addition } from "./chat-message.ts";
import type { Deliver } from "./deliver.ts";
import type { Failure } from "./describe-failure.ts";
import { type KeptText, RECENT } from "./kept-text.ts";
import type { RoomStore } from "./room-store.ts";
import { SendQueue } from "./send-queue.ts";

export type Outbox = {
  /** Shows a message at once and sends it after those before it; resolves to why it could not be sent, or null. */
  send(message: string, more?: Addition): Promise<Failure | null>;
  retry(id: string): Promise<Failure | null>;
  discard(id: string): void;
  /** The connection is back: sends waiting messages in order. */
  resume(): void;
  /** Restores messages unsent when the page was left, and keeps them saved until the returned function is called. */
  open(): () => void;
};

const NOT_SENT: Failure = { sentence: "This message wasn’t sent before you left the page.", kind: "later" };

export function createOutbox(
  deliver: Deliver,
  store: RoomStore,
  kept: Pick<KeptText, "readOutgoing" | "writeOutgoing">,
): Outbox {
  const { current, change, subscribe } = store;
  const queue = new SendQueue(deliver, store);

  function restore(): void {
    const unsent = kept.readOutgoing();
    queue.open(unsent.length > 0 && current().status === "loading");
    for (const { failure = NOT_SENT, ...written } of unsent) {
      if (queue.find(written.id)) continue;
      const isRecent = Date.now() - (written.writtenAt ?? 0) < RECENT;
      // Waiting messages keep waiting; resending under the same id stores nothing twice.
      if (isRecent) void queue.add(written);
      else {
        change({ type: "sending", ...written });
        change({ type: "send failed", id: written.id, failure });
      }
    }
    void queue.run();
  }

  return {
    send: (message, more) => queue.add({ id: crypto.randomUUID(), message, more, writtenAt: Date.now() }),
    async retry(id) {
      const waiting = queue.find(id);
      if (waiting) return queue.runFor(waiting);
      const failed = current().outgoing.find((each) => each.id === id && each.failure);
      return failed ? queue.add(failed) : null;
    },
    resume: () => queue.resume(),
    discard(id) {
      queue.remove(id);
      change({ type: "send settled", id });
    },
    open() {
      restore();
      const end = subscribe(() => {
        kept.writeOutgoing(current().outgoing);
        if (current().status !== "loading") queue.continueSending();
      });
      return () => {
        queue.close();
        end();
      };
    },
  };
}
