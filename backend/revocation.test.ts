import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { takeUpgrades } from "#backend/http/guarded-server.ts";
import { toNode } from "#backend/http/to-node.ts";
import { createDiskStore } from "#backend/storage/files/disk-store.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { relayDatabase } from "#tests/helpers/database-relay.ts";
import { listen } from "#tests/helpers/listen.ts";
import { subscribe } from "#tests/helpers/realtime/realtime-server.ts";
import { createBackend } from "./backend.ts";
import { connectDatabase, type Database } from "./postgres/database.ts";
import { openRevocationFeed } from "./tokens/revocation-feed.ts";

const jwtSecret = "a secret of revocations that is long enough";
const PASSWORD = "Correct horse 7 battery!";
const OTHER_PASSWORD = "Another horse 8 battery!";

type Process = { url: string; close(): Promise<void> };

let own: TestDatabase;
let owner: Database;
let folder: string;
let anonKey: string;
let serviceRoleKey: string;
let here: Process;
let there: Process;

beforeAll(async () => {
  own = await createTestDatabase();
  owner = connectDatabase({ url: own.url, max: 2 });
  folder = await mkdtemp(join(tmpdir(), "revocation-"));
  anonKey = await signToken({ role: "anon" }, jwtSecret);
  serviceRoleKey = await signToken({ role: "service_role" }, jwtSecret);
  [here, there] = await Promise.all([openProcess("here"), openProcess("there")]);
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  await owner.close();
  await own.drop();
  await rm(folder, { recursive: true });
});

/** Simulates one server process on the database. */
async function openProcess(name: string): Promise<Process> {
  const log = () => {};
  const backend = await createBackend({
    databaseUrl: own.authenticatorUrl,
    databaseConnections: 3,
    jwtSecret,
    log,
    auth: {
      databaseUrl: own.authUrl,
      mailerAutoconfirm: true,
      mailer: { send: async () => {}, close: () => {} },
      log,
    },
    storage: { workFolder: join(folder, name), store: createDiskStore(join(folder, name, "files")), log },
    realtime: { log },
  });
  const server = createServer(toNode(backend));
  takeUpgrades(server, backend.upgrade);
  const { url, close } = await listen(server);
  return {
    url,
    async close() {
      await backend.close();
      await close();
    },
  };
}

function connect(process: Process, key = anonKey): SupabaseClient {
  const auth = { autoRefreshToken: false, persistSession: false };
  const client = createClient(process.url, key, { auth, realtime: { timeout: 20_000 } });
  onTestFinished(async () => {
    await client.realtime.disconnect();
  });
  return client;
}

const server = (process = there) => connect(process, serviceRoleKey).auth.admin;

/** A new user with one session on each process. */
async function openSessions() {
  const email = `${randomUUID()}@example.org`;
  const [first, second] = [connect(here), connect(there)];
  const { data } = await first.auth.signUp({ email, password: PASSWORD });
  const { error } = await second.auth.signInWithPassword({ email, password: PASSWORD });
  expect(error).toBeNull();
  return { id: data.user?.id as string, first, second };
}

/** How rest and storage respond to a user; `null` means no error. */
async function refusals(client: SupabaseClient) {
  const [rest, storage] = await Promise.all([
    client.from("chat_messages").select("id").limit(1),
    client.storage.from("item-images").list(),
  ]);
  return {
    rest: rest.error && `${rest.status} ${rest.error.code}`,
    storage: storage.error && `${(storage.error as unknown as { statusCode: string }).statusCode}`,
  };
}

const WELCOME = { rest: null, storage: null };
const REFUSED = { rest: "401 PGRST301", storage: "403" };

/** A user's private channel and its events. */
async function joinRoom(client: SupabaseClient) {
  const ends: string[] = [];
  const told: string[] = [];
  const channel = client.channel("chat", { config: { private: true } });
  channel.on("presence", { event: "sync" }, () => {});
  channel.on("system", {}, ({ message }) => told.push(message));
  await client.realtime.setAuth();
  const joined = new Promise((resolve) => {
    channel.subscribe((status) => {
      resolve(status);
      if (status === "CLOSED") ends.push("closed");
    });
  });
  expect(await joined).toBe("SUBSCRIBED");
  return { ends, told };
}

/** Waits until every service refuses. */
async function untilRefused(client: SupabaseClient, ends: string[]) {
  await expect
    .poll(async () => ({ ...(await refusals(client)), realtime: ends[0] }), { interval: 20 })
    .toEqual({ ...REFUSED, realtime: "closed" });
}

describe("an ended session is refused by every service of every process", () => {
  test("when the user is banned, and accepted again when the ban is lifted", async () => {
    const { id, first } = await openSessions();
    expect(await refusals(first)).toEqual(WELCOME);
    const { ends, told } = await joinRoom(first);
    expect((await server().updateUserById(id, { ban_duration: "1h" })).error).toBeNull();
    // The token itself is still valid for an hour.
    await untilRefused(first, ends);
    expect(told).toContain("InvalidJWTToken: Token has been revoked");
    expect((await first.auth.getUser()).error?.code).toBe("user_banned");
    await server().updateUserById(id, { ban_duration: "none" });
    await expect.poll(() => refusals(first)).toEqual(WELCOME);
  });

  test.each<[string, (person: Awaited<ReturnType<typeof openSessions>>) => Promise<{ error: unknown }>]>([
    ["by a sign-out elsewhere", ({ second }) => second.auth.signOut({ scope: "others" })],
    ["by a new password", ({ second }) => second.auth.updateUser({ password: OTHER_PASSWORD })],
    ["by deletion of the account", ({ id }) => server().deleteUser(id)],
    ["by a deletion that keeps the row", ({ id }) => server().deleteUser(id, true)],
  ])("%s", async (_, end) => {
    const person = await openSessions();
    const { ends } = await joinRoom(person.first);
    expect((await end(person)).error).toBeNull();
    await untilRefused(person.first, ends);
    const token = connect(there);
    const { data } = await person.first.auth.getSession();
    await token.realtime.setAuth(data.session?.access_token ?? "");
    expect(await subscribe(token.channel("chat", { config: { private: true } }))).toContain(
      "Token has been revoked",
    );
  });

  test("but the session that ended the others continues", async () => {
    const { first, second } = await openSessions();
    await second.auth.signOut({ scope: "others" });
    await expect.poll(() => refusals(first)).toEqual(REFUSED);
    expect(await refusals(second)).toEqual(WELCOME);
  });

  test("also in a process that started later", async () => {
    const { first, second } = await openSessions();
    const { data } = await first.auth.getSession();
    await second.auth.signOut({ scope: "others" });
    const later = await openProcess("later");
    onTestFinished(() => later.close());
    const answer = await fetch(`${later.url}/rest/v1/chat_messages`, {
      headers: { apikey: anonKey, authorization: `Bearer ${data.session?.access_token}` },
    });
    expect(answer.status).toBe(401);
  });
});

test("an address for an upload is refused while the account that signed it is banned", async () => {
  const { id, first } = await openSessions();
  await owner.query("insert into storage.buckets (id, name) values ('handed', 'handed')");
  await owner.query(
    "create policy handed on storage.objects for insert to authenticated with check (bucket_id = 'handed')",
  );
  const { data } = await first.storage.from("handed").createSignedUploadUrl("later.txt");
  const token = data?.token ?? "";
  const upload = async () =>
    (await connect(here).storage.from("handed").uploadToSignedUrl("later.txt", token, "late")).error;
  const resumable = async () => {
    const [bucket, name] = ["handed", "later.txt"].map((text) => Buffer.from(text).toString("base64"));
    const headers = {
      "tus-resumable": "1.0.0",
      "upload-length": "4",
      "upload-metadata": `bucketName ${bucket},objectName ${name}`,
      "x-signature": token,
    };
    const url = `${here.url}/storage/v1/upload/resumable/sign`;
    return (await fetch(url, { method: "POST", headers })).status;
  };
  await server().updateUserById(id, { ban_duration: "1h" });
  await expect.poll(resumable).toBe(403);
  expect(await upload()).toMatchObject({ statusCode: "403", message: "Access denied" });
  await server().updateUserById(id, { ban_duration: "none" });
  await expect.poll(resumable).toBe(201);
  expect(await upload()).toBeNull();
});

test("a process that cannot read revocations refuses sessions but accepts API keys, until it can again", async () => {
  const { first } = await openSessions();
  await owner.query("alter table backend.revocations rename to away");
  try {
    await expect.poll(async () => (await refusals(first)).rest).toBe("503 PGRST000");
    expect((await refusals(connect(here, serviceRoleKey))).rest).toBeNull();
    const apikey = (await first.auth.getSession()).data.session?.access_token ?? "";
    for (const path of ["/rest/v1/items", "/auth/v1/settings"]) {
      const { status, headers } = await fetch(`${here.url}${path}`, { headers: { apikey } });
      expect([status, headers.get("retry-after")], path).toEqual([503, "1"]);
    }
  } finally {
    await owner.query("alter table backend.away rename to revocations");
  }
  await expect.poll(() => refusals(first)).toEqual(WELCOME);
});

test("every service accepts only API keys and tokens of its own auth service", async () => {
  const { id } = await openSessions();
  const aud = "authenticated";
  const strange = await Promise.all(
    [{ aud }, { iss: "http://localhost:3000/auth/v1" }, { aud, iss: "https://elsewhere" }].map((claims) =>
      signToken({ sub: id, role: aud, exp: Math.floor(Date.now() / 1_000) + 60, ...claims }, jwtSecret),
    ),
  );
  for (const token of strange) {
    const client = createClient(here.url, anonKey, { accessToken: async () => token });
    expect(await refusals(client)).toEqual({ rest: "401 PGRST303", storage: "403" });
    await client.realtime.setAuth();
    const joined = subscribe(client.channel("chat", { config: { private: true } }));
    expect(await joined).toContain("InvalidJWTToken");
    await client.realtime.disconnect();
  }
  expect((await refusals(connect(here, serviceRoleKey))).rest).toBeNull();
});

describe("access to an open private channel is checked again", () => {
  test("when a policy is dropped", async () => {
    const { first } = await openSessions();
    const rule = `for select to authenticated using (realtime.topic() = 'chat' and extension = 'broadcast')`;
    await owner.query(`create policy "Hears" on realtime.messages ${rule}`);
    const { ends } = await joinRoom(first);
    await owner.query(`drop policy "Hears" on realtime.messages`);
    await expect.poll(() => ends).toEqual(["closed"]);
  });

  test("when a role is taken away", async () => {
    const { id, first } = await openSessions();
    await owner.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [id]);
    await owner.query(
      `create policy "Admins hear" on realtime.messages for select to authenticated
         using (realtime.topic() = 'chat' and extension = 'broadcast' and private.is_admin())`,
    );
    const { ends } = await joinRoom(first);
    await owner.query("delete from public.user_roles where user_id = $1", [id]);
    await expect.poll(() => ends).toEqual(["closed"]);
  });
});

test("the copy of the revocations is current again soon after its connection fell silent", async () => {
  const relay = await relayDatabase(own.authenticatorUrl);
  const feed = await openRevocationFeed(relay.url);
  expect(feed.isCurrent()).toBe(true);
  relay.fallSilent();
  await expect.poll(feed.isCurrent).toBe(false);
  await expect.poll(feed.isCurrent).toBe(true);
  await feed.close();
  await relay.close();
});

test("rest and auth work again once connections that fell silent were given up on", async () => {
  const relays = [await relayDatabase(own.authenticatorUrl), await relayDatabase(own.authUrl)] as const;
  const backend = await createBackend({
    databaseUrl: relays[0].url,
    databaseConnections: 1,
    jwtSecret,
    answerTimeout: 1_000,
    auth: {
      databaseUrl: relays[1].url,
      databaseConnections: 1,
      siteUrl: "http://site.test",
      externalUrl: "http://backend.test/auth/v1",
      siteName: "Harbor",
      mailerAutoconfirm: true,
      mailer: { send: async () => {}, close: () => {} },
      log: () => {},
    },
    realtime: null,
  });
  const ask = async (path: string, init: RequestInit = {}) => {
    const request = new Request(`http://backend.test${path}`, { ...init, headers: { apikey: anonKey } });
    return (await backend.fetch(request)).status;
  };
  const body = JSON.stringify({ email: "nobody@example.org", password: PASSWORD });
  const askBoth = () =>
    Promise.all([
      ask("/rest/v1/items?select=id&limit=1"),
      ask("/auth/v1/token?grant_type=password", { method: "POST", body }),
    ]);
  expect(await askBoth()).toEqual([200, 400]);
  for (const relay of relays) relay.fallSilent();
  // A read may be tried again on another connection.
  expect((await askBoth())[1]).toBe(503);
  expect(await askBoth()).toEqual([200, 400]);
  for (const relay of relays) relay.cut();
  await backend.close();
  for (const relay of relays) await relay.close();
});

test("the network that policies read is this server's word in storage, too, not the client's", async () => {
  await owner.query("insert into storage.buckets (id, name) values ('networks', 'networks')");
  await owner.query(`create policy networks on storage.objects for insert to anon with check (
    bucket_id = 'networks' and name = current_setting('request.headers')::json ->> 'x-client-network')`);
  const headers = { apikey: anonKey, "x-client-network": "203.0.113.7" };
  const upload = async (name: string) =>
    (await fetch(`${here.url}/storage/v1/object/networks/${name}`, { method: "POST", headers, body: "x" }))
      .ok;
  expect([await upload("203.0.113.7"), await upload("127.0.0.1")]).toEqual([false, true]);
});
