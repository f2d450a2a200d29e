import { afterAll, beforeAll, expect, test } from "vitest";
import { openRealtime, type RealtimeTestServer, subscribe } from "#tests/helpers/realtime/realtime-server.ts";

let testServer: RealtimeTestServer;

beforeAll(async () => {
  testServer = await openRealtime({ replicationTimeoutMs: 200 });
  await testServer.owner.query(`
    create policy "Everyone hears the rooms" on realtime.messages for select to anon, authenticated
      using ((select realtime.topic()) like 'room%' and extension = 'broadcast')`);
});
afterAll(() => testServer.close());

const say = (n: number, room = "room") =>
  testServer.owner.query(`select realtime.send(jsonb_build_object('n', ${n}, 'id', ''), 'word', $1, true)`, [
    room,
  ]);

/** Waits until a subscriber has received them, so that anything sent later comes after. */
async function sendAndAwait(count: number, room: string) {
  const { heard } = await listen(undefined, { room });
  for (let n = 1; n <= count; n++) await say(n, room);
  await expect.poll(() => heard.length, { timeout: 4_000 }).toBe(count);
}

type Replay = { since: number; limit?: number };
type ReceivedMessage = { n: number; replayed: boolean; id: string };

/** Joins a room with an optional replay request; records what it receives, in order. */
async function listen(replay: Replay | undefined, { vsn = "2.0.0", room = "room" } = {}) {
  const client = await testServer.clientFor("Ana", { realtime: { vsn } });
  const heard: ReceivedMessage[] = [];
  const channel = client.channel(room, {
    config: { private: true, broadcast: replay ? { replay } : {} },
  });
  channel.on("broadcast", { event: "*" }, ({ payload, meta }) =>
    heard.push({ n: payload.n, replayed: meta?.replayed ?? false, id: meta?.id ?? "" }),
  );
  return { status: await subscribe(channel), heard, client };
}

const numbers = (heard: ReceivedMessage[]) => heard.map(({ n, replayed }) => (replayed ? -n : n));

test.each(["1.0.0", "2.0.0"])(
  "serializer %s: past messages are replayed first, oldest first, then new ones arrive",
  async (vsn) => {
    const room = `room ${vsn}`;
    const since = Date.now();
    await sendAndAwait(4, room);
    const { status, heard } = await listen({ since, limit: 2 }, { vsn, room });
    expect(status).toBe("SUBSCRIBED");
    await expect.poll(() => numbers(heard)).toEqual([-3, -4]);
    await say(5, room);
    await expect.poll(() => numbers(heard)).toEqual([-3, -4, 5]);
    const ids = await testServer.owner.query(
      "select id from realtime.messages where topic = $1 order by inserted_at",
      [room],
    );
    expect(heard.map(({ id }) => id)).toEqual(ids.slice(2).map(({ id }) => id));
  },
);

test("at most 25 messages are replayed, ten by default, and binary ones as bytes", async () => {
  const room = "room of many";
  await sendAndAwait(30, room);
  const many = await listen({ since: 0, limit: 100 }, { room });
  await expect.poll(() => many.heard.length).toBe(25);
  const few = await listen({ since: 0 }, { room });
  await expect.poll(() => numbers(few.heard)).toEqual([-21, -22, -23, -24, -25, -26, -27, -28, -29, -30]);

  const heard: unknown[] = [];
  await testServer.owner.query(`select realtime.send_binary('\\x01ff', 'bytes', 'room of bytes')`);
  const client = await testServer.clientFor("Ana");
  const channel = client.channel("room of bytes", {
    config: { private: true, broadcast: { replay: { since: 0 } } },
  });
  channel.on("broadcast", { event: "bytes" }, ({ payload }) => heard.push([...new Uint8Array(payload)]));
  await subscribe(channel);
  await expect.poll(() => heard).toEqual([[1, 255]]);
  await testServer.owner.query(`select realtime.send_binary('\\x02fe', 'bytes', 'room of bytes')`);
  await expect
    .poll(() => heard)
    .toEqual([
      [1, 255],
      [2, 254],
    ]);
});

test("messages of one transaction are replayed in the order they were sent", async () => {
  const room = "room of one transaction";
  const live = await listen(undefined, { room });
  await testServer.owner.query(
    `select realtime.send(jsonb_build_object('n', n), 'word', $1, true) from generate_series(1, 60) as n`,
    [room],
  );
  // Makes room for later ones before those that stay.
  await testServer.owner.query(
    "delete from realtime.messages where topic = $1 and (payload ->> 'n')::int <= 50",
    [room],
  );
  await testServer.owner.query("vacuum realtime.messages");
  await testServer.owner.query(
    `select realtime.send(jsonb_build_object('n', n), 'word', $1, true) from generate_series(61, 120) as n`,
    [room],
  );
  await expect.poll(() => live.heard.length).toBe(120);
  const { heard } = await listen({ since: 0, limit: 5 }, { room });
  await expect.poll(() => numbers(heard)).toEqual([-116, -117, -118, -119, -120]);
});

test("messages sent during a join are delivered once, replayed or live", async () => {
  const room = "room in a hurry";
  let n = 0;
  const saying = (async () => {
    while (n < 20) await say(++n, room);
  })();
  const { heard } = await listen({ since: 0, limit: 25 }, { room });
  await saying;
  await expect.poll(() => heard.length).toBe(20);
  expect(heard.map((each) => each.n)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});

test.each([
  ["an invalid time", { since: "today" as unknown as number }, "Replay params are not valid"],
  ["a negative time", { since: -1 }, "Replay params are not valid"],
])("%s is refused", async (_what, replay, reason) => {
  expect((await listen(replay)).status).toBe(`CHANNEL_ERROR UnableToReplayMessages: ${reason}`);
});

test("a public channel cannot be replayed", async () => {
  const { url } = testServer.instance;
  const socket = new WebSocket(
    `${url.replace("http", "ws")}/realtime/v1/websocket?vsn=2.0.0&apikey=${testServer.anonKey}`,
  );
  const answer = new Promise((resolve) =>
    socket.addEventListener("message", ({ data }) => resolve(JSON.parse(data))),
  );
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const config = { broadcast: { replay: { since: 0 } } };
  socket.send(JSON.stringify(["1", "1", "realtime:room", "phx_join", { config }]));
  const reason = "UnableToReplayMessages: Replay is not allowed for public channels";
  expect(await answer).toMatchObject({ 4: { status: "error", response: { reason } } });
  socket.close();
});

test("nothing is replayed to a user whom no policy allows to read", async () => {
  await say(1, "cellar");
  expect((await listen({ since: 0 }, { room: "cellar" })).status).toMatch(/^CHANNEL_ERROR Unauthorized/);
});

test("a client that asks is notified when messages from the database arrive", async () => {
  const notices: unknown[] = [];
  const follow = async (instance = testServer.instance) => {
    const client = await testServer.clientFor("Ana", { instance });
    const channel = client.channel(`room ${crypto.randomUUID()}`, {
      config: { private: true, broadcast: { replication_ready: true } },
    });
    channel.on("system", {}, ({ extension, status, message }) => notices.push([extension, status, message]));
    await subscribe(channel);
  };
  await follow();
  await expect.poll(() => notices).toEqual([["system", "ok", "Replication connection established"]]);
});

test("the ping is public; health and metrics need the secret key", async () => {
  const get = async (path: string, key?: string) => {
    const headers = key ? { apikey: key } : undefined;
    const response = await fetch(`${testServer.instance.url}/realtime/v1/${path}`, headers && { headers });
    return [response.status, await response.text()] as const;
  };
  expect(await get("api/ping")).toEqual([200, '{"message":"Success"}']);
  expect((await get("api/tenants/any/health"))[0]).toBe(401);
  expect((await get("metrics", testServer.anonKey))[0]).toBe(403);
  const secret = await testServer.tokenFor("Ana", { role: "service_role" });
  const [status, health] = await get("api/tenants/any/health", secret);
  expect([status, JSON.parse(health).data]).toMatchObject([
    200,
    { healthy: true, db_connected: true, replication_connected: true },
  ]);
  expect((await get("metrics", secret))[1]).toMatch(/^realtime_connections_connected \d+$/m);
});
