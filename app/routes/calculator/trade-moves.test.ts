import { expect, test } from "vitest";
import { emptyTrade, formatTrade, parseTrade } from "#domain/trades/trade-url.ts";
import { addOneMore, nextFreeSlot, pickItem, removeItem, setMode } from "./trade-moves.ts";

const fifth = { side: "them", index: 4 } as const;

test("picking fills only the opened slot, in regular mode", () => {
  const trade = pickItem(parseTrade("you=control.p&them=,,,,kitsune.p"), fifth, "tiger");
  expect(formatTrade(trade)).toBe("?you=control.p&them=,,,,tiger");
});

test("removing empties a slot, and what is added there afterwards is regular", () => {
  const emptied = removeItem(parseTrade("them=,,,,kitsune.p"), fifth);
  expect(formatTrade(emptied)).toBe("");
  expect(pickItem(emptied, fifth, "kitsune").them[4]).toEqual({ slug: "kitsune", mode: "regular" });
});

test("a mode is set for its slot only, and an empty slot has none", () => {
  const trade = setMode(parseTrade("you=tiger,tiger"), { side: "you", index: 1 }, "permanent");
  expect(formatTrade(trade)).toBe("?you=tiger,tiger.p");
  expect(setMode(trade, fifth, "permanent")).toEqual(trade);
});

test("a move does not modify the original trade", () => {
  const before = emptyTrade();
  pickItem(before, fifth, "tiger");
  expect(before).toEqual(emptyTrade());
});

test("another one of an item goes into the next empty slot of its side, in the same mode", () => {
  const trade = parseTrade("you=dough.p,tiger,,kitsune");
  expect(formatTrade(addOneMore(trade, { side: "you", index: 0 }))).toBe(
    "?you=dough.p,tiger,dough.p,kitsune",
  );
  const full = parseTrade(`you=${Array(9).fill("dough")}`);
  expect(addOneMore(full, { side: "you", index: 0 })).toBe(full);
  expect(addOneMore(trade, fifth)).toBe(trade);
});

test("the next empty slot is searched from a place on, then from the start", () => {
  const trade = parseTrade("you=dough,,a,b,c,d,e,f,g");
  expect(nextFreeSlot(trade, { side: "you", index: 4 })).toEqual({ side: "you", index: 1 });
  expect(nextFreeSlot(trade, fifth)).toEqual(fifth);
});

test("an item can be picked in a given mode", () => {
  expect(formatTrade(pickItem(emptyTrade(), fifth, "tiger", "permanent"))).toBe("?them=,,,,tiger.p");
});
