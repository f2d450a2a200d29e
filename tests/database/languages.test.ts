import { readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { loadVocabularies } from "#server/database/load-vocabularies.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { type Evasion, readEvasions, readLines } from "./safe-text/corpora.ts";
import { findThrough, isWhole, judge } from "./safe-text/judge.ts";

const FOLDER = new URL("../../supabase/vocabularies/", import.meta.url);
const LANGUAGES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".txt") && name !== "en.txt")
  .map((name) => name.replace(".txt", ""));
const ALL = ["en", ...LANGUAGES];

const database = ownDatabase();
/** A language's corpus: harmless lines of traders' talk, and evasions that must not reach other users. */
function readCorpus(language: string): { harmless: string[]; evasions: Evasion[] } {
  const corpus = readEvasions(`languages/${language}`);
  return {
    harmless: corpus.filter(({ kind }) => kind === "harmless").map(({ line }) => line),
    evasions: corpus.filter(({ kind }) => kind !== "harmless"),
  };
}

async function findTouched(lines: string[]): Promise<string[]> {
  const verdicts = await judge(database.owner, lines);
  return lines.filter((_, index) => verdicts[index] && !isWhole(verdicts[index]));
}

describe.each(LANGUAGES)("%s beside English", (language) => {
  const { harmless, evasions } = readCorpus(language);

  test("has a corpus of sixty lines each, no two alike", () => {
    expect(new Set(harmless).size).toBeGreaterThanOrEqual(60);
    expect(new Set(evasions.map(({ line }) => line)).size).toBeGreaterThanOrEqual(60);
  });

  test("lets traders talk, and almost no harm through", { timeout: 60_000 }, async () => {
    await loadVocabularies(database.url, ["en", language]);
    const touched = await findTouched(harmless);
    expect(touched.length / harmless.length, touched.join("\n")).toBeLessThanOrEqual(0.05);
    const through = await findThrough(database.owner, evasions);
    expect(through.length / evasions.length, through.join("\n")).toBeLessThanOrEqual(0.02);
  });
});

describe("all languages together", () => {
  const english = [...readEvasions("evasions"), ...readEvasions("evasions-held-out")];
  beforeAll(async () => {
    await loadVocabularies(database.url, ALL);
    await database.owner.query("vacuum analyze private.known_words, private.harmful_phrases");
  }, 120_000);

  test.each(LANGUAGES)("let no more harm of %s through", { timeout: 60_000 }, async (language) => {
    const { harmless, evasions } = readCorpus(language);
    const through = await findThrough(database.owner, evasions);
    expect(through.length / evasions.length, through.join("\n")).toBeLessThanOrEqual(0.02);
    const touched = await findTouched(harmless);
    expect(touched.length / harmless.length, touched.join("\n")).toBeLessThanOrEqual(0.1);
  });

  test("let at most one in a hundred of the English evasions through", { timeout: 120_000 }, async () => {
    const through = await findThrough(database.owner, english);
    expect(through.length / english.length, through.join("\n")).toBeLessThanOrEqual(0.01);
  });

  test("leave English lines as intact as English alone does", { timeout: 120_000 }, async () => {
    const harmless = [...readLines("harmless"), ...readLines("harmless-held-out")];
    const touched = await findTouched(harmless);
    expect(touched.length / harmless.length, touched.join("\n")).toBeLessThanOrEqual(0.03);
  });

  test("read few more pages than English alone to judge a line", { timeout: 60_000 }, async () => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    const english = new Client({ connectionString: other.url });
    await english.connect();
    onTestFinished(() => english.end());
    await english.query("analyze private.known_words, private.harmful_phrases");
    const lines = readLines("harmless").slice(0, 100);
    // Counts pages rather than time, since the machine is shared; on a second run, when plans and catalogs are cached.
    const readPages = async (judging: Client) => {
      await judge(judging, lines);
      const { rows } = await judging.query(
        "explain (analyze, buffers, format json) select private.judge_text(line) from unnest($1::text[]) as line",
        [lines],
      );
      const { Plan } = rows[0]["QUERY PLAN"][0];
      return Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
    };
    const [all, alone] = [await readPages(database.owner), await readPages(english)];
    expect(alone).toBeGreaterThan(lines.length);
    // Eight times as many words, but looked up through an index.
    expect(all / alone).toBeLessThan(3);
  });

  test("know words with and without diacritics", async () => {
    expect(await findTouched(["adiós bro", "adios bro", "não quero", "nao quero"])).toEqual([]);
  });
});

describe("a language that is switched off", () => {
  test("leaves nothing behind, and comes back with the next start", { timeout: 60_000 }, async () => {
    await loadVocabularies(database.url, ["en", "es"]);
    expect((await judge(database.owner, ["busco una fruta"]))[0]?.hidden).toBeNull();
    expect(await loadVocabularies(database.url, ["en", "es"])).toEqual([]);
    await loadVocabularies(database.url, ["en"]);
    expect((await judge(database.owner, ["busco una fruta"]))[0]?.hidden).toContain("busco");
    const { rows } = await database.owner.query(
      `select (select count(*)::int from private.known_words where language = 'es') as words,
         (select count(*)::int from private.harmful_phrases where language = 'es') as phrases`,
    );
    expect(rows).toEqual([{ words: 0, phrases: 0 }]);
    expect(await loadVocabularies(database.url, ["en", "es"])).toEqual(["es"]);
    expect((await judge(database.owner, ["busco una fruta"]))[0]?.hidden).toBeNull();
  });
});

test("every file has the sections that are read, and each line of meanings has a meaning", () => {
  for (const language of ALL) {
    let part = "";
    for (const line of readFileSync(new URL(`${language}.txt`, FOLDER), "utf8").split("\n")) {
      if (line.startsWith("[")) part = line;
      else if (line !== "" && !line.startsWith("#")) {
        expect(part, `${language}: ${line}`).toMatch(
          /^\[(words|often|trade|means|unsaid|said|everyday|phrases: .+)\]$/,
        );
        if (/^\[(means|unsaid|said)\]$/.test(part)) expect(line, language).toMatch(/^[a-z0-9]+: \S/);
      }
    }
  }
});
