import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedPostgres, startPostgres } from "#server/postgres/start-postgres.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

/** A PostgreSQL of the operator's own, with a login that may do what it must and no more: it may not replicate. */
let postgres: EmbeddedPostgres;
let databaseUrl: string;
let dataDir: string;
let server: ServerProcess;

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  postgres = await startPostgres({ ephemeral: true });
  await run(
    postgres.url,
    "create role operator login createrole bypassrls password 'operator'",
    "create database site owner operator",
  );
  const url = new URL(postgres.url);
  Object.assign(url, { username: "operator", password: "operator", pathname: "/site" });
  databaseUrl = url.href;
  dataDir = mkdtempSync(join(tmpdir(), "fruit-values-test-"));
  server = await startServer({ env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } });
});

afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("with DATABASE_URL no PostgreSQL of ours is started", () => {
  expect(existsSync(join(dataDir, "postgres"))).toBe(false);
});

test("a database that tells no changes is said once, and pages are read anew every second", async () => {
  expect(server.output().match(/The database tells no changes .*read anew every second/g)).toHaveLength(1);
  const values = async () => (await fetch(`${server.address}/values`)).text();
  expect(await values()).toContain("Kitsune");
  await run(databaseUrl, "update items set current_value = '98.7B' where slug = 'kitsune'");
  await expect.poll(values, { timeout: 5_000, interval: 100 }).toContain("98.7B");
});

test("two processes may share the database when they share the secret", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "fruit-values-test-"));
  const env = { DATABASE_URL: databaseUrl, JWT_SECRET: "s".repeat(40) };
  const first = await startServer({ env: { ...env, DATA_DIR: join(elsewhere, "1") } });
  const second = await startServer({ env: { ...env, DATA_DIR: join(elsewhere, "2") } });
  for (const { address } of [first, second]) expect((await fetch(`${address}/healthz`)).status).toBe(200);
  await Promise.all([first.stop(), second.stop()]);
  rmSync(elsewhere, { recursive: true });
});
