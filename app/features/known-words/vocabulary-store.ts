import { readKept, writeKept } from "#app/features/browser-storage/kept.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { createStore } from "#app/ui/store.ts";
import { toVocabulary, type Vocabulary } from "#domain/words/vocabulary.ts";

/** How long the vocabulary counts as fresh, in milliseconds: admins add words daily. */
const FRESH = 10 * 60 * 1000;

/** Null until the vocabulary is loaded. */
export const vocabularyStore = createStore<Vocabulary | null>(null);
let readAt = Number.NEGATIVE_INFINITY;

/** Loads the vocabulary unless it is fresh; the browser keeps it by version. @throws the service's error */
export async function readVocabulary(client: SessionClient, { anew = false } = {}): Promise<void> {
  if (!anew && performance.now() - readAt < FRESH) return;
  readAt = performance.now();
  try {
    const kept = readKeptWords();
    const { data } = await client
      .rpc("list_known_words", kept ? { known_version: kept.version } : {})
      .single()
      .throwOnError();
    const isKept = kept !== null && data.version === kept.version;
    if (isKept && vocabularyStore.current()) return;
    const { words, often, sometimes } = isKept ? kept : data;
    if (!isKept) writeKept("knownWords", [data.version, words, often, sometimes].join("\n"));
    vocabularyStore.set(toVocabulary(words, often, sometimes));
  } catch (error) {
    readAt = Number.NEGATIVE_INFINITY;
    throw error;
  }
}

function readKeptWords() {
  const [version, words, often, sometimes] = readKept("knownWords")?.split("\n") ?? [];
  return version && words && often && sometimes !== undefined ? { version, words, often, sometimes } : null;
}
