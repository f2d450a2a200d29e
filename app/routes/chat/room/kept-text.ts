import { readKept, writeKept } from "#app/features/browser-storage/kept.ts";
import { readKeptJson } from "#app/features/browser-storage/kept-json.ts";
import type { Outgoing } from "./room-state.ts";

type Kept = Pick<Outgoing, "id" | "message" | "more" | "sendsAt" | "writtenAt" | "after">;

/** What was typed so long ago, in milliseconds, is not sent without being asked for. */
export const RECENT = 10 * 60_000;

/**
 * What a person typed and the database does not have yet, kept for this tab until it does: a reload loses nothing. By
 * person, because the next one at the same screen is somebody else. Browsers without storage keep nothing, silently.
 */
export type KeptText = {
  readDraft(): string;
  writeDraft(draft: string): void;
  readOutgoing(): Kept[];
  writeOutgoing(outgoing: readonly Outgoing[]): void;
};

export function keepText(userId: string): KeptText {
  return {
    readDraft: () => readKept("chatDraft", userId) ?? "",
    writeDraft: (draft) => writeKept("chatDraft", draft, userId),
    readOutgoing: () => (readKeptJson("chatUnsent", userId) ?? []) as Kept[],
    writeOutgoing: (outgoing) =>
      writeKept("chatUnsent", outgoing.length === 0 ? null : JSON.stringify(outgoing.map(toKept)), userId),
  };
}

/** What was refused is not sent again by itself: it has no time. */
function toKept({ id, message, more, sendsAt, writtenAt, failure, after }: Outgoing): Kept {
  const waits = failure === null || failure.waits;
  return { id, message, more, sendsAt, ...(waits ? { writtenAt } : { after }) };
}
