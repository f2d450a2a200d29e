import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANY_CHARACTER } from "#tests/helpers/any-character.ts";
import { emptyTrade, formatTrade, parseTrade } from "./trade-url.ts";
import { fillTrade, readTypedTrade } from "./typed-trade.ts";

const read = (file: string) =>
  parse<Record<string, string>>(
    readFileSync(new URL(`../../supabase/catalogue/${file}`, import.meta.url), "utf8"),
    { columns: true },
  );
const aliases = new Map(read("aliases.csv").map((row) => [row.slug, row.aliases ?? ""]));
const ITEMS = read("items.csv")
  .map(({ name = "", slug = "" }) => ({ name, slug, aliases: aliases.get(slug) ?? "" }))
  .sort((a, b) => a.name.localeCompare(b.name));

const typed = (text: string) => readTypedTrade(ITEMS, text);
const filled = (text: string, before = emptyTrade()) => formatTrade(fillTrade(before, typed(text)).trade);

describe("a typed trade fills both sides", () => {
  test.each([
    ["perm dough + 2 portal for kitsune", "?you=dough.p,portal,portal&them=kitsune"],
    ["Dough for Tiger", "?you=dough&them=tiger"],
    ["dough, portal & venom and sand for kit", "?you=dough,portal,venom,sand&them=kitsune"],
    ["dough + portal → leopard", "?you=dough,portal&them=tiger"],
    ["dough -> tiger", "?you=dough&them=tiger"],
    ["dough => tiger", "?you=dough&them=tiger"],
    ["dough vs tiger", "?you=dough&them=tiger"],
    ["dough vs. tiger", "?you=dough&them=tiger"],
    ["2x dough for tiger", "?you=dough,dough&them=tiger"],
    ["2 x dough for tiger", "?you=dough,dough&them=tiger"],
    ["x2 dough for tiger", "?you=dough,dough&them=tiger"],
    ["×2 dough for tiger", "?you=dough,dough&them=tiger"],
    ["dough x2 for tiger", "?you=dough,dough&them=tiger"],
    ["2dough for tiger", "?you=dough,dough&them=tiger"],
    ["two dough for one tiger", "?you=dough,dough&them=tiger"],
    ["a dough for a tiger", "?you=dough&them=tiger"],
    ["my dough for your tiger", "?you=dough&them=tiger"],
    ["2 perm dough for permanent kitsune", "?you=dough.p,dough.p&them=kitsune.p"],
    ["perm 2 dough for kitsune perm", "?you=dough.p,dough.p&them=kitsune.p"],
    ["phys dough for physical tiger", "?you=dough&them=tiger"],
    ["permanent dragon token for dough", "?you=permanent-dragon-token&them=dough"],
    ["t rex + t-rex for trex", "?you=t-rex,t-rex&them=t-rex"],
    ["west dragon for kitsune", "?you=west-dragon&them=kitsune"],
    ["dragon west for kitsune", "?you=west-dragon&them=kitsune"],
    ["2x mastery + +1 fruit storage for db", "?you=2x-mastery,plus-1-fruit-storage&them=dark-blade"],
    ["2 2x money for yeti", "?you=2x-money,2x-money&them=yeti"],
    ["2x mastry for yeti", "?you=2x-mastery&them=yeti"],
    ["2x kitsnue for yeti", "?you=kitsune,kitsune&them=yeti"],
    ["kitsnue for budda", "?you=kitsune&them=buddha"],
    ["dough portal 2 venom for kitsune", "?you=dough,portal,venom,venom&them=kitsune"],
    ["DOUGH\n+ PORTAL FOR KITSUNE!", "?you=dough,portal&them=kitsune"],
    ["dough 4 kitsune", "?you=dough&them=kitsune"],
    ["2 dough 4 perm kitsune", "?you=dough,dough&them=kitsune.p"],
    ["dough + 4 portal", "?you=dough,portal,portal,portal,portal"],
    ["dough and 4 portal", "?you=dough,portal,portal,portal,portal"],
    ["dough 4 portal for kitsune", "?you=dough,portal,portal,portal,portal&them=kitsune"],
    ["perm 2 dough", "?you=dough.p,dough.p"],
    ["permanant dough for permenant kitsune", "?you=dough.p&them=kitsune.p"],
    ["for kitsune", "?them=kitsune"],
    ["dough + portal", "?you=dough,portal"],
    ["permdough + permdb for physdough", "?you=dough.p,dark-blade.p&them=dough"],
    ["p dough + 2 p portal for P kitsune", "?you=dough.p,portal.p,portal.p&them=kitsune.p"],
    ["permanet dough for permament kitsune", "?you=dough.p&them=kitsune.p"],
    ["portal portal for dough dough", "?you=portal,portal&them=dough,dough"],
    ["dough 🍩 + portal 🌀 4 kitsune 🦊", "?you=dough,portal&them=kitsune"],
    ["dough🍩 4 kitsune🦊", "?you=dough&them=kitsune"],
    ["(2x) dough! 4 kitsune", "?you=dough,dough&them=kitsune"],
    ["dough, dough and leopard 4 kitsune", "?you=dough,dough,tiger&them=kitsune"],
    ["dough plus portal 4 kitsune plus 4 dough", "?you=dough,portal&them=kitsune,dough,dough,dough,dough"],
    ["dough × 4 portal", "?you=dough,portal,portal,portal,portal"],
    ["dough ➡️ kitsune", "?you=dough&them=kitsune"],
    ["dough ↔ kitsune", "?you=dough&them=kitsune"],
    ["dough —> kitsune", "?you=dough&them=kitsune"],
    ["im giving my dough with portal for ur kitsune pls", "?you=dough,portal&them=kitsune"],
    ["dough for kitsune w/f/l?", "?you=dough&them=kitsune"],
    ["dough for kitsune WFL", "?you=dough&them=kitsune"],
  ])("%s", (text, trade) => {
    expect(filled(text)).toBe(trade);
    expect(typed(text).unread).toEqual([]);
  });
});

test("a side that the text does not speak of, or of which nothing is understood, stays", () => {
  const before = parseTrade("you=control&them=kitsune.p");
  expect(filled("2 dough", before)).toBe("?you=dough,dough&them=kitsune.p");
  expect(filled("for tiger", before)).toBe("?you=control&them=tiger");
  expect(filled("zzzz for tiger", before)).toBe("?you=control&them=tiger");
  expect(typed("dough").them).toBeNull();
  expect(typed("dough for").them).toEqual([]);
});

describe("what is not understood is named", () => {
  const unread = (text: string) =>
    typed(text).unread.map(({ words, choices, isAmbiguous }) => ({
      words,
      choices: choices.map(({ name }) => name),
      isAmbiguous,
    }));

  test("a word that is no item, while the others are filled", () => {
    expect(unread("dough + zzzzzzzz for kitsune")).toEqual([
      { words: "zzzzzzzz", choices: [], isAmbiguous: false },
    ]);
    expect(filled("dough + qwertyuiop for kitsune")).toBe("?you=dough&them=kitsune");
    expect(unread("dough qwertyuiop portal for kitsune")[0]?.words).toBe("qwertyuiop");
  });

  test("one that is nearly an item, with the items it may be", () => {
    expect(unread("kistone for dough")[0]?.choices).toContain("Kitsune");
  });

  test("one that could be several, with all of them, and none is guessed", () => {
    expect(unread("2 dragon for kitsune")).toEqual([
      { words: "dragon", choices: ["Dragon Token", "East Dragon", "West Dragon"], isAmbiguous: true },
    ]);
    expect(filled("2 dragon for kitsune")).toBe("?them=kitsune");
  });

  test("a second for, and what comes after it", () => {
    expect(unread("dough for tiger for kitsune")).toEqual([
      { words: "kitsune", choices: [], isAmbiguous: false },
    ]);
  });
});

test("more than the slots hold is left out, and counted", () => {
  const { trade, leftOut } = fillTrade(emptyTrade(), typed("8 dough + 4 portal for 100 tiger"));
  expect(formatTrade(trade)).toBe(
    `?you=${[...Array(8).fill("dough"), "portal"]}&them=${Array(9).fill("tiger")}`,
  );
  expect(leftOut).toEqual({ you: 3, them: 91 });
});

test("nothing typed changes nothing", () => {
  expect(typed("  ")).toEqual({ you: [], them: null, unread: [] });
  expect(filled(" + , and ", parseTrade("you=dough"))).toBe("?you=dough");
});

test("takes whatever is pasted, and fills nothing but items", () => {
  const slugs = new Set(ITEMS.map(({ slug }) => slug));
  const word = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 200 }),
    fc.constantFrom("dough", "for", "+", "2x", "perm", "dragon", " ", "x"),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const { trade } = fillTrade(emptyTrade(), typed(words.join(" ")));
      return [...trade.you, ...trade.them].every((slot) => slot === null || slugs.has(slot.slug));
    }),
    { numRuns: 15 },
  );
});
