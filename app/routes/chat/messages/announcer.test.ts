import { expect, test } from "vitest";
import { announceMessages } from "./announcer.tsx";

const said = (user_id: string, second: number) => ({
  id: `${user_id} ${second}`,
  user_id,
  username: user_id,
  message: `at ${second}`,
  created_at: `2026-11-21T10:43:0${second}.000000Z`,
});
const since = said("ana", 1).created_at;

test("the user's own messages, and those announced before, are not announced", () => {
  expect(announceMessages([said("ben", 1), said("ana", 2)], since, "ana")).toBeNull();
});

test("one new message is announced in full, several as a count", () => {
  expect(announceMessages([said("ben", 1), said("ben", 2)], since, "ana")).toBe("ben: at 2");
  expect(announceMessages([said("ben", 2), said("ana", 3), said("cem", 4)], since, "ana")).toBe(
    "2 new messages",
  );
});
