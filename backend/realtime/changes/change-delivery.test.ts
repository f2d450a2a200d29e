import { expect, test } from "vitest";
import type { Change } from "../feed/change-feed.ts";
import { createChangeDelivery } from "./change-delivery.ts";

const relation = { oid: 1, schema: "public", name: "notes" };
const change = (words: string): Change => ({
  schema: "public",
  table: "notes",
  type: "INSERT",
  relation,
  committedAt: 0,
  position: 0n,
  row: { words },
  oldRow: null,
});

test.each([
  ["many", 20_100, ""],
  ["long", 100, "x".repeat(1_000_000)],
])(
  "the queue of waiting changes is bounded: when they are too %s, a loss of changes is reported",
  (_, count, words) => {
    const losses: string[] = [];
    const delivery = createChangeDelivery({
      isWanted: () => true,
      deliver: () => new Promise(() => {}),
      onLoss: (reason) => losses.push(reason),
    });
    for (let pushed = 0; pushed < count; pushed++) delivery.push(change(words));
    expect(losses).toEqual([expect.stringMatching(/^\d+ changes of \d+ characters were waiting$/)]);
    delivery.close();
  },
);
