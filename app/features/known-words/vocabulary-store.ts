import { readKept, writeKept } from "#app/features/browser-storage/kept.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { toVocabulary, type Vocabulary } from "#domain/words/vocabulary.ts";

/** After so long, in milliseconds, the words are asked for anew: admins take some in by the day. */
const FRESH = 10 * 60 * 1000;

let current: Vocabulary | null = null;
let readAt = Number.NEGATIVE_INFINITY;
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`; null until the words are known. */
export const currentVocabulary = () => current;

export function subscribeToVocabulary(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks for the words unless they are fresh; this browser keeps them by their version. @throws the service's error */
export async function readVocabulary(client: SessionClient, { anew = false } = {}): Promise<void> {
  if (!anew && Date.now() - readAt < FRESH) return;
  readAt = Date.now();
  try {
    const kept = readKeptWords();
    const { data } = await client
      .rpc("list_known_words", kept ? { known_version: kept.version } : {})
      .single()
      .throwOnError();
    const isKept = kept !== null && data.version === kept.version;
    if (isKept && current) return;
    const { words, often } = isKept ? kept : data;
    if (!isKept) writeKept("knownWords", [data.version, words, often].join("\n"));
    current = toVocabulary(words, often);
    for (const listener of listeners) listener();
  } catch (error) {
    readAt = Number.NEGATIVE_INFINITY;
    throw error;
  }
}

function readKeptWords() {
  const [version, words, often] = readKept("knownWords")?.split("\n") ?? [];
  return version && words && often ? { version, words, often } : null;
}
