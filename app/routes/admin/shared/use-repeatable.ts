import { useRef } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import { holds } from "./holds.ts";

/** Adds a row. If `isRepeat`, one that exists already and holds the input is this form's own. */
type Add<Input, Answer> = (client: SessionClient, input: Input, isRepeat: boolean) => Promise<Answer>;

/** What a form adds, so that a repeat after a lost answer succeeds instead of finding its own row in the way. */
export function useRepeatable<Input extends object, Answer>(add: Add<Input, Answer>) {
  const lost = useRef<readonly Input[]>([]);
  async function send(client: SessionClient, input: Input): Promise<Answer> {
    try {
      const answer = await add(client, input, lost.current.length > 0);
      lost.current = [];
      return answer;
    } catch (error) {
      if (isUnanswered(error as Error)) lost.current = [...lost.current, input];
      throw error;
    }
  }
  /** Whether an attempt whose answer was lost may have added this row. */
  const isOwn = (row: object) => lost.current.some((input) => holds(row, input));
  return { send, isOwn };
}
