import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { loadKeys } from "#server/data-dir/load-keys.ts";
import { makeNewUsersAdults } from "#tests/helpers/adult-users.ts";
import { isRunning, postmasterOf, workersOf } from "#tests/helpers/processes.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { type SignedIn, signUpPerson } from "#tests/helpers/signed-in.ts";
import { runSql } from "../journeys/chat-page.ts";

/** Enough connections to reach both workers, with a failure chance of one in thousands. */
const SEVERAL = Array.from({ length: 16 }, (_, index) => index);
const all = <T>(value: T) => SEVERAL.map(() => value);
const LIMITS = { GOTRUE_RATE_LIMIT_SIGN_UPS: "1000", GOTRUE_RATE_LIMIT_SIGN_INS: "1000" };

let dataDir: string;
let server: ServerProcess;
let anonKey: string;
let operator: SupabaseClient;

const databaseUrl = () => readFileSync(join(dataDir, "database-url"), "utf8").trim();
const metrics = () => /Metrics are at (\S+)/.exec(server.output())?.[1] ?? "";
const site = () => ({ address: server.address, databaseUrl: databaseUrl() });

async function start(env: Record<string, string> = {}): Promise<void> {
  server = await startServer({
    env: { DATA_DIR: dataDir, WORKERS: "2", METRICS_PORT: "0", ...LIMITS, ...env },
  });
  const keys = await loadKeys(dataDir);
  anonKey = keys.anonKey;
  operator = createClient(server.address, keys.serviceRoleKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

beforeAll(async () => {
  dataDir = readyDataDir();
  await start();
  await makeNewUsersAdults(databaseUrl());
});

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Answer = { status: number; body: string; headers: Record<string, unknown> };

/** Uses a new connection, which any worker may accept; the path may be an address on the operator's port. */
function ask(
  path: string,
  { method = "GET", headers = {}, body = "" }: { method?: string; headers?: object; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(
      new URL(path, server.address),
      { method, agent: false, headers: { apikey: anonKey, ...headers } },
      (answer) =>
        text(answer).then(
          (body) => resolve({ status: answer.statusCode ?? 0, body, headers: answer.headers }),
          reject,
        ),
    );
    asking.on("error", reject);
    asking.end(body);
  });
}

const askSeveral = (path: string, how?: Parameters<typeof ask>[1]) =>
  Promise.all(SEVERAL.map(() => ask(path, how)));

/** A client's socket joined to the channel of its own session, which ends with that session. */
async function follow({ session, client }: SignedIn): Promise<string[]> {
  onTestFinished(async () => void (await client.removeAllChannels()));
  const { session_id: id } = JSON.parse(atob(session.access_token.split(".")[1] as string));
  const statuses: string[] = [];
  client
    .channel(`session:${id}`, { config: { private: true } })
    .subscribe((status) => void statuses.push(status));
  await expect.poll(() => statuses.at(-1)).toBe("SUBSCRIBED");
  return statuses;
}

/** The same user on another device: another session, another socket. */
async function elsewhere({ email, password }: SignedIn): Promise<SignedIn> {
  const client = createClient(server.address, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const { data } = await client.auth.signInWithPassword({ email, password });
  return { ...data.user, email, password, username: "", session: data.session, client } as SignedIn;
}

test("WORKERS=2: two processes serve on one port, and one line says so", async () => {
  expect(workersOf(server.pid)).toHaveLength(2);
  expect(server.output()).toContain("2 processes serve it (WORKERS).");
  expect((await askSeveral("/values")).map(({ status }) => status)).toEqual(all(200));
});

test("a client that changes a value reads it on the next page, whichever worker serves it", async () => {
  for (const value of ["71.1M", "72.2M", "73.3M", "74.4M", "75.5M"]) {
    // Cached by both, so that both have something to invalidate.
    await askSeveral("/values");
    await operator.from("items").update({ current_value: value }).eq("slug", "kitsune").throwOnError();
    const pages = await askSeveral("/values");
    expect(pages.map(({ body }) => body.includes(value))).toEqual(all(true));
  }
});

test("a change made in SQL reaches the pages of all workers", async () => {
  await askSeveral("/values");
  await runSql("update items set current_value = '81.8M' where slug = 'kitsune'", databaseUrl());
  await expect
    .poll(async () => (await askSeveral("/values")).every(({ body }) => body.includes("81.8M")))
    .toBe(true);
});

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
    const again = await askSeveral(page, { headers: { "if-none-match": String(headers.etag) } });
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
      (await askSeveral("/fruits/kitsune", { headers: { "if-none-match": String(headers.etag) } })).map(
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
    const scrapes = (await askSeveral(metrics())).map(readSeries);
    return kinds(scrapes.map((series) => sumOf(series, "site_http_requests_total", 'route="/about"')));
  };
  await expect.poll(counted).toEqual([SEVERAL.length]);
  const answer = await ask(metrics());
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

test("a ban ends a session on every worker: its requests and its open sockets", async () => {
  const ann = await signUpPerson(site());
  const sockets = await Promise.all(SEVERAL.slice(8).map(async () => follow(await elsewhere(ann))));
  const headers = { authorization: `Bearer ${ann.session.access_token}` };
  const read = async () =>
    (await askSeveral("/rest/v1/trade_history", { headers })).map(({ status }) => status);
  expect(await read()).toEqual(all(200));
  const { error } = await operator.auth.admin.updateUserById(ann.id, { ban_duration: "24h" });
  expect(error).toBe(null);
  await expect.poll(read).toEqual(all(401));
  await expect.poll(() => sockets.filter((statuses) => statuses.at(-1) === "SUBSCRIBED")).toEqual([]);
});

test("a role takes effect on every worker from the next request on", async () => {
  const mod = await signUpPerson(site());
  const headers = { authorization: `Bearer ${mod.session.access_token}`, prefer: "return=representation" };
  const edit = async () => {
    const how = { method: "PATCH", headers: { ...headers, "content-type": "application/json" } };
    const answers = await askSeveral("/rest/v1/items?slug=eq.kitsune", {
      ...how,
      body: JSON.stringify({ demand: "high" }),
    });
    return answers.map(({ body }) => body !== "[]" && JSON.parse(body).length === 1);
  };
  expect(await edit()).toEqual(all(false));
  await runSql(`insert into user_roles (user_id, role) values ('${mod.id}', 'admin')`, databaseUrl());
  expect(await edit()).toEqual(all(true));
});

test("site-wide limits cover all workers together: sockets, and uploads in progress", async () => {
  const ann = await signUpPerson(site());
  const create = (index: number) =>
    ask("/storage/v1/upload/resumable", {
      method: "POST",
      headers: {
        authorization: `Bearer ${ann.session.access_token}`,
        "tus-resumable": "1.0.0",
        "upload-length": "4",
        "upload-metadata": Object.entries({
          bucketName: "uploads-test",
          objectName: `${ann.id}/${index}.txt`,
          contentType: "text/plain",
        })
          .map(([name, value]) => `${name} ${btoa(value)}`)
          .join(","),
      },
    });
  await runSql(
    `insert into storage.buckets (id, name) values ('uploads-test', 'uploads-test');
     create policy "tests" on storage.objects for all to authenticated
       using (bucket_id = 'uploads-test') with check (bucket_id = 'uploads-test')`,
    databaseUrl(),
  );
  const created: Answer[] = [];
  for (let index = 0; index < 21; index++) created.push(await create(index));
  expect(created.map(({ status }) => status)).toEqual([...Array(20).fill(201), 429]);
  // Each chunk reaches any worker.
  const { pathname } = new URL(String(created[0]?.headers.location), server.address);
  const common = { authorization: `Bearer ${ann.session.access_token}`, "tus-resumable": "1.0.0" };
  for (const [offset, body] of [..."ahoy"].entries()) {
    const headers = {
      ...common,
      "upload-offset": String(offset),
      "content-type": "application/offset+octet-stream",
    };
    expect((await ask(pathname, { method: "PATCH", headers, body })).status).toBe(204);
  }
  const read = await ask(`/storage/v1/object/authenticated/uploads-test/${ann.id}/0.txt`, {
    headers: common,
  });
  expect(read).toMatchObject({ status: 200, body: "ahoy" });
  // One upload ended, so there is room for one.
  await expect.poll(async () => (await create(22)).status).toBe(201);
  expect((await create(23)).status).toBe(429);
});

const WORDS = "calm brave sunny quick lucky golden silver tiger otter panda".split(" ");

/** Sends messages and saves trades, one after another, until told to stop; returns the acknowledged ones. */
async function useThroughout(person: SignedIn, name: string, isOver: () => boolean) {
  const lines: string[] = [];
  const saved: string[] = [];
  for (let count = 0; !isOver(); count++) {
    const message = `${name} ${WORDS[count % 10]} ${WORDS[Math.floor(count / 10) % 10]}`;
    const id = crypto.randomUUID();
    const [talk, trade] = await Promise.all([
      person.client.from("chat_messages").insert({ message }),
      person.client
        .from("trade_history")
        .insert({ id, your_items: [{ name: "Kitsune" }], their_items: [{ name: "Kitsune" }] }),
    ]);
    if (!talk.error) lines.push(message);
    if (!trade.error) saved.push(id);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return { lines, saved };
}

test("a worker killed while users chat and trade: no acknowledged write is lost, its clients reconnect, and its successor serves and is scraped", async () => {
  const people = await Promise.all(SEVERAL.map(() => signUpPerson(site())));
  const sockets = await Promise.all(people.map(follow));
  let isOver = false;
  const using = people.map((person, index) =>
    useThroughout(person, `${WORDS[index % 10]} ${WORDS[Math.floor(index / 10)]}`, () => isOver),
  );
  const before = workersOf(server.pid);
  const [killed] = before as [number];
  process.kill(killed, "SIGKILL");
  const [successor] = await vi.waitUntil(
    () => {
      const others = workersOf(server.pid).filter((pid) => !before.includes(pid));
      return others.length > 0 && (others as [number]);
    },
    { timeout: 30_000, interval: 5 },
  );
  // The successor is stopped until all have reconnected: they must not need it.
  process.kill(successor, "SIGSTOP");
  onTestFinished(() => void (isRunning(successor) && process.kill(successor, "SIGCONT")));
  // Some of the sockets were the killed worker's; they reconnect to another one.
  const wereLost = () => sockets.filter((statuses) => statuses.length > 1);
  await expect.poll(() => wereLost().length, { interval: 5 }).toBeGreaterThan(0);
  await expect
    .poll(() => sockets.map((statuses) => statuses.at(-1)), { interval: 5 })
    .toEqual(SEVERAL.map(() => "SUBSCRIBED"));
  process.kill(successor, "SIGCONT");
  await expect.poll(() => workersOf(server.pid).filter((pid) => pid !== killed)).toHaveLength(2);
  await expect
    .poll(() => server.output().match(/A worker process ended unexpectedly \(SIGKILL\)/g))
    .toHaveLength(1);
  isOver = true;
  const used = await Promise.all(using);
  const rows = async (sql: string) => (await runSql(sql, databaseUrl())) as { name: string }[];
  const messages = new Set((await rows("select message as name from chat_messages")).map(({ name }) => name));
  const trades = new Set((await rows("select id::text as name from trade_history")).map(({ name }) => name));
  for (const { lines, saved } of used) {
    expect([lines.length, saved.length].map(Boolean)).toEqual([true, true]);
    expect(lines.filter((message) => !messages.has(message))).toEqual([]);
    expect(saved.filter((id) => !trades.has(id))).toEqual([]);
  }
  // The successor serves like the others, and is scraped on the same port.
  expect((await askSeveral("/values")).map(({ status }) => status)).toEqual(all(200));
  const scraped = async () => {
    const answer = await ask(metrics()).catch(() => null);
    return answer?.status === 200 && workersIn(readSeries(answer));
  };
  await expect.poll(scraped).toEqual(["0", "1"]);
});

test("SIGTERM ends all processes, with exit code 0, and each worker writes the item views that it counted before it exits", async () => {
  await askSeveral("/fruits/buddha");
  const processes = [server.pid, ...workersOf(server.pid), postmasterOf(dataDir)];
  expect(processes).toHaveLength(4);
  const stream = await fetch(`${server.address}/live`);
  expect(await server.stop("SIGTERM")).toBe(0);
  expect(await stream.text()).toMatch(/^retry: \d+\n/);
  expect(processes.filter(isRunning)).toEqual([]);
  await start({ TENANT_MAX_CONCURRENT_USERS: "4" });
  const counted = await runSql(
    "select sum(views)::integer as views from private.item_views join items on items.id = item_id where slug = 'buddha'",
    databaseUrl(),
  );
  expect(counted).toEqual([{ views: SEVERAL.length }]);
});

test("the socket peak is that of all workers together", async () => {
  const open = () =>
    new Promise<number>((resolve, reject) => {
      const asking = request(`${server.address}/realtime/v1/websocket?apikey=${anonKey}&vsn=1.0.0`, {
        agent: false,
        headers: {
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
        },
      });
      asking.on("upgrade", (_, socket) => {
        onTestFinished(() => void socket.destroy());
        resolve(101);
      });
      asking.on("response", (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      asking.on("error", reject);
      asking.end();
    });
  const statuses: number[] = [];
  for (let count = 0; count < 24; count++) statuses.push(await open());
  expect(statuses.toSorted()).toEqual([...Array(4).fill(101), ...Array(20).fill(429)]);
});

test("when the primary process is killed nothing is left running, and the next start works", async () => {
  const others = [...workersOf(server.pid), postmasterOf(dataDir)];
  await server.stop("SIGKILL");
  await expect.poll(() => others.filter(isRunning)).toEqual([]);
  await start();
  await expect.poll(async () => (await ask("/healthz")).status).toBe(200);
});

test("a port in use is reported as with one process, and nothing is left running", async () => {
  const { port } = new URL(server.address);
  const elsewhere = mkdtempSync(join(tmpdir(), "fruit-values-workers-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  const env = { DATA_DIR: elsewhere, PORT: port, WORKERS: "2" };
  const refusal = await startServer({ env }).then(
    () => null,
    (error) => error,
  );
  expect([refusal?.code, refusal?.message.split("\n").at(-1)]).toEqual([
    1,
    `PORT ${port} is in use by another program: stop that one, or set PORT to a free port.`,
  ]);
});
