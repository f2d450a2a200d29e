import { useEffect, useRef, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { type SessionWork, useSessionForm } from "#app/features/session/use-session-form.ts";
import { holds } from "./holds.ts";

type RowWork<Row, Input, Answer> = Omit<SessionWork<Input, Answer>, "send"> & {
  /** The version that the edit began from, if it is not the current row. */
  begun?: Row | undefined;
  /** Whether a newer version is the user's own, whose answer was lost; by default, if it holds what was sent. */
  isOwn?(row: Row, sent: readonly Input[]): boolean;
  /** Saves over `base` only, never over a newer version. */
  send(client: SessionClient, base: Row, input: Input): PromiseLike<Answer> | Answer;
};

/**
 * A form that edits one row, saved only over the version that the edit began from. While `row` differs from it, the
 * form is stale, and the user has to choose: `take` starts over from the stored version, `keep` continues with what was
 * typed. From a newer version that is the user's own, the edit continues.
 */
export function useRowForm<Row extends { updated_at: string }, Input extends object, Answer>(
  row: Row,
  { begun = row, isOwn = isSent, send, ...work }: RowWork<Row, Input, Answer>,
) {
  const [initial, setInitial] = useState(begun);
  const [base, setBase] = useState(begun);
  const [sent, setSent] = useState<readonly Input[]>([]);
  const [choices, setChoices] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const form = useSessionForm<Input, Answer>({
    invalidTitle: "Validation Error",
    ...work,
    send(client, input) {
      setSent((before) => [...before, input]);
      return send(client, base, input);
    },
  });
  // During the save, the list may show the saved version before the response arrives.
  const isNewer = !form.isBusy && row.updated_at !== base.updated_at;
  const isMine = isNewer && isOwn(row, sent);
  if (isMine) goOn();
  function goOn() {
    setBase(row);
    setSent([]);
  }
  function keep() {
    goOn();
    setChoices((count) => count + 1);
  }
  return {
    ...form,
    element,
    /** The fields' initial values. */
    initial,
    base,
    isStale: isNewer && !isMine,
    take() {
      setInitial(row);
      keep();
    },
    keep,
    /** How often the user chose. */
    choices,
  };
}

const isSent = <Row extends object, Input extends object>(row: Row, sent: readonly Input[]) =>
  sent.some((input) => holds(row, input));

/**
 * Focuses a form's first field when editing begins, and after a choice, whose buttons are gone. A form that is there
 * without being opened takes no focus.
 */
export function useFirstField(
  form: React.RefObject<HTMLFormElement | null>,
  choices: number,
  isOpened = true,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: choices tells of the choice
  useEffect(() => {
    if (isOpened) form.current?.querySelector<HTMLElement>("input, textarea")?.focus();
  }, [choices, isOpened]);
}
