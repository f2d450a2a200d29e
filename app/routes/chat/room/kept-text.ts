import { readKept, readKeptJson, writeKept } from "#app/features/browser-storage/kept.ts";
import type { Addition } from "./chat-message.ts";
import type { Failure } from "./describe-failure.ts";
import type { Outgoing } from "./room-state.ts";

/** An unsent message as it is kept. */
export type Kept = Pick<Outgoing, "id" | "message" | "more" | "writtenAt" | "after"> & {
  /** Why its text has to change before it can be sent. */
  failure?: Failure;
};

/** Messages typed longer ago than this, in milliseconds, are not sent automatically. */
export const RECENT = 10 * 60_000;

/**
 * Drafts and unsent messages, kept for this tab so that a reload loses nothing. Keyed by user, because the next user of
 * the same screen may be someone else. Without browser storage nothing is kept, silently.
 */
export type KeptText = {
  readDraft(): string;
  writeDraft(draft: string): void;
  /** Whom the draft is for. */
  readAddress(): Addition;
  writeAddress(address: { reply: { id: string } | null; mentions: readonly { id: string }[] }): void;
  readOutgoing(): Kept[];
  writeOutgoing(outgoing: readonly Outgoing[]): void;
};

export function keepText(userId: string): KeptText {
  return {
    readDraft: () => readKept("chatDraft", userId) ?? "",
    writeDraft: (draft) => writeKept("chatDraft", draft, userId),
    readAddress: () => (readKeptJson("chatDraft", addressOf(userId)) ?? {}) as Addition,
    writeAddress({ reply, mentions }) {
      const kept: Addition = { ...(reply && { reply_to: reply.id }), mentions: mentions.map(({ id }) => id) };
      const isEmpty = !reply && mentions.length === 0;
      writeKept("chatDraft", isEmpty ? null : JSON.stringify(kept), addressOf(userId));
    },
    readOutgoing: () => (readKeptJson("chatUnsent", userId) ?? []) as Kept[],
    writeOutgoing: (outgoing) =>
      writeKept("chatUnsent", outgoing.length === 0 ? null : JSON.stringify(outgoing.map(toKept)), userId),
  };
}

const addressOf = (userId: string) => `${userId} to`;

/** A rejected message is not retried automatically: it has no time. */
function toKept({ id, message, more, writtenAt, failure, after }: Outgoing): Kept {
  const waits = failure === null || failure.waits;
  const reason = failure?.kind === "refused" && { failure };
  return { id, message, more, ...(waits ? { writtenAt } : { after, ...reason }) };
}
