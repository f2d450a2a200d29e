import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signToken } from "#backend/tokens/sign-token.ts";
import { onDatabase } from "#tests/helpers/database-url.ts";
import { type ReadyPostgres, startReadyPostgres } from "#tests/helpers/ready-data.ts";
import { startReplica, type TestReplica } from "#tests/helpers/replica.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

const JWT_SECRET = "r".repeat(40);

let folder: string;
let primary: ReadyPostgres;
let replica: TestReplica;
let server: ServerProcess;
let operator: string;
let anybody: SupabaseClient;
let service: SupabaseClient;

const start = (name: string, readUrl: string) =>
  startServer({
    env: {
      DATA_DIR: join(folder, name),
      JWT_SECRET,
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: readUrl,
      METRICS_PORT: "0",
    },
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fruit-values-read-"));
  primary = await startReadyPostgres();
  await runOn(primary.url, "create database another");
  // Lags enough to expose readers that do not wait for it.
  replica = await startReplica(primary.url, { recovery_min_apply_delay: "40ms" });
  server = await start("site", replica.url);
  operator = /Metrics are at (http:\S+)\/metrics/.exec(server.output())?.[1] ?? "";
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  const keyOf = (role: string) => signToken({ iss: "supabase", role }, JWT_SECRET);
  anybody = createClient(server.address, await keyOf("anon"), options);
  service = createClient(server.address, await keyOf("service_role"), options);
});

afterAll(async () => {
  await server?.stop();
  await replica?.remove();
  await primary?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${operator}/metrics`)).text();
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")
      .at(-1),
  );
}
const isUsed = () => figure("site_replica_used");
const byReplica = () => figure('site_replica_reads_total{by="replica"}');
const page = async (path = "/fruits/kitsune") => (await fetch(server.address + path)).text();
const lines = (what: RegExp) => server.output().match(new RegExp(what, "g"))?.length ?? 0;

/** Unique values, each larger than the last. */
let last = 77_000;
const nextValue = () => `${++last}M`;
const shownIn = (text: string) =>
  Number(/\b(77\d{3})M/.exec(text.replaceAll(/(\d),(\d)/g, "$1$2"))?.[1] ?? 0);

async function setValue(value: string): Promise<void> {
  const { error } = await service.from("items").update({ current_value: value }).eq("slug", "kitsune");
  expect(error).toBeNull();
}

const reason = async (client: SupabaseClient) =>
  (await client.from("value_reasons").select("label").eq("code", "other").single()).data?.label;

test("requests without a token read the replica, those with one the primary", async () => {
  await expect.poll(isUsed).toBe(1);
  const before = await byReplica();
  await runOn(replica.url, "select pg_wal_replay_pause()");
  const was = await reason(anybody);
  await runOn(primary.url, "update value_reasons set label = 'As of the primary' where code = 'other'");
  expect(await reason(service)).toBe("As of the primary");
  expect(await reason(anybody)).toBe(was);
  expect(await byReplica()).toBeGreaterThan(before);
  await runOn(replica.url, "select pg_wal_replay_resume()");
  await expect.poll(() => reason(anybody)).toBe("As of the primary");
});

test("after changing a value the next page shows it, and no page goes back, while the replica serves", async () => {
  await expect.poll(isUsed).toBe(1);
  await setValue(nextValue());
  expect(shownIn(await page())).toBe(last);
  let isOver = false;
  const before = await byReplica();
  const seen: number[] = [];
  const watching = (async () => {
    while (!isOver) seen.push(shownIn(await page()));
  })();
  for (let round = 0; round < 25; round++) {
    await setValue(nextValue());
    expect(shownIn(await page()), `round ${round}`).toBe(last);
  }
  isOver = true;
  await watching;
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(await byReplica()).toBeGreaterThan(before);
});

test("a replica that falls behind is dropped, with one line, and taken back without a page going back", async () => {
  await expect.poll(isUsed).toBe(1);
  const told = lines(/The replica is more than 1 s behind/);
  await runOn(replica.url, "select pg_wal_replay_pause()");
  for (let round = 0; round < 3; round++) {
    await setValue(nextValue());
    expect(shownIn(await page())).toBe(last);
  }
  expect(await isUsed()).toBe(0);
  expect(lines(/The replica is more than 1 s behind/)).toBe(told + 1);
  let isOver = false;
  const seen: number[] = [];
  const watching = (async () => {
    while (!isOver) seen.push(shownIn(await page()));
  })();
  await runOn(replica.url, "select pg_wal_replay_resume()");
  await expect.poll(isUsed).toBe(1);
  await setValue(nextValue());
  expect(shownIn(await page())).toBe(last);
  isOver = true;
  await watching;
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
});

test("a replica with nothing new to show is dropped when it is too old", async () => {
  await expect.poll(isUsed).toBe(1);
  await runOn(replica.url, "select pg_wal_replay_pause()");
  await runOn(primary.url, "update value_reasons set label = 'Much later' where code = 'other'");
  await expect.poll(() => reason(anybody), { timeout: 30_000 }).toBe("Much later");
  expect(lines(/The replica is \d+ s behind/)).toBe(1);
  await runOn(replica.url, "select pg_wal_replay_resume()");
});

test("a replica that is killed or freezes is dropped without a failed request, and taken back", async () => {
  await expect.poll(isUsed).toBe(1);
  let isOver = false;
  const statuses = new Set<number>();
  const asking = (async () => {
    for (let n = 0; !isOver; n++) {
      statuses.add((await anybody.from("items").select("name").limit(1)).status);
      statuses.add((await fetch(`${server.address}/values?q=nobody-asked-${n}`)).status);
    }
  })();
  process.kill(replica.pid(), "SIGKILL");
  await expect.poll(isUsed).toBe(0);
  await replica.stop();
  await replica.start();
  await expect.poll(isUsed).toBe(1);
  const all = processesOf(replica.pid());
  for (const pid of all) process.kill(pid, "SIGSTOP");
  await expect.poll(isUsed).toBe(0);
  for (const pid of all) process.kill(pid, "SIGCONT");
  await expect.poll(isUsed).toBe(1);
  isOver = true;
  await asking;
  expect([...statuses]).toEqual([200]);
});

test("while the primary hangs, visitors keep reading, and health reports it", async () => {
  await expect.poll(isUsed).toBe(1);
  const all = processesOf(primary.pid);
  const health = async (path: string) => (await fetch(server.address + path)).status;
  for (const pid of all) process.kill(pid, "SIGSTOP");
  try {
    await expect.poll(() => health("/healthz")).toBe(503);
    expect(await health("/readyz")).toBe(200);
    expect((await fetch(`${server.address}/values?q=asked-meanwhile`)).status).toBe(200);
    expect((await anybody.from("items").select("name").limit(1)).status).toBe(200);
  } finally {
    for (const pid of all) process.kill(pid, "SIGCONT");
  }
  await expect.poll(() => health("/healthz")).toBe(200);
});

test.each([
  ["the primary", () => primary.url, /^DATABASE_READ_URL leads to no replica: it takes writes itself/],
  [
    "another database",
    () => onDatabase(replica.url, "another"),
    /^DATABASE_READ_URL leads to another database than DATABASE_URL/,
  ],
])("%s as the replica: the start is refused with a clear message", async (name, readUrl, sentence) => {
  await expect(start(name.replaceAll(" ", "-"), readUrl())).rejects.toThrow(sentence);
});

test("a replica that was promoted to a primary is no longer read", async () => {
  await expect.poll(isUsed).toBe(1);
  await runOn(replica.url, "select pg_promote()");
  await expect.poll(isUsed).toBe(0);
  await setValue(nextValue());
  expect(shownIn(await page())).toBe(last);
});

/** PostgreSQL's processes, including the postmaster. */
function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return [pid, ...children.filter(Boolean).map(Number)];
}
