import { type KeyboardEvent, useRef, useState } from "react";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import { countOf } from "#domain/text/counts.ts";
import { type AskedWord, decideWord, type WordState } from "./word-queries.ts";

type WordRowProps = {
  asked: AskedWord;
  state: WordState;
  onDecided(decision: { word: string; what: string; before: WordState }): void;
};

const SAID: Record<WordState, { what: string; description: string }> = {
  allowed: { what: "taken in", description: "Others see it from now on." },
  refused: { what: "refused", description: "It stays hidden, and nobody can ask for it again." },
  asked: { what: "put back", description: "It is on the list again." },
};

/** A word with who suggested it. A decided one leaves the list at once, and returns if that fails. */
export function WordRow({ asked, state, onDecided }: WordRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const { isBusy, act } = useAct("word_requests");
  const [isGone, setGone] = useState(false);
  const { word } = asked;

  async function decide(to: WordState) {
    if (isBusy || isGone) return;
    focusNext(row.current);
    setGone(true);
    const { what, description } = SAID[to];
    const isDone = await act((client) => decideWord(client, word, to), `“${word}” ${what}`, description);
    if (isDone) onDecided({ word, what, before: state });
    else setGone(false);
  }

  function press(event: KeyboardEvent) {
    if (state !== "asked" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "a") void decide("allowed");
    if (event.key === "r") void decide("refused");
  }

  return (
    <li
      ref={row}
      hidden={isGone}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 [&[hidden]]:hidden"
      onKeyDown={press}
    >
      <div className="min-w-48 flex-1">
        <p className="font-semibold wrap-anywhere">{word}</p>
        <p className="text-muted text-sm">
          <Asked {...asked} />
        </p>
      </div>
      <div className="ml-auto flex gap-2">
        {state === "asked" ? (
          <>
            <Button aria-label={`Take in ${word}`} onClick={() => void decide("allowed")}>
              Take in
            </Button>
            <Button variant="ghost" aria-label={`Refuse ${word}`} onClick={() => void decide("refused")}>
              Refuse
            </Button>
          </>
        ) : (
          <Button variant="ghost" aria-label={`Put back ${word}`} onClick={() => void decide("asked")}>
            Put back
          </Button>
        )}
      </div>
    </li>
  );
}

function Asked({ count, first_asked_at: first, last_asked_at: last }: AskedWord) {
  if (count === 0) return "Nobody asked for it";
  return (
    <>
      {countOf(count, "person", "people")}, {count > 1 && "first "}
      <Moment at={first} />
      {count > 1 && (
        <>
          , last <Moment at={last} near={first} />
        </>
      )}
    </>
  );
}

/** Before a focused row is removed, moves focus to the next one, or the previous one. */
function focusNext(row: HTMLElement | null): void {
  if (!row?.contains(document.activeElement)) return;
  const rows = [...(row.parentElement?.querySelectorAll<HTMLElement>(":scope > :not([hidden])") ?? [])];
  const at = rows.indexOf(row);
  (rows[at + 1] ?? rows[at - 1])?.querySelector("button")?.focus();
}
