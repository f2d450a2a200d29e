import { isUnanswered } from "#app/features/session/show-failure.ts";
import type { Client } from "#app/features/site/client.ts";
import { findHiddenWords } from "#domain/words/hidden-words.ts";
import { toChatMessage } from "./chat-message.ts";
import { STORED_ALREADY, sendMessage } from "./chat-queries.ts";
import {
  type CallError,
  callSafely,
  describeFailure,
  type Failure,
  isSignedOut,
  TOO_FAST,
} from "./describe-failure.ts";
import type { RoomReads } from "./room-reads.ts";
import type { Outgoing } from "./room-state.ts";
import type { RoomStore } from "./room-store.ts";

/** The writer; the name is the one the database will set anyway (7.write.13). */
export type Writer = { id: string; username(): string };

export type Written = Pick<Outgoing, "id" | "message" | "more" | "writtenAt">;

export type Outcome =
  | { kind: "sent" }
  | { kind: "later"; at: number }
  /** Transient as far as is known: the message may be tried this many times. */
  | { kind: "failed"; failure: Failure; tries: number };

export type Deliver = (written: Written) => Promise<Outcome>;

const SENT: Outcome = { kind: "sent" };

/** Sends a message under its own id, so that it is stored once however often it is sent. */
export function createDeliver(
  client: Client,
  { change }: RoomStore,
  reads: RoomReads,
  writer: Writer,
): Deliver {
  return async ({ id, message, more }) => {
    const settle = reads.watch();
    const text = more?.phrase || more?.trade ? "" : message;
    const row = { id, user_id: writer.id, username: writer.username(), message: text, ...more };
    const { data, error, status } = await callSafely(() => sendMessage(client, row));
    if (data) {
      const words = findHiddenWords(text, data.message);
      if (words.length > 0) change({ type: "hid", id, words });
      change({ type: "arrived", message: toChatMessage(data) });
      settle();
      return SENT;
    }
    if (!error || error.code === STORED_ALREADY) {
      change({ type: "send settled", id });
      reads.refresh();
      return SENT;
    }
    // Counts messages from the user's other tabs and those sent before this page loaded.
    if (error.code === TOO_FAST && Number(error.hint) > 0)
      return { kind: "later", at: performance.now() + Number(error.hint) * 1000 };
    const tries = await countTries(client, error, status);
    return { kind: "failed", failure: describeFailure(error, performance.now()), tries };
  };
}

const AWAY = Number.POSITIVE_INFINITY;
/** The service fails, though not necessarily because of this message: the others wait behind it this long. */
const BROKEN = 8;
/** The token may have expired on the way. */
const REFUSED = 2;

/** How often a message that failed this way may be tried. */
async function countTries(client: Client, error: CallError, status: number): Promise<number> {
  if (isUnanswered(error) || status === 503) return AWAY;
  if (status >= 500) return BROKEN;
  if (!isSignedOut(error)) return 1;
  // While its token could not be refreshed, the client called without one. This fails while another tab holds the
  // session lock.
  const known = await client.auth.getSession().catch(() => null);
  if (!known || known.data.session) return REFUSED;
  return known.error && isUnanswered(known.error) ? AWAY : 1;
}
