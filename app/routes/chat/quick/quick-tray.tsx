import { useEffect, useRef, useState } from "react";
import { RetryNotice } from "#app/features/failed-reads/retry-notice.tsx";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { SECOND_TAP_MS } from "#app/routes/chat/second-tap.ts";
import { Button } from "#app/ui/button.tsx";
import { PHRASE_THEMES } from "#domain/chat/phrase-themes.ts";
import { ItemChooser } from "./item-chooser.tsx";
import { type ChatItems, countGaps, fillPhrase, type Phrase, readPhrases } from "./quick-reads.ts";

/** The chosen phrase: its text as it will read, and what is sent. */
type QuickMessage = { text: string; phrase: string; items?: string };

type QuickTrayProps = {
  items: ChatItems | null;
  readItemsAgain: (() => Promise<unknown>) | null;
  onSend(message: QuickMessage): void;
};

/** Quick talk: the phrases, and the items for their gaps. */
export function QuickTray({ items, readItemsAgain, onSend }: QuickTrayProps) {
  const [phrases, readAgain] = useOwnRead(readPhrases);
  const [open, setOpen] = useState<Phrase | null>(null);
  const tray = useFocusAfter(open !== null);

  const lastTap = useRef(Number.NEGATIVE_INFINITY);

  function choose(phrase: Phrase, at: number) {
    // The second of two taps neither sends a phrase again nor another one that has taken the place of what was tapped.
    if (at - lastTap.current < SECOND_TAP_MS) return;
    lastTap.current = at;
    if (countGaps(phrase) > 0) setOpen(phrase);
    else onSend({ text: phrase.phrase, phrase: phrase.id });
  }

  function close() {
    lastTap.current = performance.now();
    setOpen(null);
  }

  if (open) {
    return (
      <ItemChooser
        phrase={open}
        {...{ items, readItemsAgain }}
        onDone={(text, slots) => {
          close();
          onSend({ text, phrase: open.id, items: slots });
        }}
        onBack={close}
      />
    );
  }
  return (
    <section ref={tray} tabIndex={-1} className="chat-tray" aria-label="Quick talk">
      {phrases === "failed" && (
        <RetryNotice onRetry={readAgain}>The phrases can’t be loaded right now.</RetryNotice>
      )}
      {phrases === "reading" && <p className="text-muted">Loading…</p>}
      {Array.isArray(phrases) &&
        PHRASE_THEMES.map(([theme, title]) => (
          <PhraseGroup
            key={theme}
            title={title}
            phrases={phrases.filter((phrase) => phrase.theme === theme)}
            onChoose={choose}
          />
        ))}
    </section>
  );
}

/** Moves focus to the element when the chooser has closed, whose buttons are gone. */
function useFocusAfter(isChoosing: boolean) {
  const element = useRef<HTMLElement>(null);
  const wasChoosing = useRef(false);
  useEffect(() => {
    if (wasChoosing.current && !isChoosing) element.current?.focus();
    wasChoosing.current = isChoosing;
  }, [isChoosing]);
  return element;
}

type PhraseGroupProps = {
  title: string;
  phrases: readonly Phrase[];
  onChoose(phrase: Phrase, at: number): void;
};

function PhraseGroup({ title, phrases, onChoose }: PhraseGroupProps) {
  if (phrases.length === 0) return null;
  return (
    <>
      <h2 className="pt-1.5 pb-1 font-[650] font-sans text-[0.8125rem] text-muted">{title}</h2>
      <ul className="flex flex-wrap gap-2">
        {phrases.map((phrase) => (
          <li key={phrase.id}>
            <Button className="px-3 text-start" onClick={({ timeStamp }) => onChoose(phrase, timeStamp)}>
              {fillPhrase(phrase, [])}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
