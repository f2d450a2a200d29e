import { useRef } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import { holds } from "./holds.ts";

type RepeatableWork<Input, Answer> = {
  /** Adds a row. If `isRepeat`, one that exists already and holds the input is this form's own. */
  add(client: SessionClient, input: Input, isRepeat: boolean): Promise<Answer>;
  /** The stored row with the input's key, if any. */
  find(client: SessionClient, input: Input): PromiseLike<object | null>;
};

/** What a form adds, so that a repeat after a lost answer succeeds instead of finding its own row in the way. */
export function useRepeatable<Input extends object, Answer>(work: RepeatableWork<Input, Answer>) {
  const lost = useRef<readonly Input[]>([]);
  return {
    send: (client: SessionClient, input: Input) => addOnce(client, input, lost, work),
    /** Whether an attempt whose answer was lost may have added this row. */
    isOwn: (row: object) => lost.current.some((input) => holds(row, input)),
  };
}

/**
 * Adds the input, unless an attempt in `lost`, whose answer was lost, has added something else since edited in the form:
 * nobody would expect both.
 */
export async function addOnce<Input extends object, Answer>(
  client: SessionClient,
  input: Input,
  lost: { current: readonly Input[] },
  { add, find }: RepeatableWork<Input, Answer>,
): Promise<Answer> {
  try {
    for (const earlier of lost.current) {
      if (holds(earlier, input) || !holds((await find(client, earlier)) ?? {}, earlier)) continue;
      lost.current = [];
      throw new FormError(
        "The first attempt was stored after all, as it was then: edit it in the list. Press again to add this, too.",
      );
    }
    const answer = await add(client, input, lost.current.length > 0);
    lost.current = [];
    return answer;
  } catch (error) {
    if (isUnanswered(error as Error)) lost.current = [...lost.current, input];
    throw error;
  }
}
