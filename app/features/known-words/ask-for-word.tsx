import { useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { describeFailure, showFailure } from "#app/features/session/show-failure.ts";
import { createUsersStore } from "#app/features/session/users-store.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { useStore } from "#app/ui/store.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { readVocabulary } from "./vocabulary-store.ts";

const SAYS: Record<Answer, string> = { asked: "Asked for", known: "Known by now", refused: "Not taken in" };

type AskForWordProps = {
  word: string;
  tabIndex?: number;
  /** Names the word, if there are several such buttons. */
  isNamed?: boolean;
};

/** Suggests a word to the admins, then shows the outcome. */
export function AskForWord({ word, tabIndex, isNamed = false }: AskForWordProps) {
  const site = useSiteConfig();
  const answer = useStore(askedWords).get(word);
  const [isBusy, setBusy] = useState(false);

  async function ask() {
    setBusy(true);
    await openSession(site)
      .then((client) => askForWord(client, word))
      .catch(showFailure);
    setBusy(false);
  }

  if (answer)
    return <span className="asked-word">{isNamed ? `${word}: ${SAYS[answer]}` : SAYS[answer]}</span>;
  return (
    <Button
      variant="ghost"
      tabIndex={tabIndex}
      disabled={isBusy}
      aria-label={isNamed ? undefined : `Ask for this word: ${word}`}
      // Keeps the phone's keyboard open.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => void ask()}
    >
      {isNamed ? `Ask for “${word}”` : "Ask for this word"}
    </Button>
  );
}

/** The outcome of a suggestion: waiting for an admin, known meanwhile, or rejected. */
type Answer = "asked" | "known" | "refused";

/** The words that this user suggested since the page was loaded. */
const askedWords = createUsersStore<ReadonlyMap<string, Answer>>(new Map());

/** Suggests a word to the admins, with a notice. */
async function askForWord(client: SessionClient, word: string): Promise<void> {
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
