import { expect, test } from "vitest";
import { findMessageFault } from "./chat-message.ts";

test.each([
  ["", "Message cannot be empty"],
  [" \n\u00a0\u3000 ", "Message cannot be empty"],
  ["a".repeat(1001), "Message too long (max 1000 characters)"],
  ["😀".repeat(1001), "Message too long (max 1000 characters)"],
  ["  hi  ", null],
  ["a".repeat(1000), null],
  ["😀".repeat(1000), null],
  [` ${"a".repeat(1000)}\n`, null],
])("%j", (text, fault) => expect(findMessageFault(text)).toBe(fault));

test("the names of mentioned people count, but are no message", () => {
  expect(findMessageFault("a".repeat(995), "@bob ")).toBe(null);
  expect(findMessageFault("a".repeat(996), "@bob ")).toBe("Message too long (max 1000 characters)");
  expect(findMessageFault(" ", "@bob ")).toBe("Message cannot be empty");
});
