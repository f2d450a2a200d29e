import { expect, test } from "vitest";
import { ageQuestion } from "#app/features/session/ask-for-age.ts";
import type { Failure } from "#app/routes/chat/room/describe-failure.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import { settle } from "./settle.ts";

const UNASKED: Failure = { sentence: "Please tell us your age group.", kind: "later", asksAge: true };
const CHILD: Failure = { sentence: "Please ask a parent.", kind: "barred", asksAge: true };

/** Settles the last of three unsent messages, of which two wait for the age group; returns which are sent again. */
async function settleAgain(again: Failure | null): Promise<string[]> {
  const retried: string[] = [];
  const outgoing = [
    { id: "first", failure: UNASKED },
    { id: "rude", failure: { sentence: "Please keep it friendly.", kind: "refused" } },
    { id: "second", failure: UNASKED },
  ];
  const retry = async (id: string) => {
    retried.push(id);
    return again;
  };
  const room = { current: () => ({ outgoing }), retry } as unknown as Room;
  const stop = ageQuestion.answerWith(async () => false);
  try {
    expect(await settle(room, Promise.resolve(UNASKED))).toBe(null);
  } finally {
    stop();
  }
  return retried;
}

test("once the age group is known, every message that waited for it is sent again", async () => {
  expect(await settleAgain(null)).toEqual(["first", "second"]);
  expect(await settleAgain(CHILD)).toEqual(["first", "second"]);
});

test("while it is not, they stay unsent after the first that is refused again", async () => {
  expect(await settleAgain(UNASKED)).toEqual(["first"]);
});
