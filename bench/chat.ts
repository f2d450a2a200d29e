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
import { median } from "./statistics.ts";

const jwtSecret = "only this bench signs with this secret";
/** The slowest delivery may take 1.25 times as long as without a database, policies and protocol. */
const AIM = 1 / 1.25;
// A user may write five messages in ten seconds, so writers take turns.
const WRITERS = 100;
/** PostgreSQL keeps the plans for an empty table until it is analyzed again. */
const INVITED_AT_ONCE = 1_000;

type Size = { clients: number; rounds: number; seconds: number; perSecond: number };
/** What both carried, one right after the other, so that other load on the machine affects them alike. */
type Round = { ours: ChatLoad; bare: ChatLoad };
type Person = { id: string; token: string };

/**
 * One room with many clients, each signed in as another user: a message is inserted over HTTP, committed to disk,
 * checked by row-level security, and delivered to every client. Compared with a bare `ws` server that only forwards
 * bytes. Sizes by `--clients=2000 --rounds=5 --seconds=12 --rate=10`.
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
    const rounds: Round[] = [];
    while (rounds.length < size.rounds) {
      const bare = await loadBare(size);
      rounds.push({ bare, ours: await loadOurs(size, people, postgres) });
    }
    return [toComparison(size, rounds)];
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function readSize(): Size {
  const { values } = parseArgs({
    strict: false,
    options: {
      clients: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      rate: { type: "string" },
    },
  });
  const { clients = 2_000, rounds = 5, seconds = 12, rate = 10 } = values;
  return {
    clients: Number(clients),
    rounds: Number(rounds),
    seconds: Number(seconds),
    perSecond: Number(rate),
  };
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
  const payload = { config: { presence: {}, postgres_changes }, access_token: token };
  return JSON.stringify(["1", "1", "realtime:room", "phx_join", payload]);
}

function toComparison({ clients, seconds, perSecond }: Size, rounds: Round[]): Comparison {
  const ratio = median(rounds.map(({ ours, bare }) => bare.p99Ms / ours.p99Ms));
  const [ours, bare] = [rounds.map((round) => round.ours), rounds.map((round) => round.bare)];
  const lost = lostBy(ours);
  return {
    title:
      `chat: ${clients} people, ${perSecond} messages a second, ${rounds.length} rounds of ${seconds} s; ` +
      `${lost} of ${sum(ours, "expected")} deliveries lost (${lostBy(bare)} by bare ws); the ratio is that of the p99`,
    ours: toMeasured("realtime/v1, durable, judged", ours),
    others: [
      { ...toMeasured("bare ws, bytes passed on", bare), ratio, aim: AIM, met: ratio >= AIM && lost === 0 },
    ],
  };
}

const sum = (loads: ChatLoad[], of: "expected" | "delivered" | "cpuMs") =>
  loads.reduce((total, load) => total + load[of], 0);
const lostBy = (loads: ChatLoad[]) => sum(loads, "expected") - sum(loads, "delivered");

function toMeasured(name: string, loads: ChatLoad[]): Measured {
  const middle = (of: (load: ChatLoad) => number) => median(loads.map(of));
  const each = middle(({ memory, expected, sent }) => (memory.idle - memory.before) / (expected / sent));
  const mib = (of: keyof ChatLoad["memory"]) =>
    `${Math.round(middle(({ memory }) => memory[of]) / 1_024)} MiB`;
  const note =
    `p99 by round ${loads.map(({ p99Ms }) => p99Ms.toFixed(0)).join(", ")} ms; ` +
    `${((sum(loads, "cpuMs") * 1_000) / sum(loads, "expected")).toFixed(1)} µs of work a delivery; ` +
    `${Math.round(middle((load) => load.connectsPerSecond))} joins/s; memory ${mib("before")}, ` +
    `${mib("idle")} with all (${each.toFixed(1)} KiB each), ${mib("peak")} at most`;
  return {
    name,
    perSecond: middle((load) => load.perSecond),
    rounds: loads.map(({ perSecond }) => Math.round(perSecond)),
    p50Ms: middle((load) => load.p50Ms),
    p99Ms: middle((load) => load.p99Ms),
    note,
  };
}
