import { expect, test } from "vitest";
import { describeNotice } from "./describe-notice.ts";

test("one and many, with the names that there are", () => {
  expect(describeNotice({ kind: "proposals", count: 1, items: ["Rocket"] })).toEqual({
    text: "1 value waits for a second person: Rocket",
    tab: "proposals",
  });
  expect(describeNotice({ kind: "stale", count: 86, items: ["A", "B", "C", "D", "E"] })).toEqual({
    text: "86 items have not been checked for 30 days: A, B, C, D, E …",
    tab: "work",
  });
  expect(describeNotice({ kind: "failed_mails", count: 2, items: [] })).toEqual({
    text: "2 emails can't be delivered",
    tab: null,
  });
});
