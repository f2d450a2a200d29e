import { expect, test } from "vitest";
import { describeFailure } from "./describe-failure.ts";

const NOW = 1_000_000;
const UNREACHABLE = "The chat can't be reached right now. Nothing is lost; try again in a moment.";

test.each([
  [
    "a refused text",
    { code: "23514", message: "Links are not allowed here" },
    "Links are not allowed here.",
    "refused",
  ],
  [
    "a silence",
    { code: "PT403", message: "You can't write until 10:30." },
    "You can't write until 10:30.",
    "barred",
  ],
  [
    "a reaction to a deleted message",
    { code: "23503", message: 'violates foreign key constraint "chat_reactions_message_id_fkey"' },
    "It’s already gone.",
    "refused",
  ],
  [
    "an expired token",
    { code: "PGRST303", message: "JWT expired" },
    "Your session has ended. Please log in again.",
    "later",
  ],
  ["no answer at all", { message: "TypeError: Failed to fetch", code: "" }, UNREACHABLE, "later"],
  ["a fault of the service", { message: "deadlock detected", code: "40P01" }, UNREACHABLE, "later"],
  ["an answer of no service", { message: "<html>Bad Gateway</html>" }, UNREACHABLE, "later"],
])("%s", (_, error, sentence, kind) => {
  expect(describeFailure(error, NOW)).toEqual({ sentence, kind });
});

test.each([
  ["unasked", "later"],
  ["child", "barred"],
])("who is %s is asked first", (details, kind) => {
  const error = { code: "PT403", message: "First things first", details };
  expect(describeFailure(error, NOW)).toEqual({ sentence: "First things first.", kind, asksAge: true });
});

test.each([
  ["2026-11-22 10:30:00+00", Date.UTC(2026, 10, 22, 10, 30)],
  ["infinity", undefined],
  [null, undefined],
])("a silence until %j is not tried again before that", (details, retryAt) => {
  const error = { code: "PT403", message: "You can't write.", details };
  expect(describeFailure(error, NOW)).toEqual({
    sentence: "You can't write.",
    kind: "barred",
    ...(retryAt && { retryAt }),
  });
});

test.each([
  ["7", "Too fast. Wait 7 seconds, then try again.", NOW + 7000],
  ["1", "Too fast. Wait 1 second, then try again.", NOW + 1000],
  [null, "Too fast.", undefined],
  ["soon", "Too fast.", undefined],
])("a hint of %j says how long to wait", (hint, sentence, readyAt) => {
  expect(describeFailure({ code: "PT429", message: "Too fast", hint }, NOW)).toMatchObject({
    sentence,
    kind: "later",
    ...(readyAt ? { readyAt } : {}),
  });
});
