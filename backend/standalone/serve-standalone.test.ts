import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "@supabase/supabase-js";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readServiceSettings } from "#backend/configuration/service-settings.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { listen } from "#tests/helpers/listen.ts";
import { serveStandalone } from "./serve-standalone.ts";

const secret = "a secret of at least thirty-two characters";
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    create schema api;
    create table api.boats (id int primary key, name text not null);
    insert into api.boats values (1, 'Argo'), (2, 'Beagle'), (3, 'Calypso');
    create function api.launched() returns int language sql stable as 'select count(*)::int from api.boats';
    grant usage on schema api to anon, authenticated;
    grant select on api.boats to anon;
    grant all on api.boats to authenticated;
  `);
  await client.end();
});
afterAll(() => database.drop());

async function start(environment: Record<string, string> = {}, lines: string[] = []) {
  const settings = readServiceSettings({
    PGRST_DB_URI: database.url,
    PGRST_DB_SCHEMAS: "api",
    PGRST_DB_ANON_ROLE: "anon",
    PGRST_JWT_SECRET: secret,
    PGRST_SERVER_HOST: "127.0.0.1",
    PGRST_SERVER_PORT: "0",
    PGRST_DB_POOL: "2",
    ...environment,
  });
  const backend = await serveStandalone(settings, (line) => lines.push(line));
  onTestFinished(() => backend.close());
  return backend;
}

test("a token signed with a former key is accepted as long as the key is in the set", async () => {
  const former = `the former ${secret}`;
  const oct = (text: string) => ({ kty: "oct", k: Buffer.from(text).toString("base64url") });
  const keys = [oct(secret), oct(former)];
  const { url } = await start({ PGRST_JWT_SECRET: JSON.stringify({ keys }) });
  for (const [text, status] of [
    [secret, 200],
    [former, 200],
    [`another ${secret}`, 401],
  ] as const) {
    const authorization = `Bearer ${await signToken({ role: "anon" }, text)}`;
    expect((await fetch(`${url}/`, { headers: { authorization } })).status).toBe(status);
  }
});

test("an invalid variable prevents the start with a one-sentence error", async () => {
  const environment = { ...process.env, PGRST_DB_URI: database.url, PGRST_DB_TX_END: "perhaps" };
  const ended = await new Promise<{ code: unknown; output: string }>((done) => {
    execFile(process.execPath, ["backend/main.ts"], { env: environment }, (error, _out, output) =>
      done({ code: error?.code, output }),
    );
  });
  expect(ended).toEqual({
    code: 1,
    output:
      "PGRST_DB_TX_END must be one of commit, commit-allow-override, rollback, rollback-allow-override.\n",
  });
});

test("a lost database ends the service only without recovery", async () => {
  for (const [recovers, losses] of [
    ["false", 1],
    ["true", 0],
  ] as const) {
    const own = await createTestDatabase({ empty: true });
    const settings = readServiceSettings({
      PGRST_DB_URI: own.url,
      PGRST_DB_ANON_ROLE: "anon",
      PGRST_SERVER_PORT: "0",
      PGRST_DB_POOL_AUTOMATIC_RECOVERY: recovers,
    });
    let lost = 0;
    const onLost = () => {
      lost = 1;
    };
    const backend = await serveStandalone(settings, () => {}, { onLost });
    onTestFinished(() => backend.close());
    expect((await fetch(`${backend.url}/`)).status).toBe(200);
    await own.drop();
    expect((await fetch(`${backend.url}/anything`)).status).toBe(503);
    expect(lost).toBe(losses);
  }
});

test("a method that Node does not know is refused as PostgREST does, as tersely as configured", async () => {
  const ask = async (method: string, environment = {}) => {
    const { port, hostname } = new URL((await start(environment)).url);
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${method} /boats HTTP/1.1\r\nHost: a\r\n\r\n`),
    );
    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\nproxy-status: PostgREST; error=PGRST117\r\n/);
    return JSON.parse(body);
  };
  const said = { code: "PGRST117", message: "Unsupported HTTP method: LIST" };
  expect(await ask("LIST")).toEqual({ ...said, details: null, hint: null });
  expect(await ask("LIST", { PGRST_CLIENT_ERROR_VERBOSITY: "minimal" })).toEqual(said);
});

test("a function is hinted at only for a similar name, as on the site: hints would list the schema", async () => {
  const { url } = await start();
  const hint = async (name: string) => (await (await fetch(`${url}/rpc/${name}`)).json()).hint;
  expect(await hint("launchxx")).toBe("Perhaps you meant to call the function api.launched");
  expect(await hint("launcxxx")).toBe(null);
});

test("a schema that does not exist is reported at the start, and not ready", async () => {
  const lines: string[] = [];
  const { adminUrl } = await start({ PGRST_DB_SCHEMAS: "api,apy", PGRST_ADMIN_SERVER_PORT: "0" }, lines);
  await expect.poll(() => lines).toEqual(["rest: the database has no schema apy: waiting for it"]);
  expect((await fetch(`${adminUrl}/ready`)).status).toBe(503);
  expect(await (await fetch(`${adminUrl}/metrics`)).text()).toMatch(/status="FAIL"} [1-9]/);
});

test("a port in use prevents the start", async () => {
  const { port, close } = await listen(createServer());
  onTestFinished(close);
  await expect(start({ PGRST_SERVER_PORT: String(port) })).rejects.toThrow("EADDRINUSE");
});

test("without an anonymous role, a request without a token is refused", async () => {
  const { url } = await start({ PGRST_DB_ANON_ROLE: "" });
  const response = await fetch(`${url}/boats`);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: "PGRST302" });
});

test("a token of another audience is refused", async () => {
  const { url } = await start({ PGRST_JWT_AUD: "harbor" });
  const token = await signToken({ role: "authenticated", aud: "desert" }, secret);
  const response = await fetch(`${url}/boats`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: "PGRST303" });
});

test.each(["/boats?id=eq.1", "/rest/v1/boats?id=eq.1"])("rest answers at %s", async (path) => {
  const { url } = await start();
  const response = await fetch(url + path);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual([{ id: 1, name: "Argo" }]);
});

test("the role can be at another path of the token", async () => {
  const { url } = await start({ PGRST_JWT_ROLE_CLAIM_KEY: ".app.roles[0]" });
  const token = await signToken({ app: { roles: ["authenticated"] } }, secret);
  const response = await fetch(`${url}/boats`, {
    method: "POST",
    body: JSON.stringify({ id: 9, name: "Nautilus" }),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
  expect(response.status).toBe(201);
});

test("max-rows applies even if more are requested", async () => {
  const { url } = await start({ PGRST_DB_MAX_ROWS: "2" });
  expect(await (await fetch(`${url}/boats?limit=100`)).json()).toHaveLength(2);
});

test("a request may be rolled back if tx-end allows it", async () => {
  const { url } = await start({ PGRST_DB_TX_END: "commit-allow-override" });
  const authorization = `Bearer ${await signToken({ role: "authenticated" }, secret)}`;
  const removed = await fetch(`${url}/boats`, {
    method: "DELETE",
    headers: { authorization, prefer: "tx=rollback" },
  });
  expect(removed.status).toBe(204);
  expect(removed.headers.get("preference-applied")).toBe("tx=rollback");
  expect((await (await fetch(`${url}/boats`)).json()).length).toBeGreaterThan(0);
});

test("errors are as verbose as client-error-verbosity says", async () => {
  const { url } = await start({ PGRST_CLIENT_ERROR_VERBOSITY: "minimal" });
  const body: object = await (await fetch(`${url}/boats?id=eq.one`)).json();
  expect(Object.keys(body).sort()).toEqual(["code", "message"]);
});

test("CORS headers are sent to allowed origins only", async () => {
  const { url } = await start({ PGRST_SERVER_CORS_ALLOWED_ORIGINS: "http://harbor.example" });
  const allowed = async (origin: string) =>
    (await fetch(`${url}/boats`, { headers: { origin } })).headers.get("access-control-allow-origin");
  expect(await allowed("http://elsewhere.example")).toBeNull();
  expect(await allowed("http://harbor.example")).toBe("http://harbor.example");
});

test("timing and trace headers are sent if enabled", async () => {
  const { url } = await start({
    PGRST_SERVER_TIMING_ENABLED: "true",
    PGRST_SERVER_TRACE_HEADER: "X-Request-Id",
  });
  const { headers } = await fetch(`${url}/boats`, { headers: { "x-request-id": "voyage-7" } });
  expect(headers.get("x-request-id")).toBe("voyage-7");
  expect(headers.get("server-timing")).toMatch(/dur=/);
});

test("the OpenAPI document can be disabled", async () => {
  const { url } = await start({ PGRST_OPENAPI_MODE: "disabled" });
  const response = await fetch(`${url}/`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "PGRST126" });
});

test("the OpenAPI document names the configured address", async () => {
  const { url } = await start({ PGRST_OPENAPI_SERVER_PROXY_URI: "https://example.com/api" });
  expect(await (await fetch(`${url}/`)).json()).toMatchObject({ host: "example.com:443", basePath: "/api" });
});

test("the admin server reports liveness and readiness", async () => {
  const { adminUrl } = await start({ PGRST_ADMIN_SERVER_PORT: "0" });
  expect((await fetch(`${adminUrl}/live`)).status).toBe(200);
  expect((await fetch(`${adminUrl}/ready`)).status).toBe(200);
  expect((await fetch(`${adminUrl}/elsewhere`)).status).toBe(404);
});

test("without its database the service is live but not ready", async () => {
  const { adminUrl } = await start({
    PGRST_DB_URI: "postgres://nobody:x@127.0.0.1:9/nothing",
    PGRST_ADMIN_SERVER_PORT: "0",
  });
  expect((await fetch(`${adminUrl}/live`)).status).toBe(200);
  expect((await fetch(`${adminUrl}/ready`)).status).toBe(503);
});

test("the log has a line per failure, without the query string", async () => {
  const lines: string[] = [];
  const { url } = await start({ PGRST_LOG_LEVEL: "warn" }, lines);
  await fetch(`${url}/boats?id=eq.1`);
  await fetch(`${url}/submarines?id=eq.secret`);
  expect(lines, "nor the name, which is only the caller's").toEqual(["GET /rest/v1/* 404"]);
});

test("with a login for auth, accounts are served too: rest accepts their tokens, and the passkeys' RP is as configured", async () => {
  const own = await createTestDatabase();
  onTestFinished(() => own.drop());
  const { url } = await start({
    PGRST_DB_URI: own.authenticatorUrl,
    PGRST_DB_SCHEMAS: "public",
    GOTRUE_DB_DATABASE_URL: own.authUrl,
    GOTRUE_SITE_URL: "https://site.example",
    API_EXTERNAL_URL: "https://api.example/auth/v1",
    GOTRUE_MAILER_AUTOCONFIRM: "true",
    GOTRUE_PASSKEY_ENABLED: "true",
    GOTRUE_WEBAUTHN_RP_ID: "example",
    GOTRUE_WEBAUTHN_RP_DISPLAY_NAME: "Example",
  });
  const client = createClient(url, await signToken({ role: "anon" }, secret));
  const { data } = await client.auth.signUp({
    email: "ann@example.org",
    password: "Correct horse 7 battery!",
  });
  const id = data.user?.id ?? "";
  expect((await client.from("profiles").select("id").eq("id", id)).data).toEqual([{ id }]);
  const begun = await client.auth.passkey.startRegistration();
  expect(begun.data?.options.rp).toEqual({ id: "example", name: "Example" });
  // No mail server is set, so that nobody could agree to a new address.
  const change = await client.auth.updateUser({ email: "anna@example.org" });
  const refusal = { status: 422, code: "email_provider_disabled" };
  expect([change.error, (await client.auth.reauthenticate()).error]).toMatchObject([refusal, refusal]);
  expect((await client.auth.getUser()).data.user).not.toHaveProperty("new_email");
  const { refresh_token } = data.session as { refresh_token: string };
  const next = await client.auth.refreshSession({ refresh_token });
  const again = await client.auth.refreshSession({ refresh_token });
  expect(again.data.session?.refresh_token, "the response to the first refresh was lost").toBe(
    next.data.session?.refresh_token,
  );
});

test("accounts served alone are logged by their own routes, at both addresses", async () => {
  const own = await createTestDatabase();
  onTestFinished(() => own.drop());
  const lines: string[] = [];
  const settings = readServiceSettings({
    GOTRUE_DB_DATABASE_URL: own.authUrl,
    GOTRUE_JWT_SECRET: secret,
    GOTRUE_SITE_URL: "https://site.example",
    API_EXTERNAL_URL: "https://api.example",
    GOTRUE_API_HOST: "127.0.0.1",
    PORT: "0",
    PGRST_LOG_LEVEL: "warn",
  });
  const { url, close } = await serveStandalone(settings, (line) => lines.push(line));
  onTestFinished(close);
  for (const path of ["/user", "/auth/v1/user"]) expect((await fetch(url + path)).status).toBe(401);
  expect(lines).toEqual(["GET /auth/v1/user 401", "GET /auth/v1/user 401"]);
});

test.each([
  [{}, "GOTRUE_SITE_URL must be set where accounts are served, as an address."],
  [
    { GOTRUE_SITE_URL: "https://site.example" },
    "API_EXTERNAL_URL must be set where accounts are served, as an address.",
  ],
])("accounts with only %j prevent the start", async (environment, sentence) => {
  const settings = { GOTRUE_DB_DATABASE_URL: "postgres://auth@host/database", ...environment };
  await expect(start(settings)).rejects.toThrow(sentence);
});

test("storage is served with rest if enabled, and needs a secret and a folder", async () => {
  const off = await start();
  expect((await fetch(`${off.url}/storage/v1/status`)).status).toBe(404);
  expect(() => readServiceSettings({ PGRST_DB_URI: "postgres:///x", STORAGE_BACKEND: "file" })).toThrow(
    "STORAGE_FILE_BACKEND_PATH must name a folder for the files.",
  );
  expect(() => readServiceSettings({ PGRST_DB_URI: "postgres:///x", STORAGE_BACKEND: "tape" })).toThrow(
    "STORAGE_BACKEND must be one of file, s3.",
  );
  const supabase = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), "standalone-"));
  onTestFinished(async () => {
    await rm(folder, { recursive: true });
    await supabase.drop();
  });
  const storage = {
    PGRST_DB_URI: supabase.authenticatorUrl,
    PGRST_DB_SCHEMAS: "public",
    STORAGE_BACKEND: "file",
    STORAGE_FILE_BACKEND_PATH: folder,
  };
  await expect(start({ ...storage, PGRST_JWT_SECRET: "" })).rejects.toThrow(
    "STORAGE_BACKEND needs a shared secret in PGRST_JWT_SECRET.",
  );
  const { url } = await start(storage);
  const client = createClient(url, await signToken({ role: "service_role" }, secret));
  await client.storage.createBucket("boats");
  // Larger than rest accepts: it is not buffered in memory.
  const large = Buffer.alloc(11_000_000, "sea");
  expect((await client.storage.from("boats").upload("large.txt", large)).error).toBe(null);
  expect((await client.storage.from("boats").download("large.txt")).data?.size).toBe(large.length);
  expect((await fetch(`${url}/storage/v1/bucket`)).status).toBe(400);
  expect((await client.from("items").select("slug").limit(1)).error).toBe(null);
});

test("with realtime enabled, changes in any database are delivered to those who may read them", async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("create publication supabase_realtime for table api.boats");
  const backend = await start({ REALTIME_ENABLED: "true" });
  const key = await signToken({ role: "anon" }, secret);
  const { realtime } = createClient(backend.url, key);
  const seen: unknown[] = [];
  await new Promise((resolve) =>
    realtime
      .channel("harbor")
      .on("postgres_changes", { event: "*", schema: "api", table: "boats" }, (change) =>
        seen.push(change.new),
      )
      .subscribe(resolve),
  );
  await client.query("insert into api.boats values (4, 'Dawn Treader')");
  await expect.poll(() => seen).toEqual([{ id: 4, name: "Dawn Treader" }]);
  await realtime.disconnect();
  await client.query("drop publication supabase_realtime; delete from api.boats where id = 4");
  await client.end();
  const without = await start();
  const answer = await fetch(`${without.url}/realtime/v1/websocket?apikey=${key}`);
  expect(answer.status).toBe(404);
});

test("functions are served from a folder, and call back with keys signed by its secret", async () => {
  const folder = await mkdtemp(join(tmpdir(), "standalone-functions-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "boats"));
  await writeFile(
    join(folder, "boats/index.ts"),
    `export default { fetch: async () => {
      const url = Deno.env.get("SUPABASE_URL") + "/rest/v1/boats?select=name";
      const as = async (name) => (await fetch(url, { headers: { authorization: "Bearer " + Deno.env.get(name) } })).status;
      return Response.json([await as("SUPABASE_ANON_KEY"), await as("SUPABASE_SERVICE_ROLE_KEY")]);
    } };`,
  );
  await expect(start({ FUNCTIONS_FOLDER: join(folder, "none") })).rejects.toThrow(
    "FUNCTIONS_FOLDER must name a folder such as supabase/functions.",
  );
  const { url } = await start({ FUNCTIONS_FOLDER: folder });
  const key = await signToken({ role: "anon" }, secret);
  const { data, error } = await createClient(url, key).functions.invoke("boats");
  // The service role has no privileges on this table.
  expect([data, error]).toEqual([[200, 403], null]);
});

test("a URL may be as long as the limit, and a longer one is refused with the limit", async () => {
  const { url } = await start();
  const fill = (length: number) => `${url}/boats?id=in.(${"1000,".repeat(length / 5)}1)`;
  expect((await fetch(fill(60_000))).status).toBe(200);
  const longer = await fetch(fill(66_000));
  expect([longer.status, await longer.json()]).toMatchObject([
    414,
    { code: "PGRST100", details: "At most 65536 characters are allowed" },
  ]);
});

test("an invalid token is refused with PostgREST's messages and header", async () => {
  const { url } = await start();
  const good = await signToken({ role: "anon" }, secret);
  const foreign = await signToken({ role: "anon" }, "another secret of at least thirty-two characters");
  const cases: [string, string, string | null][] = [
    ["Bearer", "Empty JWT is sent in Authorization header", null],
    ["bearer  ", "Empty JWT is sent in Authorization header", null],
    [`Bearer ${good} ${good}`, "Expected 3 parts in JWT; got 5", null],
    [`Bearer ${good}, Bearer ${good}`, "Expected 3 parts in JWT; got 5", null],
    ["Bearer a.b.c", "JWT cryptographic operation failed", null],
    [`Bearer ${foreign}`, "No suitable key or wrong key type", "None of the keys was able to decode the JWT"],
    [
      "Bearer eyJhbGciOiJub25lIn0.e30.",
      "Wrong or unsupported encoding algorithm",
      "JWT is unsecured but expected 'alg' was not 'none'",
    ],
  ];
  for (const [authorization, message, details] of cases) {
    const response = await fetch(`${url}/boats`, { headers: { authorization } });
    expect([response.status, await response.json()]).toEqual([
      401,
      { code: "PGRST301", message, details, hint: null },
    ]);
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", error_description="${message}"`,
    );
  }
  const denied = await fetch(`${url}/boats`, { method: "DELETE" });
  expect([denied.status, denied.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
});

test("any origin may send any header and read what PostgREST exposes", async () => {
  const { url } = await start();
  const asked = await fetch(`${url}/`, {
    method: "OPTIONS",
    headers: {
      origin: "http://elsewhere.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "Foo,Bar",
    },
  });
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD",
    "access-control-allow-headers": "Authorization, Foo, Bar, Accept, Accept-Language, Content-Language",
    "access-control-max-age": "86400",
  });
  const read = await fetch(`${url}/boats`, { headers: { origin: "http://elsewhere.example" } });
  expect(read.headers.get("access-control-expose-headers")).toBe(
    "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit",
  );
  expect((await fetch(`${url}/boats`)).headers.get("access-control-allow-origin")).toBe("*");
});

test("an unknown name gets a suggestion if three quarters are alike, as in PostgREST", async () => {
  const { url } = await start();
  expect(await (await fetch(`${url}/bots`)).json()).toMatchObject({
    code: "PGRST205",
    hint: "Perhaps you meant the table 'api.boats'",
  });
  expect(await (await fetch(`${url}/boathouse`)).json()).toMatchObject({ code: "PGRST205", hint: null });
});

test("timings are listed for each step, up to the one that refused the request", async () => {
  const { url } = await start({ PGRST_SERVER_TIMING_ENABLED: "true" });
  const steps = async (path: string, init: RequestInit = {}) => {
    const timing = (await fetch(`${url}${path}`, init)).headers.get("server-timing") ?? "";
    return timing.split(", ").map((entry) => entry.replace(/;dur=\d+\.\d$/, ""));
  };
  const all = ["jwt", "parse", "plan", "transaction", "response"];
  expect(await steps("/boats")).toEqual(all);
  expect(await steps("/boats")).toEqual(all);
  expect(await steps("/")).toEqual(all);
  expect(await steps("/boats", { method: "OPTIONS" })).toEqual(["jwt", "parse", "response"]);
  expect(await steps("/boats", { headers: { authorization: "Bearer x" } })).toEqual(["jwt"]);
  expect(await steps("/boats?id=x")).toEqual(["jwt", "parse"]);
  expect(await steps("/boats?id=eq.x")).toEqual(["jwt", "parse", "plan", "transaction"]);
});
