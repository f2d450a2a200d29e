import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { queryObjects } from "node:v8";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import {
  type Instance,
  openRealtime,
  type RealtimeTestServer,
} from "#tests/helpers/realtime/realtime-server.ts";

let testServer: RealtimeTestServer;

beforeAll(async () => {
  testServer = await openRealtime();
});
afterAll(() => testServer.close());

test("a connection is closed, connecting, open, closing and closed in turn", async () => {
  const { realtime } = await testServer.clientFor("Ana");
  const states = [realtime.connectionState()];
  realtime.connect();
  states.push(realtime.connectionState());
  await expect.poll(() => realtime.connectionState()).toBe("open");
  const ending = realtime.disconnect();
  states.push(realtime.connectionState());
  await ending;
  states.push(realtime.connectionState());
  expect(states).toEqual(["closed", "connecting", "closing", "closed"]);
});

test("heartbeats are answered", async () => {
  const { realtime } = await testServer.clientFor("Ana", { realtime: { heartbeatIntervalMs: 100 } });
  const statuses: string[] = [];
  realtime.onHeartbeat((status) => statuses.push(status));
  realtime.connect();
  await expect.poll(() => statuses.filter((status) => status === "ok").length).toBeGreaterThan(1);
  expect(statuses).not.toContain("timeout");
});

test("a stopping server says so, and its clients reconnect to the next one by themselves", async () => {
  const first = await testServer.openInstance();
  const client = await testServer.clientFor("Ana", {
    instance: first,
    realtime: { reconnectAfterMs: () => 50 },
  });
  const statuses: string[] = [];
  const heard: unknown[] = [];
  const bare = await openSocket(first);
  const closing = once(bare, "close");
  client
    .channel("room", { config: { broadcast: { self: true } } })
    .on("broadcast", { event: "*" }, ({ payload }) => heard.push(payload))
    .subscribe((status) => void statuses.push(status));
  await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
  await first.close();
  const second = await testServer.openInstance({}, Number(new URL(first.url).port));
  await expect.poll(() => statuses).toEqual(["SUBSCRIBED", "CHANNEL_ERROR", "SUBSCRIBED"]);
  expect((await closing)[0]).toBe(1012);
  await client.getChannels()[0]?.send({ type: "broadcast", event: "word", payload: { n: 1 } });
  await expect.poll(() => heard).toEqual([{ n: 1 }]);
  await client.realtime.disconnect();
  await second.close();
});

test("rejoining a channel ends the previous join, and a message to a channel never joined gets a reply", async () => {
  const socket = await openSocket(testServer.instance);
  const frames: unknown[][] = [];
  socket.on("message", (data) => {
    const [, ref, , event, { status }] = JSON.parse(String(data));
    frames.push([event, ref, status]);
  });
  const send = (event: string, ref: string) =>
    socket.send(
      JSON.stringify([
        ref,
        ref,
        "realtime:room",
        event,
        { event: "word", payload: {}, config: { presence: {} } },
      ]),
    );
  send("broadcast", "0");
  send("phx_join", "1");
  send("phx_join", "2");
  send("phx_leave", "2");
  await expect
    .poll(() => frames)
    .toEqual([
      ["phx_reply", "0", "error"],
      ["phx_reply", "1", "ok"],
      ["phx_close", null, undefined],
      ["phx_reply", "2", "ok"],
      ["phx_reply", "2", "ok"],
      ["phx_close", null, undefined],
    ]);
  socket.close();
});

test("a join that waits for changes holds up no other channel, and is dropped once it is left or joined anew", async () => {
  const { query } = testServer.owner;
  await query("create table signals (id int primary key)");
  await query("alter publication supabase_realtime add table signals");
  const letIn = (isOpen: boolean) =>
    query("update pg_database set datallowconn = $1 where datname = current_database()", [String(isOpen)]);
  await letIn(false);
  onTestFinished(async () => void (await letIn(true)));
  await query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'change feed' and datname = current_database()",
  );
  const socket = await openSocket(testServer.instance);
  const frames: unknown[][] = [];
  socket.on("message", (data) => {
    const [, ref, topic, event, { status, response }] = JSON.parse(String(data));
    if (event !== "system")
      frames.push([topic.slice("realtime:".length), ref, status ?? event, response?.reason]);
  });
  const send = (topic: string, event: string, ref: string, timeout: number | null = null) => {
    const wait = {
      postgres_changes: [{ table: "signals" }],
      postgres_changes_options: { wait: true, timeout },
    };
    const payload = { config: { presence: {}, ...(timeout !== null && wait) } };
    socket.send(JSON.stringify([ref, ref, `realtime:${topic}`, event, payload]));
  };
  // Until the connection's end is noticed, the feed appears to be running.
  await expect
    .poll(() => {
      send("probe", "phx_join", "0", 1);
      return frames.splice(0).map(([, , , reason]) => reason);
    })
    .toContainEqual(expect.stringContaining("Timed out after 1ms"));
  send("late", "phx_join", "1", 300);
  send("left", "phx_join", "2", 300);
  send("again", "phx_join", "3", 300);
  send("left", "phx_leave", "2");
  send("again", "phx_join", "4");
  send("other", "phx_join", "5");
  const late =
    "PostgresChangesSubscribeTimeout: Timed out after 300ms waiting for the postgres_changes subscription";
  await expect
    .poll(() => frames.filter(([topic]) => topic !== "probe"))
    .toEqual([
      ["left", "2", "ok", undefined],
      ["left", null, "phx_close", undefined],
      ["again", "4", "ok", undefined],
      ["other", "5", "ok", undefined],
      ["late", "1", "error", late],
    ]);
  socket.close();
});

test("an open socket retains nothing of the request that opened it", async () => {
  const countRequests = () => queryObjects(IncomingMessage, { format: "count" });
  const before = countRequests();
  const sockets = await Promise.all(Array.from({ length: 20 }, shakeHands));
  await expect.poll(countRequests).toBeLessThan(before + sockets.length);
  for (const socket of sockets) socket.destroy();
});

/** The handshake alone, without a client library that retains its own half of the request. */
async function shakeHands(): Promise<Socket> {
  const socket = connect(Number(new URL(testServer.instance.url).port), "127.0.0.1");
  socket.write(
    [
      `GET /realtime/v1/websocket?apikey=${testServer.anonKey}&vsn=2.0.0 HTTP/1.1`,
      "host: localhost",
      "connection: upgrade",
      "upgrade: websocket",
      "sec-websocket-version: 13",
      `sec-websocket-key: ${randomBytes(16).toString("base64")}`,
      "\r\n",
    ].join("\r\n"),
  );
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

async function openSocket(instance: Instance): Promise<WebSocket> {
  const socket = new WebSocket(
    `${instance.url}/realtime/v1/websocket?apikey=${testServer.anonKey}&vsn=2.0.0`,
  );
  await once(socket, "open");
  return socket;
}
