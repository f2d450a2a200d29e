import type { SupabaseClient } from "@supabase/supabase-js";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import type { Database } from "#supabase/database.types.ts";
import { toChatMessage } from "./chat-message.ts";
import { STORED_ALREADY, sendMessage } from "./chat-queries.ts";
import { type CallError, callSafely, describeFailure, type Failure } from "./describe-failure.ts";
import { keepText } from "./kept-text.ts";
import type { RoomReads } from "./room-reads.ts";
import type { Outgoing } from "./room-state.ts";
import type { RoomStore } from "./room-store.ts";

/** Who writes; the name is what the database would call them anyway (7.write.13). */
export type Writer = { id: string; username(): string };

export type Outbox = {
  /** Shows a message at once and sends it after those before it; why it could not be sent, or null. */
  send(message: string): Promise<Failure | null>;
  retry(id: string): Promise<Failure | null>;
  discard(id: string): void;
  /** The line is back: what could not leave for the lack of one is sent, in its order. */
  resume(): void;
  /** Brings back what was not sent when the page was left; until the returned function is called it is kept again. */
  open(): () => void;
};

const WAITING = "The line is down. This message goes out by itself when it is back.";

const NOT_SENT: Failure = { sentence: "This message was not sent before the page was left.", kind: "later" };

export function createOutbox(
  client: SupabaseClient<Database>,
  { current, change, subscribe }: RoomStore,
  reads: RoomReads,
  writer: Writer,
): Outbox {
  const kept = keepText(writer.id);
  /** One after the other, so that they stand in the order in which they were written. */
  let last: Promise<unknown> = Promise.resolve();
  /** The ids of those without an answer; sent again under the same id, none can be stored twice. */
  const unanswered = new Set<string>();
  /** How often the line came back. */
  let returns = 0;

  function send({ id, message }: Pick<Outgoing, "id" | "message">): Promise<Failure | null> {
    change({ type: "sending", id, message });
    const sent = last.then(() => transmit(id, message));
    last = sent;
    return sent;
  }

  async function transmit(id: string, message: string): Promise<Failure | null> {
    const settle = reads.watch();
    const before = returns;
    const row = { id, user_id: writer.id, username: writer.username(), message };
    const { data, error } = await callSafely(() => sendMessage(client, row));
    // It left by a line that was lost, and that came back while nobody answered.
    if (error && isUnanswered(error) && before !== returns) return transmit(id, message);
    if (error && error.code !== STORED_ALREADY) return fail(id, describe(id, error));
    if (data) change({ type: "arrived", message: toChatMessage(data) });
    else change({ type: "send settled", id });
    if (data) settle();
    else reads.refresh();
    return null;
  }

  function describe(id: string, error: CallError): Failure {
    const failure = describeFailure(error, Date.now());
    if (!isUnanswered(error)) return failure;
    unanswered.add(id);
    return current().connection === "connected" ? failure : { ...failure, sentence: WAITING };
  }

  function fail(id: string, failure: Failure): Failure | null {
    change({ type: "send failed", id, failure });
    // Stored and received live: only its acknowledgement got lost.
    return current().outgoing.some((each) => each.id === id) ? failure : null;
  }

  return {
    send: (message) => send({ id: crypto.randomUUID(), message }),
    async retry(id) {
      const failed = current().outgoing.find((each) => each.id === id && each.failure);
      return failed ? send(failed) : null;
    },
    resume() {
      returns += 1;
      const waiting = current().outgoing.filter(({ id, failure }) => failure && unanswered.has(id));
      unanswered.clear();
      for (const each of waiting) void send(each);
    },
    discard: (id) => change({ type: "send settled", id }),
    open() {
      for (const { id, message } of kept.readOutgoing()) {
        change({ type: "sending", id, message });
        change({ type: "send failed", id, failure: NOT_SENT });
      }
      return subscribe(() => kept.writeOutgoing(current().outgoing));
    },
  };
}
