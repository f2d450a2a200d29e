import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { signToken } from "#backend/tokens/sign-token.ts";
import {
  type Instance,
  openRealtime,
  type RealtimeTestServer,
  subscribe,
} from "#tests/helpers/realtime/realtime-server.ts";

let testServer: RealtimeTestServer;

beforeAll(async () => {
  testServer = await openRealtime({ maxPresenceBytes: 200 });
  await testServer.owner.query("create table notes (id int primary key, words text)");
  await testServer.owner.query("alter publication supabase_realtime add table notes");
});
afterAll(() => testServer.close());

type Answer = { status?: string; response?: { reason?: string }; message?: string };

/** A socket that sends what no official client would, and records the replies by event. */
async function rudeSocket(instance: Instance = testServer.instance) {
  const socket = new WebSocket(
    `${instance.url}/realtime/v1/websocket?apikey=${testServer.anonKey}&vsn=2.0.0`,
  );
  const answers: [event: string, answer: Answer][] = [];
  socket.on("message", (data, binary) => {
    if (binary) return;
    const [, , , event, answer] = JSON.parse(String(data));
    answers.push([event, answer]);
  });
  socket.on("error", () => {});
  await once(socket, "open");
  const say = (topic: string, event: string, payload: string) =>
    socket.send(`["1","1",${JSON.stringify(topic)},${JSON.stringify(event)},${payload}]`);
  return {
    socket,
    say,
    answers,
    notices: () => answers.filter(([event]) => event === "system").map(([, { message }]) => message),
    reasons: () => answers.map(([, { response }]) => response?.reason).filter(Boolean),
    async join(config: object) {
      say("realtime:room", "phx_join", JSON.stringify({ config: { presence: {}, ...config } }));
      await expect.poll(() => answers.length).toBeGreaterThan(0);
    },
  };
}

const subscriptionsFor = (...filters: string[]) => ({
  postgres_changes: filters.map((filter) => ({ event: "*", schema: "public", table: "notes", filter })),
});

/** Nested to this depth: accepted by parsers that do not recurse, but not by serializers that do. */
const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("presence", () => {
  test("refuses payloads too long or too deeply nested to deliver, and overlong keys", async () => {
    const rude = await rudeSocket();
    await rude.join({ presence: { enabled: true } });
    const track = (payload: string) =>
      rude.say("realtime:room", "presence", `{"type":"presence","event":"track","payload":${payload}}`);
    track(`{"deep":${deep(200_000)}}`);
    track(`{"long":"${"x".repeat(200)}"}`);
    track('{"name":"rude"}');
    await expect
      .poll(() => rude.answers.filter(([event]) => event === "phx_reply").map(([, { status }]) => status))
      .toEqual(["ok", "error", "error", "ok"]);
    expect(rude.reasons()).toEqual(Array(2).fill("Presence track payload is longer than 200 bytes"));
    await expect.poll(() => JSON.stringify(rude.answers.at(-1))).toMatch(/presence_diff.*"name":"rude"/);
    const client = await testServer.clientFor("Ana");
    const endless = client.channel("room", { config: { presence: { key: "k".repeat(256) } } });
    expect(await subscribe(endless)).toBe("CHANNEL_ERROR The presence key is longer than 255 bytes");
    rude.socket.close();
  });
});

test("of two hundred concurrent joins, those within the limits are accepted and each other one is refused with a reason", async () => {
  const rude = await rudeSocket();
  for (let n = 0; n < 200; n++) rude.say(`realtime:room ${n}`, "phx_join", '{"config":{"presence":{}}}');
  await expect.poll(() => rude.answers.length).toBe(200);
  expect(rude.answers.filter(([, { status }]) => status === "ok").length).toBe(100);
  // Which limit applies depends on when the second ends.
  expect(rude.reasons()).toEqual(
    Array(100).fill(expect.stringMatching(/^Too many messages per second$|RateLimitReached: Too many/)),
  );
  rude.socket.close();
});

test("at most one frame's worth of messages is queued while the database is busy, and none is lost", async () => {
  const lock = new Client({ connectionString: testServer.testDatabase.url });
  await lock.connect();
  await lock.query("begin");
  await lock.query("lock table realtime.messages");
  const rude = await rudeSocket();
  rude.say("realtime:chat", "phx_join", '{"config":{"private":true}}');
  for (let sent = 0; sent < 12; sent++) rude.say("realtime:room", "word", `"${"x".repeat(2_500_000)}"`);
  const isStill = async () => {
    const before = rude.socket.bufferedAmount;
    await wait(300);
    return rude.socket.bufferedAmount === before;
  };
  await expect.poll(isStill).toBe(true);
  expect(rude.socket.bufferedAmount).toBeGreaterThan(10_000_000);
  await lock.end();
  await expect.poll(rude.reasons).toEqual([expect.any(String), ...Array(12).fill("unmatched topic")]);
  rude.socket.close();
});

test("HTTP broadcasts are limited per second, except with the secret key", async () => {
  const instance = await testServer.openInstance({ maxHttpMessagesPerSecond: 3 });
  const post = (count: number, apikey = testServer.anonKey) =>
    fetch(`${instance.url}/realtime/v1/api/broadcast`, {
      method: "POST",
      headers: { apikey, "content-type": "application/json" },
      body: JSON.stringify({ messages: Array(count).fill({ topic: "room", event: "word", payload: {} }) }),
    });
  expect((await post(3)).status).toBe(202);
  const refused = await post(4);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await refused.json()).toMatchObject({ message: "Too many messages per second" });
  expect(
    (await post(100, await signToken({ role: "service_role" }, testServer.options.jwtSecret as string)))
      .status,
  ).toBe(202);
  await instance.close();
});

describe("a subscriber to tables", () => {
  test("is kept by what it subscribed to only, and refused if that is long", async () => {
    const rude = await rudeSocket();
    const wanted = { event: "*", schema: "public", table: "notes", filter: "id=eq.1", select: ["id"] };
    await rude.join({ postgres_changes: [{ ...wanted, junk: "x".repeat(200_000) }] });
    expect(rude.answers[0]?.[1]).toEqual({
      status: "ok",
      response: { postgres_changes: [{ ...wanted, id: expect.any(Number) }] },
    });
    rude.say("realtime:b", "phx_join", JSON.stringify({ config: subscriptionsFor("x".repeat(100_000)) }));
    rude.say("realtime:c", "phx_join", `{"config":{"postgres_changes":[{"filter":${deep(200_000)}}]}}`);
    const reason = "The postgres_changes of one channel are longer than 100000 bytes";
    await expect.poll(rude.reasons).toEqual([reason, reason]);
    rude.socket.close();
  });

  test("cannot affect others with an invalid filter", async () => {
    const seen: unknown[] = [];
    const fine = (await testServer.clientFor("Ana")).channel("fine");
    fine.on(
      "postgres_changes",
      { event: "INSERT", schema: "public", table: "notes", filter: "words=like.a%" },
      ({ new: row }) => seen.push(row.id),
    );
    expect(await subscribe(fine)).toBe("SUBSCRIBED");
    const rude = await rudeSocket();
    await rude.join(subscriptionsFor("words=match.(", "words=like.a\\"));
    await expect
      .poll(rude.notices)
      .toEqual([
        expect.stringContaining("the pattern cannot be read"),
        expect.stringContaining("LIKE pattern must not end with escape character"),
      ]);
    await testServer.owner.query(`insert into notes values (1, 'ahoy'), (2, 'b'), (3, 'a')`);
    await expect.poll(() => seen).toEqual([1, 3]);
    rude.socket.close();
  });

  test("cannot delay others with slow patterns, even others who use patterns", async () => {
    const seen: unknown[] = [];
    const fine = (await testServer.clientFor("Ana")).channel("fine");
    fine.on(
      "postgres_changes",
      { event: "INSERT", schema: "public", table: "notes", filter: "words=match.^a+b" },
      ({ new: row }) => seen.push(row.id),
    );
    expect(await subscribe(fine)).toBe("SUBSCRIBED");
    const rude = await rudeSocket();
    const back = (n: number) => `words=match.^(a*)(a*)(a*)(a*)b\\1\\2\\3\\4c${n}$`;
    const nested = (n: number) => `words=match.^(([ab])+.)+${n}([a-z])+$`;
    await rude.join(subscriptionsFor(...Array.from({ length: 50 }, (_, n) => [back(n), nested(n)]).flat()));
    await testServer.owner.query(
      `insert into notes values (4, repeat('a', 300) || 'b' || repeat('a', 299) || 'c')`,
    );
    await expect.poll(() => seen).toEqual([4]);
    expect(rude.notices()).toEqual(Array(50).fill(expect.stringContaining("the pattern cannot be read")));
    rude.socket.close();
  });

  test("loses subscriptions whose patterns exceed the user's budget, without affecting other users", async () => {
    const seen: unknown[] = [];
    const ana = await testServer.clientFor("Ana");
    const fine = ana.channel("fine");
    fine.on(
      "postgres_changes",
      { event: "INSERT", schema: "public", table: "notes", filter: "words=match.^[ab]+$" },
      ({ new: row }) => seen.push(row.id),
    );
    expect(await subscribe(fine)).toBe("SUBSCRIBED");
    const rude = [await rudeSocket(), await rudeSocket()];
    const slow = (n: number) => `words=match.[ab]*a[ab]{${150 + n}}[cd]`;
    for (const [at, one] of rude.entries())
      await one.join(subscriptionsFor(...Array.from({ length: 75 }, (_, n) => slow(at * 75 + n))));
    await expect
      .poll(() => rude.flatMap((one) => one.notices()))
      .toEqual(Array(2).fill("Subscribed to PostgreSQL"));
    await testServer.owner.query("insert into notes values (5, repeat('ab', 5000))");
    await expect.poll(() => seen).toEqual([5]);
    const ended = () =>
      rude.flatMap((one) => one.notices()).filter((notice) => notice?.includes("took more than"));
    // Subscriptions matched before the budget was used up end only with the next change.
    await expect.poll(() => ended().length).toBeGreaterThan(20);
    await testServer.owner.query("insert into notes values (6, 'aa')");
    await expect.poll(() => seen).toEqual([5, 6]);
    for (const { socket } of rude) socket.close();
  });

  test("learns nothing of rows that it may not read from what its patterns cost", async () => {
    const { owner } = testServer;
    await owner.query("create table secrets (id int primary key, words text, is_open boolean not null)");
    await owner.query("alter table secrets enable row level security");
    await owner.query("create policy open on secrets for select to anon, authenticated using (is_open)");
    await owner.query("grant select on secrets to anon, authenticated");
    await owner.query("alter publication supabase_realtime add table secrets");
    const rude = await rudeSocket();
    const table = { event: "*", schema: "public", table: "secrets" };
    const guess = (n: number) => `words=match.^my secret .*a(?:.{1,60}[ab]){10}[c-z]{${n + 1}}`;
    const guesses = Array.from({ length: 75 }, (_, n) => ({ ...table, filter: guess(n) }));
    // As a user, since the network's budget is used up.
    const access_token = await testServer.tokenFor("Ben");
    const payload = { config: { postgres_changes: [table, ...guesses] }, access_token };
    rude.say("realtime:room", "phx_join", JSON.stringify(payload));
    await expect.poll(() => rude.notices()).toEqual(["Subscribed to PostgreSQL"]);
    const write = (id: string, isOpen: string) =>
      owner.query("insert into secrets values ($1, 'my secret ' || repeat('ab', 1700), $2)", [id, isOpen]);
    const changes = () => rude.answers.filter(([event]) => event === "postgres_changes");
    await write("1", "false");
    await owner.query("insert into secrets values (2, 'mine', true)");
    await expect.poll(changes).toHaveLength(1);
    expect(rude.notices()).toEqual(["Subscribed to PostgreSQL"]);
    await write("3", "true");
    await expect.poll(() => rude.notices().at(-1)).toContain("took more than");
    rude.socket.close();
  });

  test("is limited to a hundred subscriptions, each with a filter of limited length", async () => {
    const rude = await rudeSocket();
    const subscription = { event: "*", schema: "public", table: "notes" };
    await rude.join({ postgres_changes: Array(101).fill(subscription) });
    expect(rude.reasons()).toEqual(["More than 100 postgres_changes in one channel"]);
    rude.answers.length = 0;
    await rude.join({ postgres_changes: [{ ...subscription, filter: `words=eq.${"x".repeat(10_000)}` }] });
    await expect
      .poll(() => rude.answers.at(-1)?.[1].message)
      .toContain("the filter is longer than 10000 characters");
    rude.socket.close();
  });
});
