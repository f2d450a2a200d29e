import type { SessionClient } from "#app/features/session/session-client.ts";
import { describeFailure } from "#app/features/session/show-failure.ts";
import { createStore } from "#app/ui/store.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { readVocabulary } from "./vocabulary-store.ts";

/** The outcome of a suggestion: waiting for an admin, known meanwhile, or rejected. */
export type Answer = "asked" | "known" | "refused";

/** The words suggested since the page was loaded. */
export const askedWords = createStore<ReadonlyMap<string, Answer>>(new Map());

/** Suggests a word to the admins, with a notice. */
export async function askForWord(client: SessionClient, word: string): Promise<void> {
  const { data, error } = await client.rpc("ask_for_word", { word });
  if (error) {
    return showToast({
      title: "The word wasn’t asked for",
      description: describeFailure(error),
      variant: "destructive",
    });
  }
  const answer = data as Answer;
  askedWords.set(new Map(askedWords.current()).set(word, answer));
  showToast(describeAnswer(word, answer));
  if (answer === "known") await readVocabulary(client, { anew: true }).catch(() => undefined);
}

function describeAnswer(word: string, answer: Answer): Parameters<typeof showToast>[0] {
  if (answer === "asked")
    return { title: `Asked for “${word}”`, description: "Admins decide which words are taken in." };
  if (answer === "known")
    return { title: `“${word}” is known by now`, description: "Others will see it when you write it again." };
  return {
    title: `“${word}” stays hidden`,
    description: "This word is not taken in.",
    variant: "destructive",
  };
}
