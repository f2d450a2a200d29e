import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { listen } from "#tests/helpers/listen.ts";
import { loadSettings } from "./load-settings.ts";
import { serveStandalone } from "./serve-standalone.ts";

const secret = "a secret of at least thirty-two characters";
let database: TestDatabase;
let admin: Client;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`
    create schema api;
    create schema yard;
    create table api.boats (id int primary key, name text not null);
    insert into api.boats values (1, 'Argo'), (2, 'Beagle'), (3, 'Calypso');
    create table yard.cranes (id int primary key);
    create function api.setting(name text) returns text language sql stable as $$ select current_setting(name, true) $$;
    create function api.tuned() returns text language sql stable set work_mem = '3000kB' set statement_timeout = '7s'
      as $$ select current_setting('work_mem') || ' ' || current_setting('statement_timeout') $$;
    grant usage on schema api, yard to anon, authenticated;
    grant select on all tables in schema api, yard to anon, authenticated;
  `);
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

const base = () => ({
  PGRST_DB_URI: database.authenticatorUrl,
  PGRST_DB_SCHEMAS: "api",
  PGRST_DB_ANON_ROLE: "anon",
  PGRST_JWT_SECRET: secret,
  PGRST_SERVER_HOST: "127.0.0.1",
  PGRST_SERVER_PORT: "0",
  PGRST_ADMIN_SERVER_PORT: "0",
  PGRST_DB_POOL: "2",
});

async function start(environment: Record<string, string> = {}, file: string | null = null) {
  const lines: string[] = [];
  const load = () => loadSettings(environment, file);
  const loaded = await load();
  const backend = await serveStandalone(loaded.settings, (line) => lines.push(line), {
    load,
    variables: loaded.variables,
  });
  onTestFinished(() => backend.close());
  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${backend.url}${path}`, init);
    return { status: response.status, body: await response.json() };
  };
  return { ...backend, get, lines, notes: loaded.notes };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "rest-configuration-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A proxy to the database that holds back connections that listen for notifications. */
async function delayListeners() {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const { host, port } = new Client({ connectionString: database.authenticatorUrl });
  const address = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", async (first) => {
      socket.pause();
      if (first.includes("pgrst listener")) {
        arrived.resolve();
        await held.promise;
      }
      const database = connect(address);
      database.on("error", () => {});
      database.write(first);
      socket.pipe(database).pipe(socket);
    });
  });
  const { port: own, close } = await listen(server);
  onTestFinished(close);
  return { port: own, arrived: arrived.promise, letThrough: held.resolve };
}

const setting = (name: string) => `/rpc/setting?name=${name}`;

describe("a configuration file", () => {
  test("applies, and the environment overrides it", async () => {
    const file = join(await folder(), "rest.conf");
    await writeFile(
      file,
      [
        "# what boats need",
        'db-schemas = "api"  # one',
        'db-anon-role = "anon"',
        "db-max-rows = 2",
        "db-aggregates-enabled = true",
        'app.settings.harbor = "$(HARBOR) for $$5 \\"a day\\""',
      ].join("\n"),
    );
    const { PGRST_DB_SCHEMAS, PGRST_DB_ANON_ROLE, ...rest } = base();
    const { get } = await start({ ...rest, PGRST_DB_MAX_ROWS: "1", HARBOR: "Nassau" }, file);
    expect((await get("/boats?select=id&order=id")).body).toEqual([{ id: 1 }]);
    expect((await get("/boats?select=count()")).body).toEqual([{ count: 3 }]);
    expect((await get(setting("app.settings.harbor"))).body).toBe('Nassau for $5 "a day"');
  });

  test.each([
    ["db-schemas: api", "line 1, is not of the form name"],
    ['\napp.settings.x = "$(NOWHERE)"', "line 2, names NOWHERE"],
    ['jwt-secret = "a$b"', "line 1, has a single $"],
    ["server-unix-socket-mode = 800", "PGRST_SERVER_UNIX_SOCKET_MODE must be an octal number"],
    ['app.settings.my-name = "x"', "PGRST_APP_SETTINGS_my-name must end in letters"],
    ['log-query = "everything"', "PGRST_LOG_QUERY must be one of disabled, main-query"],
  ])("containing %j is refused with a one-sentence error", async (text, says) => {
    const file = join(await folder(), "rest.conf");
    await writeFile(file, text);
    await expect(loadSettings(base(), file)).rejects.toThrow(says);
  });

  test("is refused if missing, and unread variables are reported", async () => {
    await expect(loadSettings(base(), "/no/such/file")).rejects.toThrow("/no/such/file cannot be read");
    const { notes } = await loadSettings(
      { ...base(), PGRST_DB_SCHEMAX: "x", PGRST_SERVER_OTEL_ENABLED: "true" },
      null,
    );
    expect(notes).toEqual([
      "PGRST_DB_SCHEMAX is set, and nothing reads it: is PGRST_DB_SCHEMAS meant?",
      "PGRST_SERVER_OTEL_ENABLED is set and has no effect: no traces are exported.",
    ]);
  });

  test("round-trips through --dump-config", async () => {
    const environment = { ...process.env, ...base(), PGRST_APP_SETTINGS_FEE: "$5" };
    const run = async (...words: string[]) =>
      (
        await promisify(execFile)(process.execPath, ["backend/main.ts", "--dump-config", ...words], {
          env: environment,
        })
      ).stdout;
    const dumped = await run();
    expect(dumped).toContain('db-schemas = "api"\n');
    expect(dumped).toContain(`jwt-secret = "${secret}"\n`);
    expect(dumped).toContain('app.settings.FEE = "$$5"\n');
    const file = join(await folder(), "rest.conf");
    await writeFile(file, dumped);
    expect(await run(file)).toBe(dumped);
  });
});

describe("configuration in the database", () => {
  const login = () => new URL(database.authenticatorUrl).username;

  test("set for the login overrides the environment, and is reloaded on a notification", async () => {
    onTestFinished(async () => void (await admin.query(`alter role ${login()} reset all`)));
    await admin.query(`alter role ${login()} set pgrst.db_max_rows = '2'`);
    const { get, lines } = await start({ ...base(), PGRST_DB_MAX_ROWS: "1" });
    expect((await get("/boats?select=id")).body).toHaveLength(2);
    await admin.query(`alter role ${login()} set pgrst.db_max_rows = '3'`);
    // Repeated until it is received: a process that has just started does not listen yet.
    await expect
      .poll(async () => {
        await admin.query("notify pgrst, 'reload config'");
        return (await get("/boats?select=id")).body;
      })
      .toHaveLength(3);
    await admin.query(`alter role ${login()} set pgrst.db_schemas = 'yard'`);
    await admin.query("notify pgrst");
    await expect.poll(async () => (await get("/cranes")).status).toBe(200);
    await admin.query(`alter role ${login()} set pgrst.openapi_mode = 'perhaps'`);
    await admin.query("notify pgrst, 'reload config'");
    await expect
      .poll(() => lines.at(-1))
      .toMatch(/^The configuration was not reloaded: PGRST_OPENAPI_MODE must be one of/);
    expect((await get("/cranes")).status).toBe(200);
  });

  test("also applies if changed before the process listened", async () => {
    onTestFinished(async () => void (await admin.query(`alter role ${login()} reset all`)));
    const { port, arrived, letThrough } = await delayListeners();
    const uri = new URL(database.authenticatorUrl);
    uri.search = "";
    uri.host = `127.0.0.1:${port}`;
    const { get, lines } = await start({ ...base(), PGRST_DB_URI: uri.href });
    expect((await get("/boats?select=id")).body).toHaveLength(3);
    await arrived;
    await admin.query(`alter role ${login()} set pgrst.db_max_rows = '2'`);
    await admin.query("notify pgrst, 'reload config'");
    letThrough();
    await expect.poll(async () => (await get("/boats?select=id")).body).toHaveLength(2);
    expect(lines).toEqual(["The configuration was reloaded."]);
  });

  test("can be a function, and can be disabled", async () => {
    await admin.query(`
      create function yard.configure() returns void language sql as $$
        select set_config('pgrst.db_schemas', 'yard, api', true), set_config('pgrst.db_max_rows', '2', true) $$`);
    const denied = loadSettings({ ...base(), PGRST_DB_PRE_CONFIG: "yard.configure" }, null);
    await expect(denied).rejects.toThrow(
      "PGRST_DB_PRE_CONFIG names a function that fails: permission denied",
    );
    await admin.query(`grant usage on schema yard to ${login()}`);
    const { get } = await start({ ...base(), PGRST_DB_PRE_CONFIG: "yard.configure" });
    expect((await get("/cranes")).status).toBe(200);
    const plain = await start({ ...base(), PGRST_DB_PRE_CONFIG: "yard.configure", PGRST_DB_CONFIG: "false" });
    expect((await plain.get("/boats?select=id")).body).toHaveLength(3);
    onTestFinished(async () => void (await admin.query(`alter role ${login()} reset all`)));
    await admin.query(`alter role ${login()} set pgrst.db_max_rows = '1'`);
    const { variables } = await loadSettings({ ...base(), PGRST_DB_PRE_CONFIG: "yard.configure" }, null);
    expect(variables).toMatchObject({ PGRST_DB_MAX_ROWS: "1", PGRST_DB_SCHEMAS: "yard, api" });
  });

  test("is reloaded on the configured channel, or not at all", async () => {
    const { get } = await start({ ...base(), PGRST_DB_CHANNEL: "harbor" });
    const deaf = await start({ ...base(), PGRST_DB_CHANNEL_ENABLED: "false" });
    await get("/boats");
    await deaf.get("/boats");
    const count = async (name: string) => {
      const text =
        "select count(*)::int as n from pg_stat_activity where application_name = $1 and datname = current_database()";
      return (await admin.query(text, [name])).rows[0].n;
    };
    // A connection of the previous test may still be closing.
    await expect
      .poll(async () => [await count("harbor listener"), await count("pgrst listener")])
      .toEqual([1, 0]);
  });
});

test("a reload applies other origins", async () => {
  const path = join(await folder(), "rest.conf");
  const allow = (origin: string) => writeFile(path, `server-cors-allowed-origins = "${origin}"`);
  await allow("http://a.example");
  const { url, reloadConfig } = await start(base(), path);
  const allowed = async () => {
    const headers = { origin: "http://b.example" };
    return (await fetch(`${url}/boats`, { headers })).headers.get("access-control-allow-origin");
  };
  expect(await allowed()).toBeNull();
  await allow("http://b.example");
  await reloadConfig();
  expect(await allowed()).toBe("http://b.example");
});

test("a reload reads a new secret from its file, and no request fails meanwhile", async () => {
  const file = join(await folder(), "secret");
  await writeFile(file, "invalid".repeat(6));
  const { get, reloadConfig } = await start({ ...base(), PGRST_JWT_SECRET: `@${file}` });
  const headers = { authorization: `Bearer ${await signToken({ role: "authenticated" }, secret)}` };
  expect((await get("/boats", { headers })).status).toBe(401);
  await writeFile(file, secret);
  const statuses = Promise.all(Array.from({ length: 20 }, async () => (await get("/boats")).status));
  await reloadConfig();
  expect(new Set(await statuses)).toEqual(new Set([200]));
  expect((await get("/boats", { headers })).status).toBe(200);
});

describe("transaction settings", () => {
  test("include those that begin with APP_SETTINGS", async () => {
    const { get } = await start({ ...base(), PGRST_APP_SETTINGS_NAME_VAR: "John" });
    expect((await get(setting("app.settings.name_var"))).body).toBe("John");
  });

  test("include hoisted settings of a function", async () => {
    const { get } = await start({ ...base(), PGRST_DB_HOISTED_TX_SETTINGS: "work_mem" });
    const usual = await start(base());
    // Within the function all its settings apply; hoisted ones apply to the whole transaction.
    expect((await get("/rpc/tuned")).body).toBe("3000kB 7s");
    expect((await usual.get("/rpc/tuned")).body).toBe("3000kB 7s");
  });
});

test("the role is found by a condition, and in a substring", async () => {
  const cases: [string, Record<string, unknown>][] = [
    ['.groups[?(@ == "authenticated")]', { groups: ["other", "authenticated"] }],
    ['.groups[?(@ != "other")]', { groups: ["other", "authenticated"] }],
    ['.groups[?(@ ^== "auth")]', { groups: [{ auth: 1 }, "authenticated"] }],
    ['.groups[?(@ ==^ "cated")]', { groups: ["other", "authenticated"] }],
    ['.groups[?(@ *== "entic")][:]', { groups: ["authenticated"] }],
    [".group[4:]", { group: "app_authenticated" }],
    [".group[4:-4]", { group: "app_authenticated_app" }],
  ];
  for (const [path, claims] of cases) {
    const { get } = await start({ ...base(), PGRST_DB_ANON_ROLE: "", PGRST_JWT_ROLE_CLAIM_KEY: path });
    const headers = { authorization: `Bearer ${await signToken(claims, secret)}` };
    expect([path, (await get(setting("role"), { headers })).body]).toEqual([path, "authenticated"]);
  }
});

test("main statements of logged requests are logged if enabled", async () => {
  const { get, lines } = await start({ ...base(), PGRST_LOG_QUERY: "main-query", PGRST_LOG_LEVEL: "warn" });
  await get("/boats");
  expect(lines).toEqual([]);
  await get("/boats?id=eq.x");
  expect(lines.find((line) => line.startsWith("query: "))).toMatch(/"api"\."boats"\."id" = \$1/);
});

test("it listens on a Unix socket, replacing one left behind", async () => {
  const path = join(await folder(), "rest.sock");
  const left = createServer().listen(path);
  await once(left, "listening");
  onTestFinished(() => void left.close());
  const { adminUrl } = await start({
    ...base(),
    PGRST_SERVER_UNIX_SOCKET: path,
    PGRST_SERVER_UNIX_SOCKET_MODE: "600",
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const [response] = await once(
    httpRequest({ socketPath: path, path: "/boats?select=id&limit=1" }).end(),
    "response",
  );
  expect(response.statusCode).toBe(200);
  response.resume();
  expect((await fetch(`${adminUrl}/live`)).status).toBe(200);
  await rm(path);
  expect((await fetch(`${adminUrl}/live`)).status).toBe(500);
  expect((await fetch(`${adminUrl}/ready`)).status).toBe(500);
});

test("the admin server serves the configuration without secrets, the schema, and metrics", async () => {
  const { adminUrl, get } = await start(base());
  await get("/boats");
  const ask = async (path: string) => (await fetch(`${adminUrl}${path}`)).text();
  const config = await ask("/config");
  expect(config).toContain('db-anon-role = "anon"\n');
  expect(config).toContain('jwt-secret = "(hidden)"\n');
  expect(config).not.toContain(secret);
  expect(await ask("/schema_cache")).toContain('"dbTables":[[{"qiName":"boats","qiSchema":"api"}');
  const metrics = await ask("/metrics");
  expect(metrics).toContain('pgrst_schema_cache_loads_total{status="SUCCESS"} 1.0');
  expect(metrics).toContain("pgrst_db_pool_max 2.0");
  for (const name of [
    "schema_cache_query_time_seconds",
    "db_pool_available",
    "db_pool_waiting",
    "db_pool_timeouts_total",
  ])
    expect(metrics).toContain(`\npgrst_${name} `);
  const token = await signToken({ role: "anon" }, secret);
  for (let times = 0; times < 3; times++)
    await get("/boats", { headers: { authorization: `Bearer ${token}` } });
  const later = await ask("/metrics");
  expect(later).toContain("\npgrst_jwt_cache_requests_total 3.0\n");
  expect(later).toContain("\npgrst_jwt_cache_hits_total 2.0\n");
  expect(later).toContain("\npgrst_jwt_cache_evictions_total 0.0\n");
  expect((await fetch(`${adminUrl}/nothing`)).status).toBe(404);
});

test("the database can be configured in libpq's formats", async () => {
  const { hostname, port, username, password, pathname, searchParams } = new URL(database.authenticatorUrl);
  const host = searchParams.get("host") ?? hostname;
  const { PGRST_DB_URI, ...rest } = base();
  const dsn = `host=${host} port=${port || 5432} user=${username} password='${password}' dbname=${pathname.slice(1)}`;
  expect((await (await start({ ...rest, PGRST_DB_URI: dsn })).get("/boats")).status).toBe(200);
  const named = await start({
    ...rest,
    PGHOST: host,
    PGPORT: port || "5432",
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  });
  expect((await named.get("/boats")).status).toBe(200);
});
