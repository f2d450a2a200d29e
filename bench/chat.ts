import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connectDatabase } from "#backend/postgres/database.ts";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { applyMigrations } from "#server/database/apply-migrations.ts";
import { loadVocabularies } from "#server/database/load-vocabularies.ts";
import { startPostgres } from "#server/postgres/start-postgres.ts";
import type { Comparison, Measured } from "./compare.ts";
import type { ChatLoad, ChatTask } from "./load/generate-chat.ts";
import { runChat } from "./load/run-chat.ts";
import { startServer } from "./servers/start-server.ts";

const jwtSecret = "only this bench signs with this secret";
/** The slowest delivery may take 1.25 times as long as without a database, policies and protocol. */
const AIM = 1 / 1.25;
// A user may write five messages in ten seconds, so writers take turns.
const WRITERS = 100;
/** PostgreSQL keeps the plans for an empty table until it is analyzed again. */
const INVITED_AT_ONCE = 1_000;

type Size = { clients: number; seconds: number; perSecond: number };
type Person = { id: string; token: string };

/**
 * One room with many clients, each signed in as another user: a message is inserted over HTTP, committed to disk,
 * checked by row-level security, and delivered to every client. Compared with a bare `ws` server that only forwards
 * bytes. Sizes by `--clients=2000 --seconds=30 --rate=10`.
 */
export async function benchChat(): Promise<Comparison[]> {
  const size = readSize();
  const dataDir = await mkdtemp(join(tmpdir(), "bench-chat-"));
  const postgres = await startPostgres({ dataDir });
  try {
    await applyBackendSchema(postgres.url, { authenticatorPassword: postgres.authenticatorPassword });
    await applyMigrations(postgres.url);
    await loadVocabularies(postgres.url);
    const people = await invitePeople(postgres.url, size.clients);
    const bare = await loadBare(size);
    const ours = await loadOurs(size, people, postgres);
    return [toComparison(size, ours, bare)];
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function readSize(): Size {
  const { values } = parseArgs({
    strict: false,
    options: { clients: { type: "string" }, seconds: { type: "string" }, rate: { type: "string" } },
  });
  const { clients = 2_000, seconds = 30, rate = 10 } = values;
  return { clients: Number(clients), seconds: Number(seconds), perSecond: Number(rate) };
}

async function invitePeople(url: string, count: number): Promise<Person[]> {
  const ids = Array.from({ length: Math.max(count, WRITERS) }, () => randomUUID());
  const owner = connectDatabase({ url, max: 1 });
  for (let from = 0; from < ids.length; from += INVITED_AT_ONCE) {
    await owner.query(
      `insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, created_at, updated_at)
       select '00000000-0000-0000-0000-000000000000', id::uuid, 'authenticated', 'authenticated',
         id || '@example.org', now(), now(), now()
       from jsonb_array_elements_text($1::jsonb) as id`,
      [JSON.stringify(ids.slice(from, from + INVITED_AT_ONCE))],
    );
    await owner.query("analyze");
  }
  // Nobody may write before stating an age group.
  await owner.query(
    "insert into public.age_bands (user_id, band) select id, '18-or-older' from public.profiles",
  );
  await owner.close();
  return Promise.all(ids.map(async (id) => ({ id, token: await signToken(claimsOf(id), jwtSecret) })));
}

/** As long as a real session's: the claims are sent to the database for each check. */
function claimsOf(id: string) {
  return {
    sub: id,
    role: "authenticated",
    aud: "authenticated",
    email: `${id}@example.org`,
    exp: Math.floor(Date.now() / 1_000) + 7_200,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: { email: `${id}@example.org`, email_verified: true, phone_verified: false, sub: id },
    aal: "aal1",
    amr: [{ method: "password", timestamp: Math.floor(Date.now() / 1_000) }],
    session_id: randomUUID(),
    is_anonymous: false,
  };
}

async function loadBare({ clients, seconds, perSecond }: Size): Promise<ChatLoad> {
  const server = await startServer("bare-sockets", {});
  const writer = { url: server.url, headers: {}, body: asFrame("§") };
  const task = { seconds, perSecond, pid: server.pid, writers: [writer] };
  try {
    return await runChat({ ...task, clients: Array.from({ length: clients }, () => ({ url: server.url })) });
  } finally {
    await server.stop();
  }
}

/** As long as our server's message for an insert. */
function asFrame(message: string): string {
  return JSON.stringify([
    null,
    null,
    "realtime:room",
    "postgres_changes",
    { data: "-".repeat(738), message },
  ]);
}

async function loadOurs(
  { clients, seconds, perSecond }: Size,
  people: Person[],
  postgres: { url: string; authenticatorUrl: string },
): Promise<ChatLoad> {
  const anonKey = await signToken({ role: "anon" }, jwtSecret);
  const server = await startServer("realtime", {
    databaseUrl: postgres.authenticatorUrl,
    databaseConnections: 4,
    changeFeedUrl: postgres.url,
    jwtSecret,
    anonKey,
    serviceRoleKey: await signToken({ role: "service_role" }, jwtSecret),
    realtime: { maxConnections: 100_000, maxConnectionsPerAddress: 100_000 },
  });
  const task: ChatTask = {
    seconds,
    perSecond,
    pid: server.pid,
    clients: people.slice(0, clients).map(({ token }) => ({
      url: `${server.url}/realtime/v1/websocket?vsn=2.0.0&apikey=${anonKey}`,
      hello: joinFrame(token),
      welcome: '"phx_reply",{"status":"ok"',
      heartbeat: '[null,"2","phoenix","heartbeat",{}]',
    })),
    writers: people.slice(0, WRITERS).map(({ token }) => ({
      url: `${server.url}/rest/v1/chat_messages`,
      headers: { apikey: anonKey, authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ message: "§" }),
    })),
  };
  try {
    return await runChat(task);
  } finally {
    await server.stop();
  }
}

function joinFrame(token: string): string {
  const postgres_changes = [{ event: "INSERT", schema: "public", table: "chat_messages" }];
  const payload = { config: { postgres_changes }, access_token: token };
  return JSON.stringify(["1", "1", "realtime:room", "phx_join", payload]);
}

function toComparison({ clients, seconds, perSecond }: Size, ours: ChatLoad, bare: ChatLoad): Comparison {
  const ratio = bare.p99Ms / ours.p99Ms;
  const lost = lostBy(ours);
  return {
    title:
      `chat: ${clients} people, ${perSecond} messages a second for ${seconds} s; ` +
      `${lost} of ${ours.expected} deliveries lost (${lostBy(bare)} by bare ws); the ratio is that of the p99`,
    ours: toMeasured("realtime/v1, durable, judged", ours),
    others: [
      { ...toMeasured("bare ws, bytes passed on", bare), ratio, aim: AIM, met: ratio >= AIM && lost === 0 },
    ],
  };
}

const lostBy = ({ expected, delivered }: ChatLoad) => expected - delivered;

function toMeasured(name: string, load: ChatLoad): Measured {
  const { perSecond, p50Ms, p99Ms, maxMs, memory, connectsPerSecond, sent, expected, cpuMs } = load;
  const each = (memory.idle - memory.before) / (expected / sent);
  const mib = (kib: number) => `${Math.round(kib / 1_024)} MiB`;
  const note =
    `slowest ${maxMs.toFixed(0)} ms; ${((cpuMs * 1_000) / expected).toFixed(1)} µs of work a delivery; ${Math.round(connectsPerSecond)} joins/s; memory ${mib(memory.before)}, ` +
    `${mib(memory.idle)} with all (${each.toFixed(1)} KiB each), ${mib(memory.peak)} at most`;
  return { name, perSecond, rounds: [Math.round(perSecond)], p50Ms, p99Ms, note };
}
