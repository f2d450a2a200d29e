import { describe, expect, test } from "vitest";
import { type FindableItem, findItems } from "./find-items.ts";
import { type ListChoice, NO_FACETS } from "./finder/list-query.ts";

const item = (name: string, rest: Partial<FindableItem>): FindableItem => ({
  name,
  aliases: "",
  category: null,
  rarity: "mythical",
  demand: "medium",
  type: "fruit",
  checked: "2026-08-17",
  ...rest,
});

const KITSUNE = item("Kitsune", {
  category: "mythical",
  demand: "very_high",
  current_value: "640M",
  previous_value: "660M",
  permanent_value: "4B",
  permanent_previous_value: "3B",
});
const CRIMSON = item("Crimson Kitsune", {
  category: "limited",
  rarity: "legendary",
  current_value: "8.7B",
  previous_value: "8B",
  checked: "2026-09-01",
});
const PAIN = item("Pain", {
  type: "item",
  demand: "low",
  current_value: "50M",
  previous_value: "100M",
  permanent_value: "9B",
});
const NEW = item("Anchor", { demand: "unheard-of", current_value: "1M", previous_value: "N/A" });
const ITEMS = [PAIN, KITSUNE, NEW, CRIMSON];

const find = (choice: Partial<ListChoice>) =>
  findItems(ITEMS, { ...NO_FACETS, search: "", category: null, mode: "regular", sort: "value", ...choice });
const names = (choice: Partial<ListChoice>) => find(choice).found.map(({ name }) => name);

describe("filtering", () => {
  test("finds nothing if no name is similar", () => expect(names({ search: "zzzz" })).toEqual([]));
  test("returns everything without a filter, by value", () =>
    expect(names({ search: "  " })).toEqual(["Crimson Kitsune", "Kitsune", "Pain", "Anchor"]));
  test("matches part of a name in any case, the exact name first", () =>
    expect(names({ search: "kItSuNe" })).toEqual(["Kitsune", "Crimson Kitsune"]));
  test("combines search and category", () =>
    expect(names({ search: "kits", category: "limited" })).toEqual(["Crimson Kitsune"]));
  test("matches any of the chosen rarities, and all chosen facets", () => {
    expect(names({ rarity: ["mythical", "legendary"] })).toHaveLength(4);
    expect(names({ rarity: ["mythical"], demand: ["low", "very_high"] })).toEqual(["Kitsune", "Pain"]);
    expect(names({ rarity: ["mythical"], demand: ["low", "very_high"], kind: ["item"] })).toEqual(["Pain"]);
  });
  test("shows and sorts by permanent values if the search asks for them", () => {
    const { found, mode } = find({ search: "perm" });
    expect([mode, found[0]?.name, found[1]?.name]).toEqual(["permanent", "Pain", "Kitsune"]);
  });
});

describe("sorting", () => {
  test.each([
    ["rise", ["Crimson Kitsune", "Kitsune", "Pain", "Anchor"]],
    ["fall", ["Pain", "Kitsune", "Crimson Kitsune", "Anchor"]],
    ["demand", ["Kitsune", "Crimson Kitsune", "Pain", "Anchor"]],
    ["name", ["Anchor", "Crimson Kitsune", "Kitsune", "Pain"]],
    ["checked", ["Crimson Kitsune", "Kitsune", "Pain", "Anchor"]],
  ] as const)("by %s, unknown ones last, ties by value", (sort, expected) => {
    expect(names({ sort })).toEqual(expected);
  });
  test("uses the changes of the current mode", () =>
    expect(names({ sort: "rise", mode: "permanent" })[0]).toBe("Kitsune"));
  test("by a chosen order takes precedence over the exact name", () =>
    expect(names({ search: "kitsune", sort: "name" })).toEqual(["Crimson Kitsune", "Kitsune"]));
});
