import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

let dataDir: string;
let server: ServerProcess;
let database: Client;

type Answer = { status: number; headers: Record<string, string>; body: Buffer };

/** As sent: `fetch` would decode the body and tidy the address. */
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

/** As any visitor finds it. */
async function readApiKey(): Promise<string> {
  return /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec((await get("/values")).body.toString())?.[0] ?? "";
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "fruit-values-test-"));
  server = await startServer({ env: { DATA_DIR: dataDir, CLIENT_ADDRESS_HEADER: "x-real-ip" } });
  database = new Client({ connectionString: readFileSync(join(dataDir, "database-url"), "utf8").trim() });
  await database.connect();
});

afterAll(async () => {
  await database?.end();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test.each(["/nope", "/fruits/nope"])("%s answers 404 and may be kept by nobody", async (path) => {
  const { status, headers, body } = await get(path);
  expect(status).toBe(404);
  expect(headers["cache-control"]).toBe("no-store");
  expect(body.toString()).toContain("<!doctype html>");
});

test("a request that no page knows gets a titled page that says so", async () => {
  const { status, body } = await get(
    "/about",
    { "content-type": "application/x-www-form-urlencoded" },
    "POST",
  );
  expect(status).toBe(405);
  expect(body.toString()).toMatch(/<head>.*<title>Something ran aground<\/title>.*<\/head>/s);
});

test.each([
  "/assets/../../package.json",
  "/assets/..%2f..%2fpackage.json",
  "/../package.json",
  "//package.json",
  "/.env",
  "/assets/",
])("%s leads to no file", async (path) => {
  expect((await get(path)).status).toBeGreaterThanOrEqual(300);
});

test("an address that is no path, or that no form sends, is refused and harms nothing", async () => {
  expect((await get("http://elsewhere.example/")).status).toBe(400);
  expect((await get(`/calculator?you=${"x".repeat(3_000)}`)).status).toBe(414);
  expect((await get("/%E0%A4%A")).status).toBeLessThan(500);
  expect((await get("/", {}, "DELETE")).status).toBe(405);
  expect((await get("/")).status).toBe(200);
});

test("a method or a host that cannot be is refused, and none of it fills the log", async () => {
  const before = server.output();
  expect((await get("/", {}, "TRACE")).status).toBe(405);
  expect((await get("/values", {}, "PUT")).status).toBe(405);
  expect((await get("/contact", { host: "a b" }, "POST")).status).toBe(405);
  expect(server.output()).toBe(before);
});

test("a form is taken from the site's own pages alone, also behind a proxy that speaks https or renames the host", async () => {
  const post = async (host: string, origin: string) =>
    (await get("/contact", { host, origin, "content-type": "application/x-www-form-urlencoded" }, "POST"))
      .status;
  expect(await post("site.example", "https://elsewhere.example")).toBe(400);
  expect(await post("a b", "https://elsewhere.example")).toBe(400);
  // Taken, and refused by the form itself, which delivers nothing here.
  expect(await post("site.example", "http://site.example")).toBe(405);
  expect(await post("site.example", "https://site.example")).toBe(405);
  expect(await post("127.0.0.1:3000", "https://values.example")).toBe(405);
});

test("an offer of another protocol than websockets is declined by the answer itself", async () => {
  const offer = {
    connection: "upgrade, http2-settings",
    upgrade: "h2c",
    "http2-settings": "AAMAAABkAAQAAP__",
  };
  expect((await get("/values", offer)).status).toBe(200);
});

test("/values comes in brotli, gzip and plain, the same page with its own strong tag each", async () => {
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
  for (const tag of tags) expect(tag).toMatch(/^"/);
  for (const { headers, body } of [brotli, gzip, plain]) {
    expect(headers).toMatchObject({ vary: "accept-encoding", "content-length": String(body.length) });
    expect(headers["cache-control"]).toBe("public, max-age=0, must-revalidate");
  }
});

test("who has the page gets 304 without it, and HEAD gets the headers alone", async () => {
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

test("a changed value is on the next page, within a second of its commit", async () => {
  const values = async () => (await get("/values")).body.toString();
  expect(await values()).not.toContain("98.7B");
  const { rows } = await database.query("select current_value from items where slug = 'kitsune'");
  await database.query("update items set current_value = '98.7B' where slug = 'kitsune'");
  await expect.poll(values, { timeout: 1_000, interval: 20 }).toContain("98.7B");
  await database.query("update items set current_value = $1 where slug = 'kitsune'", [rows[0].current_value]);
  await expect.poll(values, { timeout: 1_000, interval: 20 }).not.toContain("98.7B");
});

test("open pages hear what has changed, once for many rows, and nothing else", async () => {
  const { body, headers } = await fetch(`${server.address}/news`);
  expect(headers.get("content-type")).toBe("text/event-stream");
  expect(headers.get("cache-control")).toBe("no-store");
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader?.read())?.value;
  expect(await next()).toMatch(/^retry: \d+\n\n$/);
  await database.query("update items set beli_price = '1' where slug like 'd%'");
  expect(await next()).toBe("event: catalogue\ndata:\n\n");
  await database.query("insert into auth.users (id, email) values (gen_random_uuid(), 'news@example.com')");
  expect(await next()).toBe("event: community\ndata:\n\n");
  await reader?.cancel();
});

test("one page has one address", async () => {
  const { status, headers } = await get("/values/?category=limiteds");
  expect([status, headers.location]).toEqual([308, "/values?category=limiteds"]);
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

test("every answer forbids guessing its type; https is promised only where it is configured", async () => {
  for (const path of ["/", "/nope", "/favicon.svg"]) {
    const { headers } = await get(path);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["strict-transport-security"]).toBeUndefined();
  }
});

test("built files are kept for ever and compressed as far as they go", async () => {
  const script = readdirSync("build/client/assets").find((name) => /^main-.*\.js$/.test(name));
  const { status, headers, body } = await get(`/assets/${script}`, { "accept-encoding": "br" });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-encoding": "br",
    "content-type": "text/javascript; charset=utf-8",
  });
  expect(brotliDecompressSync(body).equals(readFileSync(`build/client/assets/${script}`))).toBe(true);
});

test("a public file has a tag and is asked for again after an hour", async () => {
  const { headers } = await get("/favicon.svg");
  expect(headers).toMatchObject({
    "cache-control": "public, max-age=3600, must-revalidate",
    "content-type": "image/svg+xml",
  });
  expect((await get("/favicon.svg", { "if-none-match": headers.etag as string })).status).toBe(304);
  // Asked for by browsers and crawlers that were told of no other.
  expect((await get("/favicon.ico")).headers["content-type"]).toBe("image/x-icon");
});

test("who asks for more new pages than can be rendered is told to wait, and keeps nobody else from theirs", async () => {
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

test("one read of the API gives 5000 rows at most, however many there are", async () => {
  await database.query(
    "insert into item_value_changes (item_id, mode, new_value) select id, 'regular', n::text from items, generate_series(1, 100) as n",
  );
  const apikey = await readApiKey();
  const { status, body } = await get("/rest/v1/item_value_changes?select=id", { apikey });
  expect([status, JSON.parse(body.toString()).length]).toEqual([200, 5_000]);
});

test("/healthz tells that the backend answers, and for a minute that its disk was full", async () => {
  const health = async () => {
    const { status, body } = await get("/healthz");
    return [status, JSON.parse(body.toString())];
  };
  expect(await health()).toEqual([200, { status: "ok" }]);
  // As PostgreSQL says it; reads go on.
  await database.query(
    "create function fill_disk() returns void language plpgsql as $$ begin raise sqlstate '53100'; end $$",
  );
  const apikey = await readApiKey();
  await expect.poll(async () => (await get("/rest/v1/rpc/fill_disk", { apikey }, "POST")).status).toBe(503);
  expect(await health()).toEqual([503, { status: "no room on the disk" }]);
  expect((await get("/values")).status).toBe(200);
});
