import { useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useFocusFallback } from "#app/routes/admin/shared/use-focus-fallback.ts";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { AT_ONCE, decideWord, readWords, type WordState } from "./word-queries.ts";
import { WordRow } from "./word-row.tsx";

const STATES = [
  { value: "asked", label: "Asked for" },
  { value: "allowed", label: "Taken in" },
  { value: "refused", label: "Refused" },
] as const;

const NOBODY: Record<WordState, string> = {
  asked: "Nobody asks for a word",
  allowed: "No word has been taken in yet",
  refused: "No word has been refused yet",
};

/** The last decision, and the word's state before. */
type Decision = { word: string; what: string; before: WordState };

/** The words that users suggest: one press allows one, another refuses it, a third undoes that. */
export function WordsSection() {
  const [state, setState] = useState<WordState>("asked");
  const [last, setLast] = useState<Decision | null>(null);
  const words = useRead(["word_requests", state], (client) => readWords(client, state));
  const { isBusy, act } = useAct("word_requests");
  const caught = useFocusFallback(words.data);

  async function undo({ word, before }: Decision) {
    if (await act((client) => decideWord(client, word, before), "Taken back", `“${word}” is as it was.`))
      setLast(null);
  }

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <SegmentedControl label="Words" options={STATES} value={state} onChange={setState} size="compact" />
        {last && (
          <Button size="sm" disabled={isBusy} onClick={() => void undo(last)}>
            Undo: “{last.word}” {last.what}
          </Button>
        )}
      </div>
      <div {...caught}>
        <ReadState read={words} what="Words">
          {(data) =>
            data.length === 0 ? (
              <EmptyState title={NOBODY[state]} level={3} />
            ) : (
              <>
                <p className="text-muted text-sm">
                  {data.length === AT_ONCE ? `The first ${AT_ONCE}.` : `${data.length} in all.`} What is taken
                  in is seen by everybody from the next message on. Keys: A takes in, R refuses.
                </p>
                <ul className="divide-y divide-line">
                  {data.map((asked) => (
                    <WordRow key={asked.word} asked={asked} state={state} onDecided={setLast} />
                  ))}
                </ul>
              </>
            )
          }
        </ReadState>
      </div>
    </div>
  );
}
