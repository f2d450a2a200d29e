import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAnonKey } from "#tests/helpers/anon-key.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { anonymousClient, type SignedIn, signUpPerson } from "#tests/helpers/signed-in.ts";
import { runSql } from "../journeys/chat-page.ts";

let dataDir: string;
let server: ServerProcess;
let ann: SignedIn;
let anonKey: string;

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ env: { DATA_DIR: dataDir } });
  const databaseUrl = readFileSync(join(dataDir, "database-url"), "utf8").trim();
  ann = await signUpPerson({ address: server.address, databaseUrl });
  anonKey = await readAnonKey(server.address);
  await runSql(
    `insert into storage.buckets (id, name, public) values ('closed', 'closed', false), ('open', 'open', true);
     create policy "Tests" on storage.objects for all to authenticated using (true) with check (true)`,
    databaseUrl,
  );
  for (const bucket of ["closed", "open"]) {
    const { error } = await ann.client.storage
      .from(bucket)
      .upload("note.txt", "words", { contentType: "text/plain" });
    expect(error).toBe(null);
  }
});

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function ask(path: string, token?: string) {
  const headers = { apikey: anonKey, ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${server.address}${path}`, { headers, redirect: "manual" });
  await answer.arrayBuffer();
  return answer;
}

test("no browser caches service responses for one user; public ones may be cached", async () => {
  const cacheOf = async (path: string, token?: string) => {
    const { ok, headers } = await ask(path, token);
    return [ok, headers.get("cache-control")];
  };
  const token = ann.session.access_token;
  expect(await cacheOf("/rest/v1/trade_history", token)).toEqual([true, "no-store"]);
  expect(await cacheOf("/rest/v1/items?limit=1", token)).toEqual([true, "no-store"]);
  expect(await cacheOf("/rest/v1/items?limit=1")).toEqual([true, null]);
  expect(await cacheOf("/rest/v1/items?limit=1", anonKey)).toEqual([true, null]);
  expect(await cacheOf("/auth/v1/user", token)).toEqual([true, "no-store"]);
  for (const path of ["object", "object/authenticated"])
    expect(await cacheOf(`/storage/v1/${path}/closed/note.txt`, token), path).toEqual([true, "no-store"]);
  expect(await cacheOf("/storage/v1/object/public/open/note.txt", token)).toEqual([true, "max-age=3600"]);
});

test("no response, from whatever handler, may be framed by another site", async () => {
  const html = await (await fetch(`${server.address}/values`)).text();
  const asset = /\/assets\/[\w.-]+\.js/.exec(html)?.[0] ?? "";
  for (const path of [
    "/",
    "/values",
    "/no/such/page",
    "/values/",
    "/robots.txt",
    "/favicon-32.png",
    "/healthz",
    "/operator-report",
    asset,
    "/rest/v1/items?limit=1",
    "/rest/v1/nothing",
    "/auth/v1/health",
    "/auth/v1/authorize?provider=nobody",
    "/storage/v1/object/public/open/note.txt",
    "/storage/v1/object/public/open/nothing.txt",
    "/functions/v1/nothing",
    "/realtime/v1/api/ping",
  ]) {
    const { headers } = await ask(path);
    expect(headers.get("content-security-policy"), path).toMatch(/(^|; ?)frame-ancestors 'none'(;|$)/);
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
  }
  // A page's own policy is kept in full.
  expect((await ask("/values")).headers.get("content-security-policy")).toContain("script-src");
});

test("a password made of the site's own name is refused", async () => {
  const client = await anonymousClient(server);
  const { error } = await client.auth.signUp({ email: "pia@example.org", password: "BloxFruits2026!" });
  expect([error?.code, error?.message]).toEqual([
    "weak_password",
    "Password must not be a name of this site, please choose a different one.",
  ]);
});
