import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { applyMigrations } from "#server/database/apply-migrations.ts";
import { loadCatalogue } from "#server/database/load-catalogue.ts";
import { findDatabaseUser } from "#server/postgres/database-user.ts";

/** Debian's paths of the oldest version that the site supports, and of the next. */
const programs = [15, 16]
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((folder) => existsSync(join(folder, "initdb")));

/** Starts a cluster of that version on a socket in its own folder. */
async function startOlder(bin: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "older-postgres-"));
  const user = findDatabaseUser(folder);
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const initialize = ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "--no-sync"];
  execFileSync(join(bin, "initdb"), initialize, { stdio: "ignore", cwd: folder, ...user });
  const settings = ["-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "jit=off"];
  const postgres = spawn(join(bin, "postgres"), settings, { stdio: "ignore", cwd: folder, ...user });
  onTestFinished(async () => {
    await end(postgres);
    rmSync(folder, { recursive: true });
  });
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`;
  await expect.poll(() => rowsOf(url, "select").then(Boolean, () => false), { timeout: 20_000 }).toBe(true);
  return url;
}

async function end(postgres: ChildProcess): Promise<void> {
  postgres.kill("SIGINT");
  await once(postgres, "exit");
}

async function rowsOf(url: string, query: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

test.skipIf(!programs)("the site's database can be created on the oldest documented PostgreSQL", async () => {
  const url = await startOlder(programs as string);
  await applyBackendSchema(url);
  expect((await applyMigrations(url)).length).toBeGreaterThan(10);
  expect(await applyMigrations(url)).toEqual([]);
  await loadCatalogue(url);
  expect(await rowsOf(url, "select count(*)::int from items")).toEqual([{ count: 86 }]);
});
