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
  const draftKey = `chat-draft:${userId}`;
  const outgoingKey = `chat-unsent:${userId}`;
  return {
    readDraft: () => read(draftKey) ?? "",
    writeDraft: (draft) => write(draftKey, draft),
    readOutgoing: () => parseOutgoing(read(outgoingKey)),
    writeOutgoing: (outgoing) =>
      write(
        outgoingKey,
        outgoing.length === 0 ? "" : JSON.stringify(outgoing.map(({ id, message }) => ({ id, message }))),
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

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    // Full or forbidden: the text still stands in the page.
  }
}
