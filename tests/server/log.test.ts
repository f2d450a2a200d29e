import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAnonKey } from "#tests/helpers/anon-key.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

const PASSWORD = "Correct horse 7 battery!";
const EMAIL = "mirabel.stone@example.org";
const USERNAME = "MirabelStone";
const ADDRESS = "203.0.113.77";

let dataDir: string;
let server: ServerProcess;
let anonKey: string;

beforeAll(async () => {
  dataDir = readyDataDir();
  const env = { DATA_DIR: dataDir, LOG_FORMAT: "json", ACCESS_LOG: "on" };
  server = await startServer({ env: { ...env, CLIENT_ADDRESS_HEADER: "x-real-ip" } });
  anonKey = await readAnonKey(server.address);
});

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Line = Record<string, string | number | undefined>;

const lines = (): Line[] =>
  server
    .output()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));

const headers = { "x-real-ip": ADDRESS };
const send = (path: string, init: RequestInit = {}) =>
  fetch(`${server.address}${path}`, {
    redirect: "manual",
    ...init,
    headers: { ...headers, ...init.headers },
  });

/** Calls every endpoint, correctly and incorrectly, with sensitive values in every position. */
async function callEveryEndpoint() {
  const client = createClient(server.address, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers },
  });
  const { data } = await client.auth.signUp({ email: EMAIL, password: PASSWORD });
  const session = data.session as NonNullable<typeof data.session>;
  const id = session.user.id;
  await client.auth.signInWithPassword({ email: EMAIL, password: `${PASSWORD} wrong` });
  await client.auth.resetPasswordForEmail(EMAIL);
  await client.auth.admin.getUserById(id);
  await client.from("items").select("name").limit(1);
  await client.from("user_profiles").select("*").eq("user_id", id);
  await client.from("nothing_here").select("*").eq("email", EMAIL);
  await client.storage.from("item-images").upload(`${id}/${EMAIL}.png`, "no picture");
  await client.functions.invoke(EMAIL);
  await client.realtime.setAuth(session.access_token);
  const token = session.access_token;
  for (const path of [
    "/",
    `/community/${USERNAME}`,
    `/auth?code=${token}`,
    `/no-such-page/${encodeURIComponent(EMAIL)}/${token}`,
    `/auth/v1/verify?token=${token}&type=recovery&redirect_to=/`,
    `/auth/v1/admin/users/${id}`,
    `/realtime/v1/websocket?apikey=${token}`,
    `/rest/v1/${EMAIL}`,
  ])
    await (await send(path)).text();
  await send("/auth/v1/token?grant_type=password", { method: "POST", body: `{"email":"${EMAIL}"` });
  return { id, token, refresh: session.refresh_token };
}

/** Causes errors of our own, whose log lines say the most. */
async function breakAccounts(run: () => Promise<unknown>) {
  const owner = new Client({ connectionString: readFileSync(join(dataDir, "database-url"), "utf8") });
  await owner.connect();
  await owner.query("alter table auth.identities rename to identities_away");
  await run();
  await owner.query("alter table auth.identities_away rename to identities");
  await owner.end();
}

test("a run through the endpoints leaves no token, email address, network address, name or user id in the log", async () => {
  const secrets = await callEveryEndpoint();
  await breakAccounts(async () => {
    const body = JSON.stringify({ email: `second.${EMAIL}`, password: PASSWORD });
    const type = { apikey: anonKey, "content-type": "application/json" };
    expect((await send("/auth/v1/signup", { method: "POST", body, headers: type })).status).toBe(500);
  });
  await expect
    .poll(() => lines().some(({ route, status }) => route === "/auth/v1/signup" && status === 500))
    .toBe(true);
  const text = server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .join("\n");
  const parts = [secrets.token, ...secrets.token.split(".").slice(1), secrets.refresh, secrets.id];
  for (const secret of [
    ...parts,
    anonKey,
    EMAIL,
    encodeURIComponent(EMAIL),
    "mirabel",
    USERNAME,
    PASSWORD,
    ADDRESS,
  ])
    expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
  expect(text).toMatch(/auth: \/auth\/v1\/signup failed|auth: POST \/signup failed/);
});

test("each response is one line with its request, route, status and duration, and nothing else about the caller", async () => {
  const { status, headers: answered } = await send("/fruits/kitsune?mode=permanent");
  expect(status).toBe(200);
  const request = answered.get("x-request-id");
  await expect.poll(() => lines().find((line) => line.request === request && line.route)).toBeDefined();
  const line = lines().find((each) => each.request === request && each.route) as Line;
  expect(line).toEqual({
    level: "info",
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    request,
    method: "GET",
    route: "/fruits/:slug",
    status: 200,
    ms: expect.any(Number),
    message: expect.stringMatching(/^GET \/fruits\/:slug 200 in [\d.]+ ms$/),
  });
  const routes = new Set(lines().map(({ route }) => route));
  for (const route of [
    "/",
    "/community/:username",
    "/auth/v1/signup",
    "/auth/v1/admin/users/{id}",
    "/rest/v1/items",
  ])
    expect(routes).toContain(route);
  for (const route of ["/*", "/rest/v1/*", "/functions/v1/*", "/storage/v1/object/{bucket}/{path*}"])
    expect(routes, "what only a caller named has no name of its own").toContain(route);
});
