import { once } from "node:events";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { listen } from "#tests/helpers/listen.ts";
import { closeServer } from "./close-server.ts";
import { createGuardedServer, takeUpgrades } from "./guarded-server.ts";

const guards = { "x-content-type-options": "nosniff", "strict-transport-security": "max-age=31536000" };
const list = ["content-length", "0", "vary", "x-content-type-options", "server-timing", "x-request-id"];
const ways: Record<string, (response: ServerResponse) => void> = {
  "/bare": (response) => void response.end(),
  "/named": (response) => void response.writeHead(404, { "content-length": "0" }).end(),
  "/phrase": (response) => void response.writeHead(418, "Teapot", { "content-length": "0" }).end(),
  "/pairs": (response) => void response.writeHead(500, ["content-length", "0"]).end(),
  "/list": (response) => void response.writeHead(200, list).end(),
  "/own-case": (response) =>
    void response.writeHead(200, ["X-Content-Type-Options", "nosniff", "content-length", "0"]).end(),
  "/traced": (response) => void response.writeHead(200, { "x-request-id": "own-id-0123" }).end(),
  "/set": (response) => void response.setHeader("etag", "a").writeHead(204).end(),
  "/guarded": (response) => void response.writeHead(200, { ...guards, "content-length": "0" }).end(),
};
const unfinished: Record<string, (response: ServerResponse) => void> = {
  "/begun": (response) => void response.writeHead(200, { "content-length": "10" }).write("begun"),
  "/later": () => {},
};
const answers = { ...ways, ...unfinished };
const server = createGuardedServer((request, response) => answers[request.url ?? ""]?.(response), guards, {
  requestIdHeader: "X-Trace",
  requestTimeout: 2_000,
  connectionsCheckingInterval: 20,
});
takeUpgrades(server, (_, __, ___, refuse) => refuse(401, { error: "No key" }), guards, "X-Trace");

const { port, close } = await listen(server);
afterAll(close);

/** Sends this text on a new connection, then `next` after each part of the answer; returns everything answered. */
async function send(text: string, ...next: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  let answer = "";
  for await (const part of socket.setEncoding("utf8")) {
    answer += part;
    const more = next.shift();
    if (more !== undefined) socket.write(more);
  }
  return answer;
}

/** Sends this text on a new connection; returns the head of the response. */
async function ask(text: string): Promise<string> {
  return (await send(text)).split("\r\n\r\n")[0] ?? "";
}

function expectGuards(head: string): void {
  const names = head.split("\r\n").map((line) => line.split(":")[0]?.toLowerCase());
  for (const guard of [...Object.keys(guards), "x-request-id"])
    expect(
      names.filter((name) => name === guard),
      head,
    ).toEqual([guard]);
}

const request = (path: string, hosts: string) => `GET ${path} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`;

test.each([
  ["two hosts", request("/bare", "Host: a.example\r\nHost: b.example\r\n")],
  ["one host twice", request("/bare", "Host: a.example\r\nhost: a.example\r\n")],
  ["a path for a host", request("/bare", "Host: a/b\r\n")],
  ["a host with a space", request("/bare", "Host: a b\r\n")],
  ["no host", request("/bare", "")],
  ["no HTTP", "so what\r\n\r\n"],
])("%s is answered 400, with the guards", async (_, text) => {
  const head = await ask(text);
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expectGuards(head);
});

test.each([
  ["OTHER", "OTHER / HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["get", "get / HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["GETTER", "\r\nGETTER /a?b=c HTTP/1.0\r\n\r\n"],
  ["CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n"],
])("the method %s is refused by its name, with the guards", async (method, text) => {
  const [head = "", body = ""] = (await send(text)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  expectGuards(head);
  expect(JSON.parse(body)).toEqual({ message: `Unsupported HTTP method: ${method}` });
});

const REFUSED = [
  ["a method", "OTHER / HTTP/1.1\r\nHost: a\r\n\r\n", 405],
  ["CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n", 405],
  ["a handshake", "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 401],
  ["no HTTP", "so what\r\n\r\n", 400],
] as const;

test.each(REFUSED)(
  "%s refused in a packet after another request follows its response",
  async (_, text, status) => {
    const answer = await send(`HEAD /named HTTP/1.1\r\nHost: a\r\n\r\n${text}`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 404 [\\s\\S]*HTTP/1\\.1 ${status} `));
  },
);

test.each(REFUSED)(
  "%s is never refused in place of another request's response, nor within it",
  async (_, text) => {
    expect(await send(`GET /later HTTP/1.1\r\nHost: a\r\n\r\n${text}`)).toBe("");
    expect(await send("GET /begun HTTP/1.1\r\nHost: a\r\n\r\n", text)).toMatch(/\r\n\r\nbegun$/);
    const two = "GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET /bare HTTP/1.1\r\nHost: a\r\n\r\n";
    expect(await send(two + text)).toBe("");
  },
);

test("an idle connection outlasts those that proxies keep, and an offer other than a websocket is no handshake", async () => {
  const socket = connect(port, "127.0.0.1");
  socket
    .setEncoding("utf8")
    .write(
      "GET /named HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
    );
  let answer = "";
  for await (const part of socket) {
    answer += part;
    if (answer.includes("\r\n\r\n")) break;
  }
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  expect(answer).toMatch(/\r\nKeep-Alive: timeout=125\r\n/i);
});

test("a server closes as soon as its last request is answered, whatever connections are kept", async () => {
  const answering = Promise.withResolvers<ServerResponse>();
  const closing = createGuardedServer((_, response) => answering.resolve(response));
  const { url } = await listen(closing);
  const agent = new Agent({ keepAlive: true });
  const asked = once(get(url, { agent }), "response");
  const response = await answering.promise;
  const sockets = vi.fn();
  const closed = closeServer(closing, sockets);
  expect(sockets).toHaveBeenCalledOnce();
  response.end("late");
  const [answer] = (await asked) as [IncomingMessage];
  expect(await answer.toArray()).toHaveLength(1);
  await closed;
  agent.destroy();
});

test("a request that comes on a kept connection while the server closes is answered, and the client is told to leave", async () => {
  const answers: ServerResponse[] = [];
  const closing = createGuardedServer((_, response) => void answers.push(response));
  const { port: place } = await listen(closing);
  const asking = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  const client = connect(place, "127.0.0.1", () => client.write(asking)).setEncoding("utf8");
  const answer = async () => {
    await expect.poll(() => answers).toHaveLength(1);
    answers.pop()?.end();
    return String(await once(client, "data"));
  };
  expect(await answer()).toMatch(/\r\nconnection: keep-alive\r\n/i);
  const closed = closeServer(closing);
  client.write(asking);
  // The machine may keep the process from reading for longer than it waits.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
  expect(await answer()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n/i);
  await once(client, "close");
  await closed;
});

test("a response that was under way when the server began to close tells the client to leave", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<ServerResponse>();
  const closing = createGuardedServer((_, response) => begin(response));
  const { url } = await listen(closing);
  const agent = new Agent({ keepAlive: true });
  const asked = once(get(url, { agent }), "response");
  const response = await begun;
  const closed = closeServer(closing);
  response.end();
  const [answer] = (await asked) as [IncomingMessage];
  expect(answer.headers.connection).toBe("close");
  answer.resume();
  await closed;
  agent.destroy();
});

const uploadTo = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;

test.each([
  ["invalid", "so what\r\n", 400],
  ["not sent in time", "2\r\nso", 408],
])("a body that is %s is refused, unless its response has begun", async (_, body, status) => {
  const [alone, begun, ended, second] = await Promise.all([
    send(uploadTo("/later") + body),
    send(uploadTo("/begun"), body),
    send(uploadTo("/named"), body),
    send(`GET /later HTTP/1.1\r\nHost: a\r\n\r\n${uploadTo("/later")}${body}`),
  ]);
  expect(alone).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(begun).toMatch(/\r\n\r\nbegun$/);
  expect(ended).toMatch(/^HTTP\/1\.1 404 [^/]*\r\n\r\n$/);
  expect(second).toBe("");
});

test.each([
  ["of more than 64 characters", `${"X".repeat(65)} / HTTP/1.1\r\nHost: a\r\n\r\n`],
  ["that is no token", "S(O / HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["without an address", "OTHER HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["of another protocol", "OTHER / RTSP/1.0\r\n\r\n"],
  ["CONNECT with two hosts", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
])("a method %s is not repeated", async (_, text) => {
  const answer = await send(text);
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\n[\s\S]*\r\n\r\n$/);
  expectGuards(answer.trimEnd());
});

test.each(["a.example", "localhost:3000", "127.0.0.1", "[::1]:80", ""])(
  "the host %j is valid",
  async (host) => {
    expect(await ask(request("/bare", `Host: ${host}\r\n`))).toMatch(/^HTTP\/1\.1 200 /);
  },
);

test.each(Object.keys(ways))("a response written as %s has each guard once", async (path) => {
  expectGuards(await ask(request(path, "Host: a\r\n")));
});

test.each([
  ["a handshake that is refused", "/", "Host: a\r\n", 401],
  ["a handshake that names two hosts", "/", "Host: a\r\nHost: b\r\n", 400],
])("%s carries the guards too", async (_, path, hosts, status) => {
  const upgrade = `GET ${path} HTTP/1.1\r\n${hosts}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  const head = await ask(upgrade);
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expectGuards(head);
});

test("a request has the id from the trusted header, if it is well-formed", async () => {
  const idOf = async (header: string) =>
    /x-request-id: (.*)/.exec(await ask(request("/bare", `Host: a\r\n${header}\r\n`)))?.[1];
  expect(await idOf("X-Trace: trace-0123456789")).toBe("trace-0123456789");
  expect(await idOf("X-Trace: no")).toMatch(/^[\w-]{12}$/);
  expect(await idOf("X-Request-Id: trace-0123456789")).toMatch(/^[\w-]{12}$/);
});

test("responses that share a header list each have their own request id, and leave the list unchanged", async () => {
  const before = [...list];
  const ids = ["trace-first-000", "trace-second-00"];
  for (const id of ids) {
    expect(await ask(request("/list", `Host: a\r\nX-Trace: ${id}\r\n`))).toContain(`x-request-id: ${id}`);
  }
  expect(list).toEqual(before);
});

test("a head that is too long is refused with the guards", async () => {
  const head = await ask(request("/bare", `Host: a\r\nX: ${"x".repeat(100_000)}\r\n`));
  expect(head).toMatch(/^HTTP\/1\.1 431 /);
  expectGuards(head);
});
