import { useEffect, useRef, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { type SessionWork, useSessionForm } from "#app/features/session/use-session-form.ts";

type RowWork<Row, Input, Answer> = Omit<SessionWork<Input, Answer>, "send"> & {
  /** The state that the edit began from, where it is not the row as it is now. */
  begun?: Row | undefined;
  /** Saves over `base`, and over nothing that somebody saved meanwhile. */
  send(client: SessionClient, base: Row, input: Input): PromiseLike<Answer> | Answer;
};

/**
 * A form that edits one row, saved over the state that the edit began from alone. While `row` differs from it the form
 * is stale, and somebody has to choose: `take` begins again from what is stored, `keep` goes on with what was typed.
 */
export function useRowForm<Row extends { updated_at: string }, Input, Answer>(
  row: Row,
  { begun = row, send, ...work }: RowWork<Row, Input, Answer>,
) {
  const [initial, setInitial] = useState(begun);
  const [base, setBase] = useState(begun);
  const element = useRef<HTMLFormElement>(null);
  const form = useSessionForm<Input, Answer>({
    invalidTitle: "Validation Error",
    ...work,
    send: (client, input) => send(client, base, input),
  });
  return {
    ...form,
    element,
    /** What stands in the fields at first. */
    initial,
    base,
    // While it is being saved, the list may show the saved state before the answer is here.
    isStale: !form.isBusy && row.updated_at !== base.updated_at,
    take() {
      setInitial(row);
      setBase(row);
    },
    keep: () => setBase(row),
  };
}

/** Focuses a form's first field when the edit begins, and when a choice was made, whose buttons are gone. */
export function useFirstField(form: React.RefObject<HTMLFormElement | null>, base: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: base tells of the choice
  useEffect(() => form.current?.querySelector<HTMLElement>("input, textarea")?.focus(), [base]);
}
