import { expect, test } from "vitest";
import { announceMessages } from "./announcer.tsx";

const messageOf = (user_id: string, second: number) => ({
  id: `${user_id} ${second}`,
  user_id,
  username: user_id,
  message: `at ${second}`,
  created_at: `2026-11-21T10:43:0${second}.000000Z`,
});
const since = messageOf("ana", 1).created_at;

test("the user's own messages, and those announced before, are not announced", () => {
  expect(announceMessages([messageOf("ben", 1), messageOf("ana", 2)], since, "ana")).toBeNull();
});

test("one new message is announced in full, several as a count", () => {
  expect(announceMessages([messageOf("ben", 1), messageOf("ben", 2)], since, "ana")).toEqual({
    text: "ben: at 2",
    of: "ben 2",
  });
  expect(
    announceMessages([messageOf("ben", 2), messageOf("ana", 3), messageOf("cem", 4)], since, "ana"),
  ).toEqual({ text: "2 new messages" });
});
