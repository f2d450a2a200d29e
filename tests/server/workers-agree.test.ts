import { readFileSync, rmSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workersOf } from "#tests/helpers/processes.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { runSql } from "../journeys/chat-page.ts";

/** Enough connections to reach both workers, with a failure chance of one in thousands. */
const SEVERAL = 16;

let dataDir: string;
let server: ServerProcess;
let metrics: string;

const databaseUrl = () => readFileSync(join(dataDir, "database-url"), "utf8").trim();

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ env: { DATA_DIR: dataDir, WORKERS: "2", METRICS_PORT: "0" } });
  metrics = /Metrics are at (\S+)/.exec(server.output())?.[1] ?? "";
});

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Answer = { status: number; body: string; headers: IncomingHttpHeaders };

/** Uses a new connection, which any worker may accept. */
function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(new URL(url, server.address), { agent: false, headers }, (answer) =>
      text(answer).then(
        (body) => resolve({ status: answer.statusCode ?? 0, body, headers: answer.headers }),
        reject,
      ),
    );
    asking.on("error", reject);
    asking.end();
  });
}

const askSeveral = (url: string, headers?: Record<string, string>) =>
  Promise.all(Array.from({ length: SEVERAL }, () => ask(url, headers)));

/** The distinct values. */
const kinds = <T>(values: readonly T[]) => [...new Set(values)];

const PAGES = [
  "/",
  "/values",
  "/values.data",
  "/calculator",
  "/fruits/kitsune",
  "/changes",
  "/method",
  "/community",
];

test("a client with a page from one worker is told by each that it is unchanged", async () => {
  for (const page of PAGES) {
    const { status, headers } = await ask(page);
    expect(status, page).toBe(200);
    const again = await askSeveral(page, { "if-none-match": headers.etag ?? "" });
    expect(kinds(again.map(({ status, headers }) => `${status} ${headers.etag}`)), page).toEqual([
      `304 ${headers.etag}`,
    ]);
    // It would replace the cached copy's policy, whose hashes match different scripts.
    expect(kinds(again.map(({ headers }) => headers["content-security-policy"])), page).toEqual([undefined]);
  }
});

test("and that it has changed, once something in it did", async () => {
  const { headers } = await ask("/fruits/kitsune");
  await runSql("update items set current_value = '63.1M' where slug = 'kitsune'", databaseUrl());
  const statuses = async () =>
    kinds(
      (await askSeveral("/fruits/kitsune", { "if-none-match": headers.etag ?? "" })).map(
        ({ status }) => status,
      ),
    );
  await expect.poll(statuses).toEqual([200]);
});

type Series = { name: string; labels: string; value: number };

function readSeries({ status, body }: Answer): Series[] {
  expect(status).toBe(200);
  return body.split("\n").flatMap((line) => {
    const [, name = "", labels = "", value] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name ? [{ name, labels, value: Number(value) }] : [];
  });
}

const sumOf = (series: readonly Series[], name: string, label: string) =>
  series
    .filter((each) => each.name === name && each.labels.includes(label))
    .reduce((sum, { value }) => sum + value, 0);

const workersIn = (series: readonly Series[]) =>
  kinds(series.flatMap(({ labels }) => /\bworker="(\d+)"/.exec(labels)?.[1] ?? [])).toSorted();

test("a scrape covers all workers, whichever answers it, also on an automatically chosen port", async () => {
  await askSeveral("/about");
  const counted = async () => {
    const scrapes = (await askSeveral(metrics)).map(readSeries);
    return kinds(scrapes.map((series) => sumOf(series, "site_http_requests_total", 'route="/about"')));
  };
  await expect.poll(counted).toEqual([SEVERAL]);
  const answer = await ask(metrics);
  const series = readSeries(answer);
  expect(workersIn(series)).toEqual(["0", "1"]);
  const names = series.map(({ name, labels }) => `${name}{${labels}}`);
  expect(names).toHaveLength(new Set(names).size);
  const heads = answer.body.split("\n").filter((line) => line.startsWith("# TYPE"));
  expect(heads).toHaveLength(new Set(heads).size);
  for (const name of ["site_database_up", "site_disk_free_bytes", "site_backup_interval_seconds"])
    expect(
      series.filter((each) => each.name === name),
      name,
    ).toMatchObject([{ labels: "" }]);
  for (const name of ["process_resident_memory_bytes", "pgrst_db_pool_max", "realtime_connections_connected"])
    expect(workersIn(series.filter((each) => each.name === name)), name).toEqual(["0", "1"]);
});

test("when a worker is killed another one answers on the same port, and its successor is reported too", async () => {
  const [killed] = workersOf(server.pid) as [number];
  process.kill(killed, "SIGKILL");
  await expect.poll(() => server.output()).toContain("A worker process ended unexpectedly (SIGKILL)");
  await expect
    .poll(
      async () =>
        (await ask(metrics).then(readSeries, () => [])).length > 0 &&
        workersIn(readSeries(await ask(metrics))),
    )
    .toEqual(["0", "1"]);
});
