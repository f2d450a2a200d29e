import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
/** Where sentences for readers live: visitors, admins and operators. */
const PLACES = ["app", "domain", "backend/auth", "server", "supabase/schemas"];
/** Words that are not American English, and their replacements. */
const FOREIGN =
  /\b(e-mails?|mails|colou?rful|favourites?|behaviour|cancelled|at most \w+ figures|no parents?|is no picture)\b/i;

/** Folders whose comments are checked. */
const CODE = ["app", "backend", "bench", "domain", "scripts", "server"];
/** Literal translations that comments fell back to; say which request, row or user is meant, and what happens to it. */
const TRANSLATED = /\b(anew|(?:is|are) told|in vain|hears? of|for ever|whom one|as one likes|comes to be)\b/;

const filesIn = (place: string) =>
  readdirSync(join(repository, place), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|sql)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(place, name));

/** Quoted sentences: they start with a capital letter and contain a space, which identifiers do not. */
const sentencesOf = (text: string) =>
  Array.from(
    text.matchAll(/["'`]([A-Z][^"`\n]* [^"`\n]*?)["`]|'([A-Z](?:[^'\n]|'')* (?:[^'\n]|'')*)'/g),
    ([, a, b]) => a ?? b ?? "",
  );

test("user-facing text is American English: email and digits, and no literal translations", () => {
  const found = PLACES.flatMap(filesIn).flatMap((file) =>
    sentencesOf(readFileSync(join(repository, file), "utf8"))
      .filter((sentence) => FOREIGN.test(sentence))
      .map((sentence) => `${file}: ${sentence}`),
  );
  expect(found).toEqual([]);
});

test("comments name things in the field's terms, without literal translations", () => {
  const found = CODE.flatMap(filesIn).flatMap((file) =>
    readFileSync(join(repository, file), "utf8")
      .split("\n")
      .filter((line) => /^\s*(\/\/|\/?\*)/.test(line) && TRANSLATED.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
