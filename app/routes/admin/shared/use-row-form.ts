import { useEffect, useRef, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { type SessionWork, useSessionForm } from "#app/features/session/use-session-form.ts";

type RowWork<Row, Input, Answer> = Omit<SessionWork<Input, Answer>, "send"> & {
  /** The version that the edit began from, if it is not the current row. */
  begun?: Row | undefined;
  /** Saves over `base` only, never over a newer version. */
  send(client: SessionClient, base: Row, input: Input): PromiseLike<Answer> | Answer;
};

/**
 * A form that edits one row, saved only over the version that the edit began from. While `row` differs from it, the
 * form is stale, and the user has to choose: `take` starts over from the stored version, `keep` continues with what was
 * typed.
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
    /** The fields' initial values. */
    initial,
    base,
    // During the save, the list may show the saved version before the response arrives.
    isStale: !form.isBusy && row.updated_at !== base.updated_at,
    take() {
      setInitial(row);
      setBase(row);
    },
    keep: () => setBase(row),
  };
}

/** Focuses a form's first field when editing begins, and after a choice, whose buttons are gone. */
export function useFirstField(form: React.RefObject<HTMLFormElement | null>, base: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: base tells of the choice
  useEffect(() => form.current?.querySelector<HTMLElement>("input, textarea")?.focus(), [base]);
}
