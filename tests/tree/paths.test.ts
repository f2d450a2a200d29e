import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const SOURCES = "{app,backend,bench,domain,scripts,server,supabase,tests}/**/*.{ts,tsx,mjs}";
/** A URL's path is percent-encoded: in a checkout such as `/srv/Früchte 2` it names no file. */
const ENCODED = /import\.meta\.url\)\s*\.pathname/;

test("no file of ours is found by a URL's path, so that the site runs in a folder of any name", () => {
  const files = globSync(SOURCES, { cwd: repository });
  expect(files.length).toBeGreaterThan(1000);
  expect(files.filter((file) => ENCODED.test(readFileSync(join(repository, file), "utf8")))).toEqual([]);
});
