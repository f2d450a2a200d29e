import fc from "fast-check";
import { expect, test } from "vitest";
import { VIEW_MODES } from "../values/view-mode.ts";
import { countUnpriced, readLines, toTradeQuery, weighLines } from "./trade-lines.ts";
import { parseTrade } from "./trade-url.ts";

const dough = { id: "d", name: "Dough", value: "30M", viewMode: "regular" };
const kitsune = { id: "k", name: "Kitsune", value: "640M", viewMode: "permanent" };

test.each([null, undefined, "kitsune", 3, {}, [null], [3], [[]], [{ id: "k" }]])(
  "%j has no lines",
  (entries) => {
    expect(readLines(entries)).toEqual([]);
  },
);

test("equal entries are one line, the other mode and another day's value are lines of their own", () => {
  const lines = readLines([
    dough,
    kitsune,
    dough,
    { ...dough, viewMode: "permanent" },
    { ...dough, value: "31M" },
  ]);
  expect(lines.map(({ name, quantity, mode, value }) => [name, quantity, mode, value])).toEqual([
    ["Dough", 2, "regular", "30M"],
    ["Kitsune", 1, "permanent", "640M"],
    ["Dough", 1, "permanent", "30M"],
    ["Dough", 1, "regular", "31M"],
  ]);
});

test("older entries have a name and a quantity, and no id", () => {
  expect(readLines([{ name: "Leopard", quantity: 2 }])).toEqual([
    { id: null, name: "Leopard", value: null, mode: "regular", quantity: 2 },
  ]);
  expect(readLines([{ name: "Leopard", quantity: "3" }, { name: "Leopard" }])[0]?.quantity).toBe(4);
});

test("the items without a value are counted with their quantity", () => {
  const unpriced = { id: "e", name: "Eclipse", viewMode: "regular" };
  const entries = [
    dough,
    { ...unpriced, value: "N/A" },
    { ...unpriced, value: "N/A" },
    { ...unpriced, value: null },
  ];
  expect([countUnpriced(readLines(entries)), countUnpriced(readLines([dough]))]).toEqual([3, 0]);
});

const entry = fc.record({
  id: fc.constantFrom("a", "b", "c"),
  name: fc.constant("Item"),
  value: fc.constantFrom("1M", "2M"),
  viewMode: fc.constantFrom(...VIEW_MODES),
});
const side = fc.array(entry, { minLength: 1, maxLength: 9 });

test("no entry is lost by putting equal ones together, and lines do not repeat", () => {
  fc.assert(
    fc.property(side, (entries) => {
      const lines = readLines(entries);
      expect(lines.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(entries.length);
      const keys = lines.map(({ id, mode, value }) => `${id} ${mode} ${value}`);
      expect(new Set(keys).size).toBe(lines.length);
      expect(new Set(keys)).toEqual(
        new Set(entries.map(({ id, viewMode, value }) => `${id} ${viewMode} ${value}`)),
      );
    }),
  );
});

test("the calculator's query holds the same items as the saved trade", () => {
  fc.assert(
    fc.property(side, side, (yours, theirs) => {
      const query = toTradeQuery(readLines(yours), readLines(theirs), ({ id }) => `item-${id}`);
      const { you, them } = parseTrade(query ?? "");
      const items = (entries: typeof yours) =>
        entries.map(({ id, viewMode }) => `item-${id} ${viewMode}`).sort();
      const slots = (filled: typeof you) =>
        filled.flatMap((slot) => (slot ? `${slot.slug} ${slot.mode}` : [])).sort();
      expect([slots(you), slots(them)]).toEqual([items(yours), items(theirs)]);
    }),
  );
});

test("a trade with an item that is gone, or with more than nine on a side, does not go back into the calculator", () => {
  const lines = readLines([dough]);
  expect(toTradeQuery(lines, lines, () => undefined)).toBeNull();
  expect(toTradeQuery(readLines([{ ...dough, quantity: 10 }]), lines, () => "dough")).toBeNull();
  expect(toTradeQuery(readLines([{ ...dough, quantity: 2 }]), lines, () => "dough")).toBe(
    "?you=dough,dough&them=dough",
  );
});

test("today's worth counts each item in its mode, and tells how many it could not count", () => {
  const items = new Map([
    ["d", { current_value: "40M", permanent_value: "4B" }],
    ["k", { current_value: "600M", permanent_value: null }],
  ]);
  const find = ({ id }: { id: string | null }) => items.get(id ?? "");
  const lines = readLines([
    dough,
    dough,
    { ...dough, viewMode: "permanent" },
    kitsune,
    { name: "Gone", quantity: 3 },
  ]);
  expect(weighLines(lines, find)).toEqual({ total: 4.08e9, uncounted: 4 });
  expect(weighLines([], find)).toEqual({ total: 0, uncounted: 0 });
});
