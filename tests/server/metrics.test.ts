import { readFileSync, rmSync } from "node:fs";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAnonKey } from "#tests/helpers/anon-key.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { subscribe } from "#tests/helpers/realtime/realtime-server.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

let dataDir: string;
let server: ServerProcess;
let operator: string;
let anonKey: string;

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ env: { DATA_DIR: dataDir, METRICS_PORT: "0" } });
  operator = /Metrics are at (http:\S+)\/metrics/.exec(server.output())?.[1] ?? "";
  anonKey = await readAnonKey(server.address);
});

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Each series and its value, keyed by name and labels in label order. */
async function readMetrics(): Promise<Map<string, number>> {
  const answer = await fetch(`${operator}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("version=0.0.4");
  const lines = (await answer.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(" ")),
      Number(line.slice(line.lastIndexOf(" ") + 1)),
    ]),
  );
}

const get = async (path: string, init?: RequestInit) =>
  (await fetch(`${server.address}${path}`, { redirect: "manual", ...init })).text();

test("responses are counted by service, method, route and status class, and timed", async () => {
  const before = await readMetrics();
  const headers = { apikey: anonKey };
  await get("/fruits/kitsune");
  await get("/fruits/kitsune?mode=permanent");
  await get("/no/such/page");
  await get("/rest/v1/items?select=name&limit=1", { headers });
  await get("/auth/v1/health", { headers });
  const counted = (service: string, method: string, route: string, status: string) =>
    `site_http_requests_total{service="${service}",method="${method}",route="${route}",status="${status}"}`;
  const fruits = counted("pages", "GET", "/fruits/:slug", "2xx");
  await expect.poll(async () => ((await readMetrics()).get(fruits) ?? 0) - (before.get(fruits) ?? 0)).toBe(2);
  const after = await readMetrics();
  for (const name of [
    counted("pages", "GET", "/*", "4xx"),
    counted("rest", "GET", "/rest/v1/items", "2xx"),
    counted("auth", "GET", "/auth/v1/health", "2xx"),
    'site_http_request_duration_seconds_count{service="rest",route="/rest/v1/items"}',
    "site_page_cache_rendered_total",
    "site_page_cache_bytes",
  ])
    expect(after.get(name), name).toBeGreaterThan(0);
  const found = after.get("site_page_cache_found_total") ?? 0;
  await get("/fruits/kitsune");
  await expect.poll(async () => (await readMetrics()).get("site_page_cache_found_total")).toBe(found + 1);
});

test("odd addresses create no series of their own", async () => {
  const odd = (turn: number) => [
    `/x${turn}`,
    `/fruits/x${turn}`,
    `/rest/v1/x${turn}`,
    `/rest/v1/rpc/x${turn}`,
    `/auth/v1/x${turn}`,
    `/storage/v1/object/public/x${turn}/y`,
    `/functions/v1/x${turn}`,
  ];
  const series = async () =>
    [...(await readMetrics()).keys()].filter((name) => name.startsWith("site_http")).length;
  const ask = async (turn: number) => {
    for (const path of odd(turn)) for (const method of ["GET", "OPTIONS"]) await get(path, { method });
  };
  await ask(0);
  const few = await series();
  for (let turn = 1; turn <= 20; turn++) await ask(turn);
  expect(await series()).toBe(few);
});

test("sockets, changes, the database, mail, storage, disk and the process itself have metrics", async () => {
  const client = createClient(server.address, anonKey);
  const channel = client.channel("items", { config: { private: true } });
  await subscribe(channel.on("postgres_changes", { event: "*", schema: "public", table: "items" }, () => {}));
  await expect.poll(async () => (await readMetrics()).get("realtime_connections_connected")).toBe(1);
  const figures = await readMetrics();
  const positive = [
    "site_database_bytes",
    "site_database_connections",
    "site_database_connections_limit",
    "site_disk_free_bytes",
    "site_disk_size_bytes",
    "pgrst_db_pool_max",
    "realtime_connections_limit_concurrent",
    "process_resident_memory_bytes",
  ];
  for (const name of positive) expect(figures.get(name), name).toBeGreaterThan(0);
  for (const name of ["site_database_up", "realtime_replication_connected"])
    expect(figures.get(name), name).toBe(1);
  for (const name of [
    "site_mail_queue_length",
    "site_mail_queue_age_seconds",
    "site_storage_objects",
    "site_replication_slot_lag_bytes",
    "realtime_losses_total",
    "realtime_change_delay_seconds_sum",
    "pgrst_db_pool_waiting",
    "site_live_pages",
    "nodejs_eventloop_lag_seconds",
  ])
    expect(figures.get(name), name).toBeGreaterThanOrEqual(0);
  await client.realtime.disconnect();
  await expect.poll(async () => (await readMetrics()).get("realtime_connections_connected")).toBe(0);
});

test("liveness and readiness are served on both ports, metrics on the operator's alone", async () => {
  for (const place of [server.address, operator])
    for (const path of ["/livez", "/readyz", "/healthz"]) {
      const answer = await fetch(`${place}${path}`);
      expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
    }
  expect((await fetch(`${server.address}/metrics`)).status).toBe(404);
  expect((await fetch(`${operator}/`)).status).toBe(404);
});

/** The metrics that a Prometheus query names. */
const namesIn = (query: string) => query.match(/\b(site|pgrst|realtime|nodejs|process)_\w+/g) ?? [];

test("every query in the dashboard and the alert rules names existing metrics", async () => {
  const there = new Set([...(await readMetrics()).keys()].map((series) => series.replace(/\{.*/, "")));
  const { panels } = JSON.parse(readFileSync("docs/grafana-dashboard.json", "utf8"));
  const shown: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );
  const rules = [...readFileSync("docs/alerts.yml", "utf8").matchAll(/^ +expr: (.+)$/gm)].map(
    ([, expr = ""]) => expr,
  );
  expect(shown.length).toBeGreaterThan(20);
  expect(rules.length).toBeGreaterThan(10);
  for (const query of [...shown, ...rules.slice(1)]) {
    const names = namesIn(query);
    expect(names.length, query).toBeGreaterThan(0);
    for (const name of names) expect(there, query).toContain(name);
  }
});
