import { readKept, writeKept } from "#app/features/browser-storage/kept.ts";
import type { Outgoing } from "./room-state.ts";

/**
 * What a person typed and the database does not have yet, kept for this tab until it does: a reload loses nothing. By
 * person, because the next one at the same screen is somebody else. Browsers without storage keep nothing, silently.
 */
export type KeptText = {
  readDraft(): string;
  writeDraft(draft: string): void;
  readOutgoing(): Pick<Outgoing, "id" | "message">[];
  writeOutgoing(outgoing: readonly Pick<Outgoing, "id" | "message">[]): void;
};

export function keepText(userId: string): KeptText {
  return {
    readDraft: () => readKept("chatDraft", userId) ?? "",
    writeDraft: (draft) => writeKept("chatDraft", draft, userId),
    readOutgoing: () => parseOutgoing(readKept("chatUnsent", userId)),
    writeOutgoing: (outgoing) =>
      writeKept(
        "chatUnsent",
        outgoing.length === 0 ? null : JSON.stringify(outgoing.map(({ id, message }) => ({ id, message }))),
        userId,
      ),
  };
}

function parseOutgoing(text: string | null): Pick<Outgoing, "id" | "message">[] {
  try {
    return JSON.parse(text || "[]");
  } catch {
    return [];
  }
}
