import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(repository, file), "utf8");

/** Cells of a page's table rows, without its head. */
function tableRows(page: string): string[][] {
  const lines = read(page)
    .split("\n")
    .filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** `2.home.01–03, 2.nav.05` → each clause by itself. */
function expandClauses(cell: string): string[] {
  return cell.split(", ").flatMap((part) => {
    const [, section, first, last] = /^(\d\.[a-z]+\.)(\d\d)(?:–(\d\d))?$/.exec(part) ?? [];
    if (!section) throw new Error(`no clause: ${part}`);
    const numbers = Array.from(
      { length: Number(last ?? first) - Number(first) + 1 },
      (_, index) => Number(first) + index,
    );
    return numbers.map((number) => section + String(number).padStart(2, "0"));
  });
}

test("every direct dependency has its line, and no other has one", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  const listed = tableRows("docs/dependencies.md").map(([name]) => name?.replaceAll("`", ""));
  expect(listed.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort());
});

test("every clause in the map names code and tests that are there", () => {
  const rows = tableRows("docs/clauses.md");
  const named = rows.flatMap(([, code = "", tests = ""]) => [...code.split(", "), ...tests.split(", ")]);
  expect(named.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
  const tests = rows.flatMap(([, , files = ""]) => files.split(", "));
  expect(tests.filter((file) => !/\.test\.tsx?$/.test(file))).toEqual([]);
});

test("no clause stands in the map twice", () => {
  const clauses = tableRows("docs/clauses.md").flatMap(([cell = ""]) => expandClauses(cell));
  expect(clauses.filter((clause, index) => clauses.indexOf(clause) !== index)).toEqual([]);
  expect(clauses.length).toBeGreaterThan(200);
});
