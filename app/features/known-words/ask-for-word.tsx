import { useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { useStore } from "#app/ui/store.ts";
import { type Answer, askedWords, askForWord } from "./asked-words.ts";

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
