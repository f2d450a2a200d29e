import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "#tests/helpers/free-port.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

/** One of our own sites acts as the hosted project: the other knows only its URL and key. */
const projectDir = readyDataDir();
let folder: string;
let project: ServerProcess;
let site: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fruit-values-test-"));
  const DATA_DIR = projectDir;
  project = await startServer({ env: { DATA_DIR } });
  const keys = execFileSync(process.execPath, ["server/commands/print-keys.ts"], {
    env: { ...process.env, DATA_DIR },
    encoding: "utf8",
  });
  const anonKey = /Anonymous key\s+(\S+)/.exec(keys)?.[1] ?? "";
  const env = { SUPABASE_URL: project.address, SUPABASE_ANON_KEY: anonKey, DATA_DIR: join(folder, "site") };
  site = await startServer({ env });
});

afterAll(async () => {
  await site?.stop();
  await project?.stop();
  for (const each of [folder, projectDir]) rmSync(each, { recursive: true, force: true });
});

test("with SUPABASE_URL no part of the bundled backend is started", async () => {
  expect(existsSync(join(folder, "site"))).toBe(false);
  const { status, headers } = await fetch(`${site.address}/rest/v1/items`);
  expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
});

test("the start says in one line what is unavailable without a database of its own", async () => {
  expect(site.output()).toMatch(/^SUPABASE_URL .*views of items are not counted.*no news by mail/m);
  expect(project.output()).not.toContain("views of items are not counted");
});

test("a backend that cannot be reached does not prevent the start, which tells so in one line", async () => {
  const SUPABASE_URL = `http://127.0.0.1:${await freePort()}`;
  const env = { SUPABASE_URL, SUPABASE_ANON_KEY: "key", DATA_DIR: join(folder, "alone") };
  const alone = await startServer({ env });
  await expect
    .poll(() => alone.output(), { timeout: 10_000 })
    .toMatch(/^SUPABASE_URL: http.* does not work now \(ECONNREFUSED\): .*nobody can sign in\.$/m);
  expect(site.output()).not.toContain("does not work now");
  await alone.stop();
});

test("pages show that backend's items, and a change to one about a second later", async () => {
  const values = async () => (await fetch(`${site.address}/values`)).text();
  expect(await values()).toContain("Kitsune");
  const databaseUrl = readFileSync(join(projectDir, "database-url"), "utf8").trim();
  await runOn(databaseUrl, "update items set current_value = '98.7B' where slug = 'kitsune'");
  await expect.poll(values, { interval: 100 }).toContain("98.7B");
});

test("open pages are told that changes are not announced, and stop asking", async () => {
  expect(await (await fetch(`${site.address}/live`)).text()).toBe("retry: 86400000\n\n");
});

test("browsers may talk to that backend", async () => {
  const policy = (await fetch(site.address)).headers.get("content-security-policy");
  expect(policy).toContain(`connect-src 'self' ${project.address} ${project.address.replace("http", "ws")};`);
});

test("when that backend is down, cached pages still answer and others answer 503 with Retry-After", async () => {
  await project.stop();
  const kept = await fetch(`${site.address}/values`);
  expect([kept.status, (await kept.text()).includes("Kitsune")]).toEqual([200, true]);
  const other = await fetch(`${site.address}/fruits/leopard`);
  expect(other.status).toBe(503);
  expect(other.headers.get("cache-control")).toBe("no-store");
  expect(other.headers.get("retry-after")).toBe("5");
  expect((await fetch(`${site.address}/healthz`)).status).toBe(503);
});
