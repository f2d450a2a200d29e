import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
/** Where sentences for readers live: visitors, admins and operators. */
const PLACES = ["app", "domain", "backend/auth", "server", "supabase/schemas"];
/** Words that are not American English, and their replacements. */
const FOREIGN =
  /\b(e-mails?|mails|colou?rful|favourites?|behaviour|cancelled|at most \w+ figures|no parents?|is no picture)\b/i;

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
