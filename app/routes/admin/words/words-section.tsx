import { type KeyboardEvent, useRef, useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { countOf } from "#domain/text/counts.ts";
import type { Tables } from "#supabase/database.types.ts";

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

/** The last decision: the word's state before and after. */
type Decision = { word: string; before: WordState; after: WordState };

/** The words that users suggest: one press allows one, another refuses it, a third undoes that. */
export function WordsSection() {
  const [state, setState] = useState<WordState>("asked");
  const [last, setLast] = useState<Decision | null>(null);
  const words = useRead(["word_requests", state], (client) => readWords(client, state));
  const { isBusy, act } = useAct("word_requests");
  const caught = useFocusFallback(words.data);

  async function undo({ word, before, after }: Decision) {
    if (
      await act((client) => decideWord(client, word, after, before), "Taken back", `“${word}” is as it was.`)
    )
      setLast(null);
  }

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <SegmentedControl label="Words" options={STATES} value={state} onChange={setState} size="compact" />
        {last && (
          <Button size="sm" disabled={isBusy} onClick={() => void undo(last)}>
            Undo: “{last.word}” {SAID[last.after].what}
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

type WordRowProps = {
  asked: AskedWord;
  state: WordState;
  onDecided(decision: Decision): void;
};

const SAID: Record<WordState, { what: string; description: string }> = {
  allowed: { what: "taken in", description: "Others see it from now on." },
  refused: { what: "refused", description: "It stays hidden, and nobody can ask for it again." },
  asked: { what: "put back", description: "It is on the list again." },
};

/** A word with who suggested it. A decided one leaves the list at once, and returns if that fails. */
function WordRow({ asked, state, onDecided }: WordRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const { isBusy, act } = useAct("word_requests");
  const [isGone, setGone] = useState(false);
  const { word } = asked;

  async function decide(to: WordState) {
    if (isBusy || isGone) return;
    focusNext(row.current);
    setGone(true);
    const { what, description } = SAID[to];
    const isDone = await act(
      (client) => decideWord(client, word, state, to),
      `“${word}” ${what}`,
      description,
    );
    if (isDone) onDecided({ word, before: state, after: to });
    else setGone(false);
  }

  function press(event: KeyboardEvent) {
    // Focus is on the next row by now: a key that is held would decide about words that nobody has read.
    if (event.repeat && /^[ar]$/.test(event.key)) return;
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
      <div className="min-room-48 flex-1">
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

type AskedWord = Tables<"word_requests">;

/** The decision about a word: none yet, allowed, or refused permanently. */
type WordState = "asked" | "allowed" | "refused";

/** How many are read at once; deciding on some loads the next. */
const AT_ONCE = 100;

/** The most requested first; of decided ones the latest first. @throws the service's error */
async function readWords(client: SessionClient, state: WordState): Promise<AskedWord[]> {
  let query = client.from("word_requests").select("*").limit(AT_ONCE);
  if (state === "asked") query = query.is("allowed_at", null).is("refused_at", null);
  else query = query.not(`${state}_at`, "is", null).order(`${state}_at`, { ascending: false });
  const { data } = await query
    .order("count", { ascending: false })
    .order("first_asked_at")
    .order("word")
    .throwOnError();
  return data;
}

/** @throws the service's error, also if the word is not in the state `from` by now */
async function decideWord(client: SessionClient, word: string, from: WordState, to: WordState) {
  const call = { asked: "reopen_word", allowed: "allow_word", refused: "refuse_word" } as const;
  await client.rpc(call[to], { word, seen: from }).throwOnError();
}
