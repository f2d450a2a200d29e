import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedPostgres, startPostgres } from "#server/postgres/start-postgres.ts";
import { readAnonKey } from "#tests/helpers/anon-key.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { anonymousClient } from "#tests/helpers/sign-up.ts";

const JWT_SECRET = "s".repeat(40);

/** The operator's own PostgreSQL, with a login that has only the rights it needs: not replication. */
let postgres: EmbeddedPostgres;
let databaseUrl: string;
let dataDir: string;
let server: ServerProcess;

async function run(url: string, ...statements: string[]): Promise<void> {
  for (const statement of statements) await runOn(url, statement);
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
  server = await startServer({ env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, JWT_SECRET } });
});

afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("with DATABASE_URL no PostgreSQL of ours is started", () => {
  expect(existsSync(join(dataDir, "postgres"))).toBe(false);
});

test("a database without a change feed is logged once, and pages are read again every second", async () => {
  expect(server.output().match(/Live changes are unavailable .*reloaded every second/g)).toHaveLength(1);
  const values = async () => (await fetch(`${server.address}/values`)).text();
  expect(await values()).toContain("Kitsune");
  await run(databaseUrl, "update items set current_value = '98.7B' where slug = 'kitsune'");
  await expect.poll(values, { interval: 100 }).toContain("98.7B");
});

test("two processes may share the database if they share the secret: sessions and limits too", async () => {
  const DATA_DIR = join(dataDir, "of-another-process");
  const second = await startServer({ env: { DATA_DIR, DATABASE_URL: databaseUrl, JWT_SECRET } });
  const [here, there] = [await anonymousClient(server), await anonymousClient(second)];
  const account = { email: "ann@example.org", password: "Correct horse 7 battery!" };
  const { data } = await here.auth.signUp(account);
  expect(decodeProtectedHeader(data.session?.access_token ?? "").alg).toBe("HS256");
  const moved = await there.auth.refreshSession(data.session ?? undefined);
  expect(moved.data.user?.email).toBe(account.email);

  // Each counts the attempts that the other one received.
  const signIn = (client: SupabaseClient, password: string) =>
    client.auth.signInWithPassword({ ...account, password });
  for (let i = 0; i < 10; i++) await signIn(i % 2 ? here : there, "wrong");
  for (const client of [here, there]) {
    expect((await signIn(client, account.password)).error).toMatchObject({
      status: 429,
      code: "over_request_rate_limit",
    });
  }
  const refused = await fetch(`${second.address}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: await readAnonKey(second.address) },
    body: JSON.stringify(account),
  });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
  await second.stop();
});
