import { expect, test } from "vitest";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { makeOffer } from "./offer.ts";

const kitsune = { name: "Kitsune", current_value: "640M", permanent_value: "6.24B", demand: "very_high" };
const notifier = { name: "Fruit Notifier", current_value: "2.1B", permanent_value: null, demand: "low" };
const items = new Map(Object.entries({ kitsune, notifier }) as [string, CalculatorItem][]);

test("a slot counts in its own mode", () => {
  const offer = makeOffer(
    [{ slug: "kitsune", mode: "regular" }, null, { slug: "kitsune", mode: "permanent" }],
    items,
  );
  expect(offer.sum).toEqual({ total: 6_880_000_000, filled: 2, unpriced: 0 });
});

test("an item without a value in its mode is unpriced, and its demand still counts", () => {
  const offer = makeOffer(
    [
      { slug: "notifier", mode: "permanent" },
      { slug: "kitsune", mode: "regular" },
    ],
    items,
  );
  expect(offer.sum).toEqual({ total: 640_000_000, filled: 2, unpriced: 1 });
  expect(offer.demand.score).toBe(3);
});

test("an unknown slug is named, and counts as unpriced", () => {
  const slots = [
    { slug: "sea-monster", mode: "regular" } as const,
    { slug: "kitsune", mode: "regular" } as const,
  ];
  const offer = makeOffer(slots, items);
  expect(offer.slots[0]).toEqual({ unknown: "Sea Monster" });
  expect(offer.sum).toEqual({ total: 640_000_000, filled: 2, unpriced: 1 });
  expect(offer.demand.score).toBe(4);
});

test("while no items could be read, no slot is called unknown", () => {
  expect(makeOffer([{ slug: "kitsune", mode: "regular" }], null)).toEqual(makeOffer([null], items));
});
