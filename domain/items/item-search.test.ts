import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANY_CHARACTER } from "#tests/helpers/any-character.ts";
import { meantItems } from "./item-meaning.ts";
import { modeAskedFor, nearestItems, searchItems } from "./item-search.ts";

const read = (file: string) =>
  parse<Record<string, string>>(
    readFileSync(new URL(`../../supabase/catalogue/${file}`, import.meta.url), "utf8"),
    { columns: true },
  );
const aliases = new Map(read("aliases.csv").map((row) => [row.slug, row.aliases ?? ""]));
const ITEMS = read("items.csv").map(({ name = "", slug }) => ({ name, aliases: aliases.get(slug) ?? "" }));
const first = (text: string) => searchItems(ITEMS, text).found[0]?.name;
const names = (text: string) => searchItems(ITEMS, text).found.map(({ name }) => name);

describe("a search finds what players mean", () => {
  test.each([
    ["kitsune", "Kitsune"],
    ["KITSUNE", "Kitsune"],
    ["kit", "Kitsune"],
    ["kits", "Kitsune"],
    ["t rex", "T-Rex"],
    ["trex", "T-Rex"],
    ["dou", "Dough"],
    ["mastery", "2x Mastery"],
    ["T-REX", "T-Rex"],
    ["leopard", "Tiger"],
    ["leo", "Tiger"],
    ["dough", "Dough"],
    ["perm dough", "Dough"],
    ["dough perm", "Dough"],
    ["dragon west", "West Dragon"],
    ["blade dog rabid", "Rabid Dog Blade"],
    ["budda", "Buddha"],
    ["bhudda", "Buddha"],
    ["kitsnue", "Kitsune"],
    ["kitsun", "Kitsune"],
    ["mamoth", "Mammoth"],
    ["blizard", "Blizzard"],
    ["lightening", "Lightning"],
    ["fruit notifer", "Fruit Notifier"],
    ["notif", "Fruit Notifier"],
    ["2x mastry", "2x Mastery"],
    ["+1 storage", "+1 Fruit Storage"],
    ["permanent dragon token", "Permanent Dragon Token"],
    ["  Kitsune!  ", "Kitsune"],
    ["kitsüne", "Kitsune"],
  ])("%s is %s", (text, name) => {
    expect(first(text)).toBe(name);
  });

  test("every name finds itself first, whatever its spaces, case and hyphens are", () => {
    for (const { name } of ITEMS) {
      for (const written of [name, name.toUpperCase(), name.replace(/[\s-]/g, "")]) {
        expect(first(written)).toBe(name);
      }
    }
  });
});

test("what a name holds is all that is shown: the exact one first, then what begins with it, each in the order it had", () => {
  expect(names("dragon")).toEqual([
    "West Dragon",
    "East Dragon",
    "Dragon Token",
    "Permanent Dragon Token",
    "Ember West Dragon",
  ]);
  expect(names("portal")).toEqual(["Portal", "Divine Portal", "Orange Portal"]);
});

test("the word for a mode asks for it and finds by the rest; alone it leaves all", () => {
  expect(searchItems(ITEMS, "perm kit")).toMatchObject({
    mode: "permanent",
    found: [{ name: "Kitsune" }, {}, {}],
  });
  expect(searchItems(ITEMS, "physical dough").mode).toBe("regular");
  expect(searchItems(ITEMS, "dough").mode).toBeNull();
});

test("a name that begins with the text comes before an alias that does, whatever order the items have", () => {
  const [first, ...others] = searchItems(ITEMS.toReversed(), "dou").found.map(({ name }) => name);
  expect(first).toBe("Dough");
  expect(others.toSorted()).toEqual(["2x Boss Drops", "2x Mastery", "2x Money"]);
});

test("a word that every object has by nature asks for no mode", () => {
  expect(searchItems(ITEMS, "constructor")).toEqual({ found: [], mode: null });
  expect(modeAskedFor("toString kit")).toBeNull();
});

test("with typing errors the name without other words comes first, whatever order the items have", () => {
  const byName = ITEMS.toSorted((a, b) => a.name.localeCompare(b.name));
  expect(searchItems(byName, "kitsnue").found.map(({ name }) => name)).toEqual([
    "Kitsune",
    "Crimson Kitsune",
    "Galaxy Empyrean Kitsune",
  ]);
});

describe("what a text means is one item, or a question", () => {
  const meant = (text: string) => meantItems(ITEMS, text).found.map(({ name }) => name);
  test.each([
    ["portal", ["Portal"]],
    ["port", ["Portal"]],
    ["dou", ["Dough"]],
    ["perm portal", ["Portal"]],
    ["permportal", ["Portal"]],
    ["kitsnue", ["Kitsune"]],
    ["dragon", ["West Dragon", "East Dragon", "Dragon Token"]],
    ["permanent dragon", ["West Dragon", "East Dragon", "Dragon Token"]],
    ["permanent dragon token", ["Permanent Dragon Token"]],
    ["db", ["Dark Blade"]],
    ["da", []],
    ["perm", []],
    ["", []],
  ])("%s", (text, names) => {
    expect(meant(text)).toEqual(names);
  });

  test("a mode's word that belongs to the name asks for no mode", () => {
    expect(meantItems(ITEMS, "permanent dragon token").mode).toBeNull();
    expect(meantItems(ITEMS, "perm dough").mode).toBe("permanent");
  });
});

test("an empty search leaves all, in their order", () => {
  expect(names(" ")).toEqual(ITEMS.map(({ name }) => name));
});

test.each(["?", "🍩", " ... "])("a search for %s, which is in no name, finds none", (text) => {
  expect(searchItems(ITEMS, text)).toEqual({ found: [], mode: null });
});

test("what finds none is named the nearest", () => {
  expect(names("zzzz")).toEqual([]);
  expect(names("kisune dragn")).toEqual([]);
  expect(nearestItems(ITEMS, "wast dragun", 3)[0]?.name).toBe("West Dragon");
  expect(nearestItems(ITEMS, "qqqqqqqqqq", 3)).toEqual([]);
  expect(nearestItems(ITEMS, "kistone", 2).map(({ name }) => name)).toContain("Kitsune");
});

test("takes whatever is pasted", () => {
  const known = new Set(ITEMS);
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 5_000 }), (text) => {
      const { found } = searchItems(ITEMS, text);
      return [...found, ...nearestItems(ITEMS, text, 3)].every((item) => known.has(item));
    }),
    { numRuns: 10 },
  );
});
