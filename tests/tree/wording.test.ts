import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
/** Where sentences for readers live: visitors, admins and operators. */
const PLACES = ["app", "domain", "backend/auth", "server", "supabase/schemas"];
/** Words that are not American English, and their replacements. */
const FOREIGN =
  /\b(e-mails?|mails|colou?rful|favourites?|behaviour|cancelled|at most \w+ figures|no parents?|is no picture)\b/i;

/** Folders whose comments and names are checked. */
const CODE = ["app", "backend", "bench", "domain", "scripts", "server", "supabase/schemas", "tests"];
/**
 * Literal translations that comments and SQL descriptions fell back to; say which request, row or user is meant, and
 * what happens to it.
 */
const TRANSLATED =
  /\b(anew|(?:is|are) told|in vain|hears? of|for ever|whom one|as one likes|comes? to be|hangs on it|stands? there|took in|dearest|bystanders?|half a sign-in|goes again|is found out|what is not known|what became of|is no (?:word|name|message|edit))\b/i;
/** The same in declared names: private vocabulary such as a "door" for an API call or a "turn" for a lock. */
const TRANSLATED_NAME =
  /(?:Anew|GrownUps?|WayBack|WaysIn|Vouched|Patiently|StandingNames?|(?:^|[a-z])Shelf|Bystander|bystander)|^(?:Told|Said|Heard|Letter|Doors?|DOORS|Ground|anew|patiently|shelf|handed\w*|vouched)$/;
const DECLARED =
  /\b(?:function\*?|const|let|class|type|interface|trigger|create function (?:public|private)\.)\s*(\w+)/g;

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

/** Comments, and in SQL also descriptions of objects and the names of policies. */
const isProse = (file: string, line: string) =>
  file.endsWith(".sql") ? /--|^comment on |^ {2}'|^create policy /.test(line) : /^\s*(\/\/|\/?\*)/.test(line);

test("comments name things in the field's terms, without literal translations", () => {
  const found = CODE.flatMap(filesIn).flatMap((file) =>
    readFileSync(join(repository, file), "utf8")
      .split("\n")
      .filter((line) => isProse(file, line) && TRANSLATED.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test("names are the field's terms too", () => {
  const found = CODE.flatMap(filesIn).flatMap((file) =>
    Array.from(readFileSync(join(repository, file), "utf8").matchAll(DECLARED), ([, name = ""]) => name)
      .filter((name) => TRANSLATED_NAME.test(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
