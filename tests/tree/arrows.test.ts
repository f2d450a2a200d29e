import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** A tree in which every file breaks one rule; `npm run check` must report each. */
const offences: [rule: string, file: string, source: string][] = [
  [
    "domain-alone",
    "domain/knows-backend.ts",
    'import type { Row } from "#backend/row.ts"; export type A = Row;',
  ],
  ["backend-alone", "backend/knows-domain.ts", 'export const load = () => import("#domain/plain.ts");'],
  ["app-arrows", "app/features/items/knows-backend.ts", 'import "#backend/row.ts";'],
  ["server-arrows", "server/knows-tests.ts", 'import "#tests/helpers/plain.ts";'],
  ["supabase-alone", "supabase/knows-domain.ts", 'import "#domain/plain.ts";'],
  ["features-below-routes", "app/features/items/knows-route.ts", 'import "#app/routes/home/plain.ts";'],
  ["ui-at-the-bottom", "app/ui/knows-feature.ts", 'import "#app/features/items/plain.ts";'],
  ["routes-apart", "app/routes/values/knows-home.ts", 'import "../home/plain.ts";'],
  ["frame-is-the-roots", "app/routes/values/knows-frame.ts", 'import "#app/frame/plain.ts";'],
  ["services-apart", "backend/rest/knows-auth.ts", 'import "../auth/plain.ts";'],
  ["auth-endpoints-on-top", "backend/auth/users/knows-endpoint.ts", 'import "../endpoints/plain.ts";'],
  ["auth-nouns-above-the-service", "backend/auth/service/knows-noun.ts", 'import "../sessions/plain.ts";'],
  ["auth-tools-at-the-bottom", "backend/auth/limits/knows-service.ts", 'import "../service/plain.ts";'],
  ["leaves-stay-leaves", "backend/postgres/knows-rest.ts", 'import "../rest/plain.ts";'],
  ["helpers-are-for-tests", "scripts/knows-helper.ts", 'import "#tests/helpers/plain.ts";'],
  ["no-test-imports", "domain/knows-test.ts", 'import "./plain.test.ts";'],
  ["no-cycles", "domain/itself.ts", 'import "./itself.ts";'],
  ["resolvable", "domain/knows-nothing.ts", 'import "./nowhere.ts";'],
  ["no-dev-dependencies-at-run-time", "server/knows-vitest.ts", 'import "vitest";'],
  ["caches-have-a-limit-in-bytes", "server/knows-lru.ts", 'import "lru-cache";'],
  ["declared-dependencies-only", "server/knows-acorn.ts", 'import "acorn";'],
];
const plain = [
  "backend/row.ts",
  "backend/auth/plain.ts",
  "backend/auth/endpoints/plain.ts",
  "backend/auth/service/plain.ts",
  "backend/auth/sessions/plain.ts",
  "backend/rest/plain.ts",
  "domain/plain.ts",
  "domain/plain.test.ts",
  "tests/helpers/plain.ts",
  "app/routes/home/plain.ts",
  "app/features/items/plain.ts",
  "app/frame/plain.ts",
];
const repository = resolve(import.meta.dirname, "../..");
let tree: string;
let found: { rule: { name: string }; from: string }[];

async function write(file: string, source: string) {
  await mkdir(dirname(join(tree, file)), { recursive: true });
  await writeFile(join(tree, file), source);
}

function cruise(): Promise<string> {
  const program = join(repository, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const folders = ["app", "backend", "domain", "scripts", "server", "supabase", "tests"];
  return new Promise((done) => {
    execFile(process.execPath, [program, "--output-type", "json", ...folders], { cwd: tree }, (_error, out) =>
      done(out),
    );
  });
}

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), "arrows-"));
  for (const file of [".dependency-cruiser.cjs", "package.json"])
    await cp(join(repository, file), join(tree, file));
  await symlink(join(repository, "node_modules"), join(tree, "node_modules"));
  for (const file of plain) await write(file, "export type Row = string; export const plain = 1;");
  for (const [, file, source] of offences) await write(file, source);
  found = JSON.parse(await cruise()).summary.violations;
});
afterAll(() => rm(tree, { recursive: true }));

test.each(offences)("the check names %s for %s", (rule, file) => {
  expect(found.map((v) => `${v.rule.name} ${v.from}`)).toContain(`${rule} ${file}`);
});

test("the check names nothing else", () => {
  const offenders = new Set(offences.map(([, file]) => file));
  expect(found.filter((v) => !offenders.has(v.from))).toEqual([]);
});
