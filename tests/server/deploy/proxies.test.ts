import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as requestPlain } from "node:http";
import { type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { defaultFunctionsConfig } from "#backend/functions/functions-config.ts";
import { freePort } from "#tests/helpers/free-port.ts";
import { configureNginx, makeCertificate, NGINX, readExample } from "#tests/helpers/nginx.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

const repository = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "fruit-values-proxies-"));
const dataDir = readyDataDir();
const { certificate, key } = makeCertificate(folder);

let server: ServerProcess;
let serviceKey: string;
let anonKey: string;

beforeAll(async () => {
  const env = { DATA_DIR: dataDir, CLIENT_ADDRESS_HEADER: "x-real-ip" };
  server = await startServer({ env: { ...env, GOTRUE_RATE_LIMIT_SIGN_INS: "5" } });
  const keys = execFileSync(process.execPath, ["server/commands/print-keys.ts"], {
    cwd: repository,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  serviceKey = /Service role key +(\S+)/.exec(keys)?.[1] ?? "";
  anonKey = /Anonymous key +(\S+)/.exec(keys)?.[1] ?? "";
});

afterAll(async () => {
  await server.stop();
  for (const each of [folder, dataDir]) rmSync(each, { recursive: true, force: true });
});

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

function ask(url: string, options: RequestOptions = {}, body?: Buffer | string): Promise<Answer> {
  return new Promise((done, fail) => {
    const send = url.startsWith("https:") ? request : requestPlain;
    const asked = send(url, { ...options, ca: readFileSync(certificate) }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on("error", fail);
    asked.end(body);
  });
}

test("nginx waits longer for a function than the site does", () => {
  const { longestWait, wallTime } = defaultFunctionsConfig.limits;
  const [, seconds] =
    /location \/functions\/v1\/ \{[^}]*proxy_read_timeout (\d+)s;/.exec(readExample("nginx.conf", [])) ?? [];
  expect(Number(seconds)).toBeGreaterThan(longestWait + wallTime);
});

test("the site keeps an idle connection longer than the two minutes for which Caddy does", async () => {
  const { headers } = await ask(`${server.address}/livez`, { headers: { connection: "keep-alive" } });
  const [, seconds] = /^timeout=(\d+)$/.exec(String(headers["keep-alive"])) ?? [];
  expect(Number(seconds)).toBeGreaterThan(120);
});

type Ports = { secure: number; plain: number };
type Proxy = { name: string; program: string; configure(ports: Ports): { args: string[] } };

const PROXIES: Proxy[] = [
  {
    name: "nginx",
    program: NGINX,
    configure({ secure, plain }) {
      const changes = [["127.0.0.1:3000", new URL(server.address).host]] as const;
      return { args: configureNginx(folder, { ports: { secure, plain }, certificate, key, changes }) };
    },
  },
  {
    name: "Caddy",
    program: "/usr/bin/caddy",
    configure({ secure, plain }) {
      const site = readExample("Caddyfile", [
        ["values.example {", `https://localhost:${secure} {\n\ttls ${certificate} ${key}`],
        ["127.0.0.1:3000", new URL(server.address).host],
      ]);
      const file = join(folder, "Caddyfile");
      writeFileSync(file, `{\n\tadmin off\n\thttp_port ${plain}\n\thttps_port ${secure}\n}\n${site}`);
      return { args: ["run", "--adapter", "caddyfile", "--config", file] };
    },
  },
];

describe.each(PROXIES)("behind $name", ({ program, configure }) => {
  const missing = !existsSync(program);
  let running: ChildProcess;
  let origin: string;
  let ports: Ports;

  beforeAll(async () => {
    if (missing) return;
    ports = { secure: await freePort(), plain: await freePort() };
    origin = `https://localhost:${ports.secure}`;
    const { args } = configure(ports);
    running = spawn(program, args, {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, HOME: folder },
    });
    let output = "";
    running.stderr?.on("data", (text) => {
      output += text;
    });
    const isOpen = () =>
      ask(`${origin}/livez`).then(
        ({ status }) => status === 200,
        () => false,
      );
    while (!(await isOpen())) {
      if (running.exitCode !== null) throw new Error(output);
      await setTimeout(50);
    }
  });

  afterAll(async () => {
    if (missing) return;
    running.kill("SIGTERM");
    await once(running, "exit");
  });

  test.skipIf(missing)("pages have their security policy, and plain HTTP is redirected", async () => {
    const page = await ask(`${origin}/values`);
    expect(page.status).toBe(200);
    expect(page.headers["content-security-policy"]).toContain("script-src 'self' 'sha256-");
    expect(page.headers.server ?? "").not.toMatch(/\d/);
    const old = ask(`${origin}/values`, { maxVersion: "TLSv1.2", ciphers: "AES128-SHA" });
    await expect(old, "a cipher that is no longer recommended").rejects.toThrow();
    const plain = await ask(`http://localhost:${ports.plain}/values`);
    expect([301, 308]).toContain(plain.status);
    expect(plain.headers.location).toMatch(/^https:\/\/localhost.*\/values$/);
  });

  test.skipIf(missing)("a WebSocket joins a channel and gets a reply", async () => {
    const url = `wss://localhost:${ports.secure}/realtime/v1/websocket?apikey=${anonKey}&vsn=1.0.0`;
    const socket = new WebSocket(url, { ca: readFileSync(certificate) });
    await once(socket, "open");
    socket.send(JSON.stringify({ topic: "phoenix", event: "heartbeat", payload: {}, ref: "1" }));
    const [message] = await once(socket, "message");
    expect(JSON.parse(String(message))).toMatchObject({ event: "phx_reply", payload: { status: "ok" } });
    socket.close();
  });

  test.skipIf(missing)("a page receives /live events immediately, before the response ends", async () => {
    const first = await new Promise<string>((done, fail) => {
      const asked = request(`${origin}/live`, { ca: readFileSync(certificate) }, (response) =>
        response.once("data", (chunk) => {
          done(String(chunk));
          response.destroy();
        }),
      );
      asked.on("error", fail);
      asked.end();
    });
    expect(first).toMatch(/^retry: \d+/);
  });

  test.skipIf(missing)("a large file is uploaded whole and downloaded in ranges", async () => {
    const authorization = { authorization: `Bearer ${serviceKey}`, apikey: serviceKey };
    const json = { ...authorization, "content-type": "application/json" };
    const bucket = `proxied-${ports.secure}`;
    const made = await ask(
      `${origin}/storage/v1/bucket`,
      { method: "POST", headers: json },
      JSON.stringify({ id: bucket, name: bucket, public: true }),
    );
    expect(made.status, made.body.toString()).toBe(200);
    const file = randomBytes(24 * 1024 * 1024);
    const headers = { ...authorization, "content-type": "application/octet-stream" };
    const put = await ask(
      `${origin}/storage/v1/object/${bucket}/large.bin`,
      { method: "POST", headers: { ...headers, "content-length": file.length } },
      file,
    );
    expect(put.status, put.body.toString()).toBe(200);
    const url = `${origin}/storage/v1/object/public/${bucket}/large.bin`;
    const part = await ask(url, { headers: { range: "bytes=20000000-20000099" } });
    expect(part.status).toBe(206);
    expect(part.headers["content-range"]).toBe(`bytes 20000000-20000099/${file.length}`);
    expect(part.body.equals(file.subarray(20_000_000, 20_000_100))).toBe(true);
    expect((await ask(url)).body.equals(file)).toBe(true);
  });

  test.skipIf(missing)("a client that fakes an address for each try is limited as one visitor", async () => {
    const statuses: number[] = [];
    for (let i = 1; i <= 8; i++) {
      const headers = { apikey: anonKey, "content-type": "application/json", "x-real-ip": `203.0.113.${i}` };
      const body = JSON.stringify({ email: "nobody@example.org", password: "Wrong horse 7 battery!" });
      statuses.push(
        (await ask(`${origin}/auth/v1/token?grant_type=password`, { method: "POST", headers }, body)).status,
      );
    }
    expect(statuses).toContain(429);
  });
});
