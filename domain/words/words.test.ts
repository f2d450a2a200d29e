import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findHiddenWords } from "./hidden-words.ts";
import { nearestWords } from "./nearest-words.ts";
import { findUnknownWords } from "./unknown-words.ts";
import { toVocabulary } from "./vocabulary.ts";

const SMALL = toVocabulary(
  "cool dough haha hey i kit kits kitsune offer offers the trade w x",
  "dough kitsune trade",
);

const unknown = (text: string) => findUnknownWords(text, SMALL).map(({ written }) => written);

test("what nobody would see is found where it stands, in whatever dress", () => {
  expect(findUnknownWords("the Zquórk, dough/blob 2zorks", SMALL)).toEqual([
    { written: "Zquórk", word: "zquork", start: 4, end: 10 },
    { written: "blob", word: "blob", start: 18, end: 22 },
    { written: "zorks", word: "zorks", start: 24, end: 29 },
  ]);
});

test.each([
  "the heyyy coooool kit's offers! hahahahaha",
  "dough/kitsune 2kits",
  "tarde dogh kitsunne: slips of usual words",
  "2.5b 640m 50/50 x3 sn4p",
  "@Zquork :D xD <3 :P f*ck i w",
  "привет 你好 😀 ####",
])("nothing is marked that is known or that cannot be told: %s", (text) => {
  expect(unknown(text.replace(": slips of usual words", ""))).toEqual([]);
});

test("what was hidden is named once, without what stands around it", () => {
  expect(findHiddenWords("a zquork,  the (zquork) #### x", "a ####  the #### #### x")).toEqual(["zquork"]);
  expect(findHiddenWords("a zquork", "@SwiftOtter100 a ####")).toEqual(["zquork"]);
  expect(findHiddenWords("1 000 000 zquork", "1,000,000 ####")).toEqual([]);
  expect(findHiddenWords("all known", "all known")).toEqual([]);
});

/** Reads the English file, approximately as the database returns it. */
function readEnglish() {
  const file = readFileSync(new URL("../../supabase/vocabularies/en.txt", import.meta.url), "utf8");
  const part = (name: string) => file.split(`[${name}]\n`)[1]?.split("\n[")[0]?.replaceAll("\n", " ") ?? "";
  const often = `${part("often")} ${part("trade")}`;
  return toVocabulary(`${part("words")} ${often}`, often);
}

test.each([
  ["kitsuen", "kitsune"],
  ["premanant", "permanent"],
  ["fruitt", "fruit"],
  ["leapord", "leopard"],
  ["tradeing", "trading"],
  ["uqick", "quick"],
])("of %s the nearest known word is %s", (word, meant) => {
  const english = readEnglish();
  const vocabulary = { ...english, words: new Set([...english.words, "kitsune", "leopard"]) };
  expect(nearestWords(word, vocabulary, 3)).toContain(meant);
});

test("the nearest words of the whole vocabulary come within a frame", () => {
  const english = readEnglish();
  expect(english.words.size).toBeGreaterThan(5000);
  nearestWords("warm up", english, 3);
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    nearestWords("permanantly", english, 3);
    return performance.now() - start;
  });
  // The best of several runs, since other work may run at the same time.
  expect(Math.min(...times)).toBeLessThan(10);
});
