import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { signToken } from "#backend/tokens/sign-token.ts";
import {
  type Instance,
  openRealtime,
  type RealtimeTestServer,
  subscribe,
} from "#tests/helpers/realtime/realtime-server.ts";

const now = () => Math.floor(Date.now() / 1_000);
let testServer: RealtimeTestServer;
let narrow: Instance;

beforeAll(async () => {
  testServer = await openRealtime();
  narrow = await testServer.openInstance({
    maxChannelsPerClient: 2,
    maxEventsPerSecond: 20,
    maxPayloadBytes: 4_000,
    maxConnectionsPerAddress: 3,
    maxBufferedBytes: 100_000,
    idleTimeoutMs: 1_500,
    maxPresenceCalls: 2,
  });
});
afterAll(() => testServer.close());

const socketUrl = (instance: Instance, query: string) => `${instance.url}/realtime/v1/websocket?${query}`;

/** A bare socket without a client library. */
function knock(instance: Instance, query = `apikey=${testServer.anonKey}&vsn=2.0.0`): WebSocket {
  const socket = new WebSocket(socketUrl(instance, query));
  socket.on("error", () => {});
  return socket;
}

async function refusalOf(url: string): Promise<string> {
  const socket = new WebSocket(url);
  socket.on("error", () => {});
  const [, answer] = await once(socket, "unexpected-response");
  const chunks = await answer.toArray();
  return `${answer.statusCode} ${Buffer.concat(chunks)}`;
}

async function closingOf(socket: WebSocket): Promise<string> {
  const [code, reason] = await once(socket, "close");
  return `${code} ${reason}`;
}

async function open(instance: Instance): Promise<WebSocket> {
  const socket = knock(instance);
  await once(socket, "open");
  return socket;
}

/** A busy machine logs other lines too, such as about processes not heard from for long. */
const CUT_OFF = "realtime: a client that reads too slowly was disconnected";

describe("a handshake is refused", () => {
  test("without a valid key, with the reason as JSON", async () => {
    const expired = await testServer.tokenFor("Ana", { exp: now() - 10 });
    const forged = await signToken(
      { role: "service_role" },
      "another project's secret of thirty-two characters",
    );
    const refusal = (query: string) => refusalOf(socketUrl(testServer.instance, query));
    expect(await refusal("vsn=2.0.0")).toBe('401 {"error":"MissingAPIKey: No API key found"}');
    expect(await refusal("apikey=abc")).toBe(
      '401 {"error":"MalformedJWT: The token provided is not a valid JWT"}',
    );
    expect(await refusal(`apikey=${expired}`)).toBe('401 {"error":"InvalidJWTToken: Token has expired"}');
    expect(await refusal(`apikey=${forged}`)).toBe(
      '401 {"error":"JwtSignatureError: Failed to validate JWT signature"}',
    );
  });

  test("for an unknown protocol version or path, and for a plain HTTP request", async () => {
    expect(await refusalOf(socketUrl(testServer.instance, `apikey=${testServer.anonKey}&vsn=9.0.0`))).toMatch(
      /^400 /,
    );
    expect(await refusalOf(`${testServer.instance.url}/realtime/v1/elsewhere`)).toMatch(/^404 /);
    const plain = await fetch(socketUrl(testServer.instance, `apikey=${testServer.anonKey}`));
    expect(plain.status).toBe(404);
  });

  test("beyond the connection limit of one address, until a connection closes", async () => {
    const sockets = [await open(narrow), await open(narrow), await open(narrow)];
    expect(await refusalOf(socketUrl(narrow, `apikey=${testServer.anonKey}`))).toBe(
      '429 {"error":"ConnectionRateLimitReached: Too many connections from this address"}',
    );
    const [first] = sockets;
    first?.close();
    if (first) await once(first, "close");
    await expect.poll(() => open(narrow).then((socket) => socket.close())).toBeUndefined();
    for (const socket of sockets) socket.terminate();
  });

  test("beyond the limit of one IPv6 network, however many addresses it has", async () => {
    const instance = await testServer.openInstance({
      maxConnectionsPerAddress: 1,
      maxHttpMessagesPerSecond: 1,
      addressHeader: "x-real-ip",
    });
    const connect = (address: string) =>
      new Promise<number>((resolve) => {
        const headers = { "x-real-ip": address };
        const socket = new WebSocket(socketUrl(instance, `apikey=${testServer.anonKey}`), { headers });
        socket.on("open", () => resolve(101));
        socket.on("unexpected-response", (_, { statusCode = 0 }) => resolve(statusCode));
      });
    expect(await connect("2001:db8:0:1::1")).toBe(101);
    expect(await connect("2001:db8:0:1::2")).toBe(429);
    expect(await connect("2001:db8:0:2::1")).toBe(101);
    const say = async (address: string) => {
      const path = "/realtime/v1/api/broadcast/room/events/word";
      const headers = { apikey: testServer.anonKey, "x-real-ip": address };
      return (await fetch(`${instance.url}${path}`, { method: "POST", headers, body: "{}" })).status;
    };
    const answers = await Promise.all(["2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:2::1"].map(say));
    expect(answers.toSorted()).toEqual([202, 202, 429]);
    await instance.close();
  });
});

describe("a channel is refused", () => {
  const refusal = async (token: string) => {
    const client = await testServer.clientFor(null, { token });
    return subscribe(client.channel("room"));
  };

  test("with a foreign, expired or malformed token", async () => {
    const stranger = await signToken(
      { role: "authenticated", exp: now() + 60 },
      "another project's secret of thirty-two characters",
    );
    expect(await refusal(stranger)).toBe("CHANNEL_ERROR JwtSignatureError: Failed to validate JWT signature");
    expect(await refusal(await testServer.tokenFor("Ana", { exp: now() - 10 }))).toBe(
      "CHANNEL_ERROR InvalidJWTToken: Token has expired",
    );
    expect(await refusal("nonsense")).toBe(
      "CHANNEL_ERROR MalformedJWT: The token provided is not a valid JWT",
    );
  });

  test("beyond the channel limit of one connection", async () => {
    const client = await testServer.clientFor("Ana", { instance: narrow });
    const statuses = [];
    for (const name of ["one", "two", "three"]) statuses.push(await subscribe(client.channel(name)));
    expect(statuses).toEqual([
      "SUBSCRIBED",
      "SUBSCRIBED",
      "CHANNEL_ERROR ChannelRateLimitReached: Too many channels",
    ]);
    await client.realtime.disconnect();
  });

  test("with a name that PostgreSQL rejects, without disturbing a concurrent join", async () => {
    const client = await testServer.clientFor("Ana");
    const config = { config: { private: true } };
    const [odd, half, good] = await Promise.all(
      ["a\0b", "\ud800", "chat"].map((name) => subscribe(client.channel(name, config))),
    );
    expect([odd, half]).toEqual(Array(2).fill(expect.stringMatching(/^CHANNEL_ERROR TopicNameRequired/)));
    expect(good).toBe("SUBSCRIBED");
  });
});

test("a channel ends with a reason when its token expires", async () => {
  const token = await testServer.tokenFor("Ana", { exp: now() + 2 });
  const client = await testServer.clientFor(null, { token });
  const notices: unknown[] = [];
  const statuses: string[] = [];
  client
    .channel("room")
    .on("system", {}, ({ extension, status, message }) => notices.push({ extension, status, message }))
    .subscribe((status) => void statuses.push(status));
  await expect.poll(() => statuses).toEqual(["SUBSCRIBED", "CLOSED"]);
  expect(notices).toEqual([
    { extension: "system", status: "error", message: "InvalidJWTToken: Token has expired" },
  ]);
});

describe("a connection ends, and the process survives,", () => {
  test("when the key it was opened with expires", async () => {
    const key = await testServer.tokenFor("Ana", { exp: now() + 2 });
    const socket = knock(testServer.instance, `apikey=${key}&vsn=2.0.0`);
    expect(await closingOf(socket)).toBe("1008 InvalidJWTToken: Token has expired");
  });

  test("but not a healthy one, when the system clock is set ahead", async () => {
    const steady = await open(testServer.instance);
    const closed = closingOf(steady);
    const key = await testServer.tokenFor("Ana", { exp: now() + 300 });
    const ending = knock(testServer.instance, `apikey=${key}&vsn=2.0.0`);
    await once(ending, "open");
    const real = Date.now;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => real() + 600_000);
    try {
      // Both are swept in the same pass, and this one's key has expired by that clock.
      expect(await closingOf(ending)).toBe("1008 InvalidJWTToken: Token has expired");
    } finally {
      clock.mockRestore();
    }
    const answered = once(steady, "message");
    steady.send(JSON.stringify([null, "1", "phoenix", "heartbeat", {}]));
    expect(await Promise.race([answered.then(String), closed])).toContain('"ok"');
    steady.close();
  });

  test("after meaningless bytes", async () => {
    for (const nonsense of ["{", "[]", '["1"]', "null", Buffer.from([3, 255, 0, 0, 0, 0, 1])]) {
      const socket = await open(testServer.instance);
      socket.send(nonsense);
      expect(await closingOf(socket)).toBe("1007 The frame is not of this protocol");
    }
  });

  test("after half a frame", async () => {
    const socket = await open(narrow);
    (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(
      Buffer.from([0x81, 0xfe]),
    );
    expect(await closingOf(socket)).toBe("1006 ");
  });

  test("after a frame that is too large", async () => {
    const socket = await open(narrow);
    socket.send("x".repeat(5_000));
    expect(await closingOf(socket)).toMatch(/^1009/);
  });

  test("after silence without a heartbeat", async () => {
    const socket = await open(narrow);
    expect(await closingOf(socket)).toBe("1006 ");
  });

  test("after a flood: first the channel, with a message, then the connection", async () => {
    const socket = await open(narrow);
    const frames: string[] = [];
    socket.on("message", (data) => frames.push(String(data)));
    socket.send(JSON.stringify(["1", "1", "realtime:room", "phx_join", { config: {} }]));
    await expect.poll(() => frames.some((frame) => frame.includes('"ok"'))).toBe(true);
    for (let n = 0; n < 100; n++)
      socket.send(
        JSON.stringify(["1", String(n), "realtime:room", "broadcast", { event: "x", payload: {} }]),
      );
    expect(await closingOf(socket)).toBe("1008 Too many messages per second");
    const system = frames.find((frame) => frame.includes('"system"')) ?? "";
    expect(JSON.parse(system)[4]).toMatchObject({ status: "error", message: "Too many messages per second" });
    expect(frames.filter((frame) => frame.includes("phx_close")).length).toBe(1);
    expect(JSON.parse(frames.at(-1) ?? "")[4]).toEqual({
      status: "error",
      response: { reason: "Too many messages per second" },
    });
  });

  test("if it reads so slowly that messages pile up, while others receive everything", async () => {
    const lines: string[] = [];
    const instance = await testServer.openInstance({
      maxBufferedBytes: 100_000,
      log: (line) => void lines.push(line),
    });
    const slow = await open(instance);
    slow.send(JSON.stringify(["1", "1", "realtime:busy", "phx_join", { config: {} }]));
    await once(slow, "message");
    slow.pause();
    let heard = 0;
    const client = await testServer.clientFor("Ana", { instance });
    const quick = client.channel("busy").on("broadcast", { event: "*" }, () => void heard++);
    expect(await subscribe(quick)).toBe("SUBSCRIBED");
    const message = { topic: "busy", event: "word", payload: { text: "x".repeat(100_000) } };
    for (let sent = 1; sent <= 150; sent++) {
      const answer = await fetch(`${instance.url}/realtime/v1/api/broadcast`, {
        method: "POST",
        headers: { apikey: testServer.anonKey, "content-type": "application/json" },
        body: JSON.stringify({ messages: [message] }),
      });
      expect(answer.status).toBe(202);
    }
    await expect.poll(() => heard).toBe(150);
    const closing = closingOf(slow);
    slow.resume();
    expect(await closing).toBe("1006 ");
    expect(lines).toContain(CUT_OFF);
  });

  test("if it reads nothing of what is buffered for it", async () => {
    const lines: string[] = [];
    const instance = await testServer.openInstance({
      stalledTimeoutMs: 100,
      log: (line) => void lines.push(line),
    });
    const slow = await open(instance);
    slow.send(JSON.stringify(["1", "1", "realtime:busy", "phx_join", { config: {} }]));
    await once(slow, "message");
    slow.pause();
    const speaker = (await testServer.clientFor("Ana", { instance })).channel("busy");
    expect(await subscribe(speaker)).toBe("SUBSCRIBED");
    const payload = { text: "x".repeat(2_900_000) };
    for (let sent = 1; sent <= 6; sent++) await speaker.send({ type: "broadcast", event: "word", payload });
    await expect.poll(() => lines).toContain(CUT_OFF);
    slow.terminate();
  });

  test("but never one that keeps reading, however large the messages that arrive at once", async () => {
    const lines: string[] = [];
    const instance = await testServer.openInstance({ log: (line) => void lines.push(line) });
    let heard = 0;
    // Not the channel of the test before, whose last messages may still arrive from its process.
    const reader = (await testServer.clientFor("Ben", { instance })).channel("big");
    reader.on("broadcast", { event: "*" }, () => void heard++);
    const speaker = (await testServer.clientFor("Ana", { instance })).channel("big");
    expect([await subscribe(reader), await subscribe(speaker)]).toEqual(["SUBSCRIBED", "SUBSCRIBED"]);
    const payload = { text: "x".repeat(2_900_000) };
    for (let sent = 1; sent <= 10; sent++) void speaker.send({ type: "broadcast", event: "word", payload });
    await expect.poll(() => heard).toBe(10);
    expect(lines).not.toContain(CUT_OFF);
  });

  test("or only its channel, after too many presence updates", async () => {
    const client = await testServer.clientFor("Ana", { instance: narrow });
    const statuses: string[] = [];
    const channel = client.channel("here");
    await new Promise((resolve) => channel.subscribe((status) => resolve(statuses.push(status))));
    for (const n of [1, 2, 3]) void channel.track({ n });
    await expect.poll(() => statuses).toEqual(["SUBSCRIBED", "CLOSED"]);
  });
});
