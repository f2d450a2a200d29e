import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { defaultAuthConfig } from "#backend/auth/service/auth-config.ts";
import { readServiceSettings } from "#backend/configuration/service-settings.ts";
import { watchReads } from "#backend/configuration/watch-reads.ts";
import { defaultFunctionsConfig } from "#backend/functions/functions-config.ts";
import { defaultRealtimeConfig } from "#backend/realtime/realtime-config.ts";
import { defaultStorageConfig } from "#backend/storage/storage-config.ts";
import { readConfig } from "#server/configuration/config.ts";

const repository = resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(repository, file), "utf8");

/** Cells of the rows of a page's tables, without their header rows. */
function tableRows(page: string): string[][] {
  const lines = read(page).split("\n");
  const isHeader = (index: number) => [index, index + 1].some((at) => lines[at]?.startsWith("| ---"));
  const rows = lines.filter((line, index) => line.startsWith("| ") && !isHeader(index));
  return rows.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

type ClauseRow = { clause: string; text: string; code: string; tests: string };

/** A line of docs/clauses.md for each clause; a clause that is not built has no files. */
function clauseRows(): ClauseRow[] {
  return tableRows("docs/clauses.md").flatMap(([clause = "", text = "", code = "", tests = ""]) =>
    CLAUSE.test(clause) ? [{ clause, text, code, tests }] : [],
  );
}

const CLAUSE = /^\d\.[a-z]+\.\d\d$/;
const filesOf = (cell: string) => (cell === "" ? [] : cell.split(", "));

test("every direct dependency has its line, and nothing else has one", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  const listed = tableRows("docs/dependencies.md").map(([name]) => name?.replaceAll("`", ""));
  expect(listed.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort());
});

test("the changelog has an entry for the version in package.json", () => {
  expect(read("CHANGELOG.md")).toContain(`\n## ${JSON.parse(read("package.json")).version}\n`);
});

test("every clause in the map names code and tests that exist", () => {
  const rows = clauseRows();
  const named = rows.flatMap(({ code, tests }) => [...filesOf(code), ...filesOf(tests)]);
  expect(named.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
  const tests = rows.flatMap((row) => filesOf(row.tests));
  expect(tests.filter((file) => !/\.test\.tsx?$/.test(file))).toEqual([]);
});

const AUTH_ALONE = {
  GOTRUE_SITE_URL: "https://site.example",
  API_EXTERNAL_URL: "https://site.example",
  GOTRUE_JWT_SECRET: "a-secret-of-more-than-32-characters",
  GOTRUE_DB_DATABASE_URL: "postgres://login@host/database",
  GOTRUE_SMTP_HOST: "mail.example",
};

test("every variable of the auth service that is read has its row, and no other has one", () => {
  const rows = tableRows("docs/auth-settings.md").map(
    ([cell = ""]) => cell.match(/[A-Z][A-Z0-9_<>]+/g) ?? [],
  );
  const listed = rows.flat().map((name) => new RegExp(`^${name.replace(/<[A-Z]+>/, "[A-Z0-9_]+")}$`));
  const { environment, names } = watchReads({
    ...AUTH_ALONE,
    GOTRUE_EXTERNAL_OTHER_ENABLED: "false",
  });
  readServiceSettings(environment);
  const read = names().filter((name) => /^GOTRUE_|^(API_EXTERNAL_URL|SEALING_KEY)$/.test(name));
  expect(read.filter((name) => !listed.some((row) => row.test(name)))).toEqual([]);
  expect(listed.filter((row) => !read.some((name) => row.test(name)))).toEqual([]);
});

/** Each variable of a page with its default, if the page states that as a value; of two the one to be `taken`. */
function statedDefaults(page: string, taken: 0 | -1): [name: string, value: string][] {
  return tableRows(page).flatMap(([cell = "", stated = ""]) => {
    const names = Array.from(cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g), ([, name = ""]) => name);
    const parts = stated.split(", ");
    return names.flatMap((name, at): [string, string][] => {
      const one = (parts.length === names.length ? parts[at] : stated)?.split("; ").at(taken) ?? "";
      const value = /^`(?![A-Z_]+[/`])([^`]+)`$|^(\d+)$/.exec(one);
      return value ? [[name, value[1] ?? value[2] ?? ""]] : [];
    });
  });
}

function siteWith(environment: Record<string, string>) {
  const { variables, siteUrlIsPlaceholder, realtime, functions, storage, ...others } =
    readConfig(environment);
  return {
    ...others,
    realtime: { ...defaultRealtimeConfig, ...realtime },
    functions: { ...defaultFunctionsConfig.limits, ...functions.limits },
    storage: { ...storage, fileSizeLimit: storage.fileSizeLimit ?? defaultStorageConfig.fileSizeLimit },
  };
}

function authAloneWith(environment: Record<string, string>) {
  const { auth } = readServiceSettings({ ...AUTH_ALONE, ...environment });
  const config = { ...defaultAuthConfig, ...auth?.config };
  // Without the functions, which are new each time.
  return JSON.parse(JSON.stringify({ ...auth, poolSize: auth?.poolSize ?? 10, config }));
}

test("setting a variable to the default that its page states changes nothing", () => {
  const known = new Set(readConfig({}).variables);
  const ofSite = statedDefaults("docs/operations.md", 0).filter(([name]) => known.has(name));
  expect(ofSite.length).toBeGreaterThan(30);
  for (const [name, value] of ofSite) expect(siteWith({ [name]: value }), name).toEqual(siteWith({}));
  const ofAuth = statedDefaults("docs/auth-settings.md", -1);
  expect(ofAuth.length).toBeGreaterThan(50);
  for (const [name, value] of ofAuth)
    expect(authAloneWith({ [name]: value }), name).toEqual(authAloneWith({}));
});

test("the files listed for changes exist", () => {
  const files = tableRows("docs/where-to-change.md").flatMap(([, first = "", ...others]) => {
    const [start = ""] = first.split(",");
    const named = [first, ...others].flatMap((cell) => cell.match(/[\w./-]+\.\w{2,4}\b/g) ?? []);
    // A bare name is one beside the first file.
    return [
      start,
      ...named.map((name) => (existsSync(join(repository, name)) ? name : join(dirname(start), name))),
    ];
  });
  expect(files.length).toBeGreaterThanOrEqual(300);
  expect(files.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
});

test.each(["docs/safety.md", "docs/security.md"])("the files that %s names exist", (page) => {
  const cells = tableRows(page).flat();
  const named = cells.flatMap((cell) =>
    cell.split(", ").filter((text) => /^[\w.-]+\/[\w./-]+\.\w+$/.test(text)),
  );
  expect(named.length).toBeGreaterThanOrEqual(20);
  expect(named.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
});

const toAnchor = (line: string) =>
  line
    .replace(/^#+ /, "")
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

test("every link between the pages leads to a file, and to a heading of it", () => {
  const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: repository })];
  const links = pages.flatMap((page) =>
    Array.from(read(page).matchAll(/\]\((?!\w+:)([^)#]*)#?([^)]*)\)/g), ([link, file, anchor]) => ({
      link: `${page}: ${link}`,
      target: file ? join(dirname(page), file) : page,
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(30);
  const dead = links.filter(({ target, anchor }) => {
    if (!existsSync(join(repository, target))) return true;
    return (
      anchor &&
      !read(target)
        .match(/^#+ .*$/gm)
        ?.some((line) => toAnchor(line) === anchor)
    );
  });
  expect(dead.map(({ link }) => link)).toEqual([]);
});

test("no change, decision or continuation line is listed twice", () => {
  const rows = tableRows("docs/where-to-change.md").map(([change = ""]) => change);
  const decided = Array.from(read("docs/product-decisions.md").matchAll(/^- \*\*(P\d+)\./gm), ([, id]) => id);
  const lines = ["docs/product-decisions.md", "docs/safety.md", "CHANGELOG.md"].flatMap((page) =>
    read(page)
      .split("\n")
      .filter((line) => /^\s+\S.{20}/.test(line)),
  );
  const told = [...rows, ...decided, ...lines];
  expect(told.filter((each, place) => told.indexOf(each) !== place)).toEqual([]);
});

test("all 503 clauses are in the map exactly once", () => {
  const clauses = clauseRows().map(({ clause }) => clause);
  expect(new Set(clauses).size).toBe(503);
  expect(clauses).toHaveLength(503);
});

test("code cites only clauses and product decisions that are in docs", () => {
  const known = new Set([
    ...clauseRows().map(({ clause }) => clause),
    ...Array.from(read("docs/product-decisions.md").matchAll(/^- \*\*(P\d+)\./gm), ([, id]) => id),
  ]);
  const sources = ["app", "backend", "domain", "server", "supabase/schemas", "scripts", "tests"].flatMap(
    (folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.(tsx?|sql|mjs)$/.test(file))
        .map((file) => join(folder, file)),
  );
  const cited = sources.flatMap((file) =>
    Array.from(read(file).matchAll(/\b\d\.[a-z]+\.\d\d\b|\bP[1-9]\d?\b/g), ([id]) => `${file}: ${id}`),
  );
  expect(cited.filter((citation) => !known.has(citation.replace(/^.*: /, "")))).toEqual([]);
});
