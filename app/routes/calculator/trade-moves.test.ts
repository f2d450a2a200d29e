import { expect, test } from "vitest";
import { emptyTrade, formatTrade, parseTrade } from "#domain/trades/trade-url.ts";
import { pickItem, removeItem, setMode } from "./trade-moves.ts";

const fifth = { side: "them", index: 4 } as const;

test("picking fills only the slot that was activated, in regular mode", () => {
  const trade = pickItem(parseTrade("you=control.p&them=,,,,kitsune.p"), fifth, "tiger");
  expect(formatTrade(trade)).toBe("?you=control.p&them=,,,,tiger");
});

test("removing empties a slot, and what is put there afterwards is regular", () => {
  const emptied = removeItem(parseTrade("them=,,,,kitsune.p"), fifth);
  expect(formatTrade(emptied)).toBe("");
  expect(pickItem(emptied, fifth, "kitsune").them[4]).toEqual({ slug: "kitsune", mode: "regular" });
});

test("a mode is set for its slot alone, and an empty slot has none", () => {
  const trade = setMode(parseTrade("you=tiger,tiger"), { side: "you", index: 1 }, "permanent");
  expect(formatTrade(trade)).toBe("?you=tiger,tiger.p");
  expect(setMode(trade, fifth, "permanent")).toEqual(trade);
});

test("a move leaves the trade it started from untouched", () => {
  const before = emptyTrade();
  pickItem(before, fifth, "tiger");
  expect(before).toEqual(emptyTrade());
});
