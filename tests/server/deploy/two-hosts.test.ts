import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { signToken } from "#backend/tokens/sign-token.ts";
import { keepClientFiles } from "#server/assets/former-files.ts";
import { freePort } from "#tests/helpers/free-port.ts";
import { configureNginx, hasNginx, makeCertificate, NGINX, readExample } from "#tests/helpers/nginx.ts";
import { type ReadyPostgres, startReadyPostgres } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

const JWT_SECRET = "h".repeat(40);
const SOCKETS = 40;
const FORMER = "former-page-Zk3_aB9x.js";

let folder: string;
let certificate: string;
let postgres: ReadyPostgres;
let hosts: ServerProcess[];
let nginx: ChildProcess;
let origin: string;
let keys: Record<"anon" | "service_role", string>;

/** A host as on its own machine: only the database and the secret are shared. */
const startHost = (name: string, port = "0") =>
  startServer({
    env: {
      PORT: port,
      DATA_DIR: join(folder, name),
      JWT_SECRET,
      DATABASE_URL: postgres.url,
      SITE_URL: "https://localhost",
      CLIENT_ADDRESS_HEADER: "x-real-ip",
      METRICS_PORT: "0",
    },
  });

type Answer = { status: number; headers: Record<string, unknown>; body: string };

function ask(path: string, options: RequestOptions = {}, body?: string): Promise<Answer> {
  return new Promise((done, fail) => {
    const asked = request(origin + path, { ...options, ca: readFileSync(certificate) }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
      response.on("error", fail);
    });
    asked.on("error", fail);
    asked.end(body);
  });
}

const withKey = (role: keyof typeof keys) => ({
  apikey: keys[role],
  authorization: `Bearer ${keys[role]}`,
  "content-type": "application/json",
});

/** Calls the endpoint an editor's program uses, on whichever host answers. */
async function setValue(value: string): Promise<void> {
  const headers = withKey("service_role");
  const body = JSON.stringify({ current_value: value });
  const { status } = await ask("/rest/v1/items?slug=eq.kitsune", { method: "PATCH", headers }, body);
  expect(status).toBe(204);
}

/** A browser tab: reconnects when its socket closes and joins the values channel again. */
function openTab() {
  const heard: string[] = [];
  let socket: WebSocket;
  let connections = 0;
  let isClosed = false;
  const joined = new Set<() => void>();
  let isJoined = false;
  const connect = () => {
    if (isClosed) return;
    const url = `${origin.replace("https", "wss")}/realtime/v1/websocket?apikey=${keys.anon}&vsn=1.0.0`;
    socket = new WebSocket(url, { ca: readFileSync(certificate) });
    socket.on("error", () => {});
    socket.on("close", () => {
      isJoined = false;
      setTimeout(connect, 50);
    });
    socket.on("open", () => {
      connections++;
      const changes = [{ event: "UPDATE", schema: "public", table: "items" }];
      const payload = { config: { private: true, postgres_changes: changes }, access_token: keys.anon };
      socket.send(JSON.stringify({ topic: "realtime:catalogue", event: "phx_join", payload, ref: "1" }));
    });
    socket.on("message", (data) => {
      const { event, payload } = JSON.parse(String(data));
      if (event === "system" && payload.status === "ok") {
        isJoined = true;
        for (const each of joined) each();
        joined.clear();
      }
      if (event === "postgres_changes") heard.push(payload.data.record.current_value);
    });
  };
  connect();
  return {
    heard,
    connections: () => connections,
    join: () => new Promise<void>((resolve) => (isJoined ? resolve() : joined.add(resolve))),
    close() {
      isClosed = true;
      socket.terminate();
    },
  };
}

async function readMetrics(host: ServerProcess): Promise<string> {
  const operator = /Metrics are at (http:\S+)\/metrics/.exec(host.output())?.[1];
  return (await fetch(`${operator}/metrics`)).text();
}

const socketsAt = async (host: ServerProcess) =>
  Number(/^realtime_connections_connected (\S+)$/m.exec(await readMetrics(host))?.[1]);

/** How many responses with a page it has sent since it started. */
const pagesAt = async (host: ServerProcess) =>
  Number(
    /^site_http_requests_total\{service="pages",.*status="2xx"\} (\S+)$/m.exec(
      await readMetrics(host),
    )?.[1] ?? 0,
  );

describe.runIf(hasNginx)("two hosts behind nginx (needs Debian's nginx)", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fruit-values-hosts-"));
    const made = makeCertificate(folder);
    certificate = made.certificate;
    keys = {
      anon: await signToken({ iss: "supabase", role: "anon" }, JWT_SECRET),
      service_role: await signToken({ iss: "supabase", role: "service_role" }, JWT_SECRET),
    };
    postgres = await startReadyPostgres();
    // As if the first host had served an earlier release whose pages are still open.
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "assets", FORMER), "export {};");
    await keepClientFiles(join(folder, "one"), join(folder, "assets"));
    hosts = [await startHost("one"), await startHost("two")];
    const ports = { secure: await freePort(), plain: await freePort() };
    origin = `https://localhost:${ports.secure}`;
    const upstream = readExample("nginx-hosts.conf", [
      ["10.0.0.11:3000", new URL(hosts[0]?.address ?? "").host],
      ["10.0.0.12:3000", new URL(hosts[1]?.address ?? "").host],
    ]);
    const single = /^upstream fruit_values \{[^}]*\}/m.exec(readExample("nginx.conf", []))?.[0] ?? "none";
    const args = configureNginx(folder, { ports, ...made, changes: [[single, upstream]] });
    nginx = spawn(NGINX, args, { stdio: ["ignore", "ignore", "pipe"] });
    let printed = "";
    nginx.stderr?.on("data", (text) => {
      printed += text;
    });
    const isOpen = () =>
      ask("/livez").then(
        ({ status }) => status === 200,
        () => false,
      );
    while (!(await isOpen())) if (nginx.exitCode !== null) throw new Error(printed);
  });

  afterAll(async () => {
    nginx?.kill("SIGTERM");
    if (nginx) await once(nginx, "exit");
    for (const host of hosts ?? []) await host.stop();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("what is published on one host is on both, byte for byte", async () => {
    const pages = () =>
      Promise.all(
        hosts.map(async ({ address }) => {
          const answer = await fetch(`${address}/fruits/kitsune`);
          return answer.text();
        }),
      );
    for (const value of ["91.1B", "92.2B", "93.3B"]) {
      await setValue(value);
      await expect.poll(async () => (await pages()).every((body) => body.includes(value))).toBe(true);
    }
    // Except for the time each was rendered.
    const [one, other] = (await pages()).map((body) => body.replace(/\b1[78]\d{11}\b/g, "a time"));
    expect(one).toBe(other);
  });

  test("one host is killed: sockets move to the other and miss nothing, and no read fails", async () => {
    const tabs = Array.from({ length: SOCKETS }, openTab);
    await Promise.all(tabs.map(({ join }) => join()));
    for (const host of hosts) expect(await socketsAt(host)).toBeGreaterThan(SOCKETS / 8);
    await setValue("94.4B");
    for (const { heard } of tabs) await expect.poll(() => heard.at(-1)).toBe("94.4B");

    const [first, other] = hosts as [ServerProcess, ServerProcess];
    const statuses = new Map<number, number>();
    let isOver = false;
    const asking = Array.from({ length: 3 }, async (_, n) => {
      for (let i = 0; !isOver; i++) {
        const path = i % 2 ? "/rest/v1/items?select=name&limit=1" : `/values?q=${n}-${i}`;
        const { status } = await ask(path, { headers: withKey("anon") });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    await first.stop("SIGKILL");
    // A tab considers itself joined until it learns that its socket closed.
    await expect.poll(() => socketsAt(other)).toBe(SOCKETS);
    await Promise.all(tabs.map(({ join }) => join()));
    await setValue("95.5B");
    for (const { heard } of tabs) await expect.poll(() => heard.at(-1)).toBe("95.5B");
    for (const { connections } of tabs) expect(connections()).toBeLessThanOrEqual(2);
    expect((await ask("/fruits/kitsune")).body).toContain("95.5B");

    // It comes back at the same address and rejoins.
    hosts[0] = await startHost("one", new URL(first.address).port);
    const late: ReturnType<typeof openTab>[] = [];
    await expect
      .poll(async () => {
        const tab = openTab();
        late.push(tab);
        await tab.join();
        return socketsAt(hosts[0] as ServerProcess);
      })
      .toBeGreaterThan(0);
    isOver = true;
    await Promise.all(asking);
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(20);
    for (const tab of [...tabs, ...late]) tab.close();
  });

  test("a file that only one host has is found, whichever host is asked", async () => {
    const direct = await Promise.all(
      hosts.map(async ({ address }) => (await fetch(`${address}/assets/${FORMER}`)).status),
    );
    expect(direct).toEqual([200, 404]);
    const statuses = await Promise.all(
      Array.from({ length: 16 }, async () => (await ask(`/assets/${FORMER}`)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await ask("/assets/nobody-has-it.js")).status).toBe(404);
  });

  test("all parts of an upload go to the same host", async () => {
    const headers = withKey("service_role");
    const bucket = JSON.stringify({ id: "parts", name: "parts" });
    expect((await ask("/storage/v1/bucket", { method: "POST", headers }, bucket)).status).toBe(200);
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const tus = { ...headers, "tus-resumable": "1.0.0" };
    const made = await ask("/storage/v1/upload/resumable", {
      method: "POST",
      headers: {
        ...tus,
        "upload-length": "12",
        "upload-metadata": `bucketName ${encode("parts")},objectName ${encode("twelve.txt")}`,
      },
    });
    expect(made.status, made.body).toBe(201);
    const { pathname } = new URL(String(made.headers.location), origin);
    for (let offset = 0; offset < 12; offset++) {
      const part = { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
      const sent = await ask(pathname, { method: "PATCH", headers: { ...tus, ...part } }, "x");
      expect(sent.status, `part ${offset}: ${sent.body}`).toBe(204);
    }
  });

  test("hosts are restarted one after the other, as in an upgrade, and no request fails", async () => {
    const seen = new Map<string, number>();
    let isOver = false;
    const asking = Array.from({ length: 3 }, async (_, n) => {
      const note = (what: string, status: number) => seen.set(`${what} ${status}`, n);
      for (let i = 0; !isOver; i++) {
        note("page", (await ask(`/values?q=up-${n}-${i}`)).status);
        note("read", (await ask("/rest/v1/items?select=name&limit=1", { headers: withKey("anon") })).status);
        const body = JSON.stringify({ current_value: `${n + 1}.${(i % 9) + 1}B` });
        const change = { method: "PATCH", headers: withKey("service_role") };
        note("write", (await ask("/rest/v1/items?slug=eq.dough", change, body)).status);
      }
    });
    for (const [index, name] of ["one", "two"].entries()) {
      const host = hosts[index] as ServerProcess;
      expect(await host.stop("SIGTERM")).toBe(0);
      hosts[index] = await startHost(name, new URL(host.address).port);
      await expect.poll(async () => (await fetch(`${host.address}/readyz`)).status).toBe(200);
      // nginx skips a failed host for a while: the other is stopped only once this one gets requests again.
      await expect.poll(() => pagesAt(hosts[index] as ServerProcess)).toBeGreaterThan(0);
    }
    isOver = true;
    await Promise.all(asking);
    expect([...seen.keys()].toSorted()).toEqual(["page 200", "read 200", "write 204"]);
  });
});
