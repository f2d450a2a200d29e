import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setImmediate as takeTurns } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "#tests/helpers/listen.ts";
import { withClientNetwork } from "./client-network.ts";
import { withCors } from "./cors.ts";
import { createGuardedServer } from "./guarded-server.ts";
import { fromHeaderText, toHeaderText } from "./header-text.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "./http-message.ts";
import { toFetch } from "./to-fetch.ts";
import { toNode } from "./to-node.ts";
import { wholeBody } from "./whole-body.ts";

/** Takes bodies of ten bytes. */
const handlerOf = (handle: HttpHandler["handle"]): HttpHandler => ({ handle, bodyAt: () => 10 });

const echo = handlerOf(async (request) => {
  const { method, url, headers } = request;
  const body = wholeBody(request, (limit) => new Error(`at most ${limit}`));
  return {
    status: url === "/none" ? 204 : 200,
    headers: { "content-type": "application/json", "x-many": ["a", "b"], "x-town": toHeaderText("Łódź") },
    body:
      url === "/none"
        ? null
        : JSON.stringify({
            method,
            url,
            agent: headers["x-agent"],
            body: body && new TextDecoder().decode(body),
          }),
  };
});
/** Refuses in its own format, as each service does. */
const wordy: HttpHandler = {
  ...echo,
  handle: (request) =>
    echo.handle(request).catch((cause: Error) => ({ status: 413, headers: {}, body: cause.message })),
};
const server = createServer(toNode(wordy));
let base = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const adapters: [name: string, adapter: (request: Request) => Promise<Response>][] = [
  ["node", (request) => fetch(request)],
  ["fetch", toFetch(wordy)],
];

describe.each(adapters)("through %s", (_name, adapter) => {
  test("a body beyond the limit is refused in the handler's own format, with or without a content length", async () => {
    const told = await adapter(new Request(`${base}/x`, { method: "POST", body: "12345678901" }));
    expect([told.status, await told.text()]).toEqual([413, "at most 10"]);
    const body = new Blob(["12345678901"]).stream();
    const untold = await adapter(
      new Request(`${base}/x`, { method: "POST", body, duplex: "half" } as RequestInit),
    );
    expect(untold.status).toBe(413);
  });

  test("method, URL, headers and body arrive, and the response has its exact length", async () => {
    const response = await adapter(
      new Request(`${base}/p%20q?a=b%2Cc#frag`, { method: "POST", headers: { "X-Agent": "me" }, body: "hé" }),
    );
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({ method: "POST", url: "/p%20q?a=b%2Cc", agent: "me", body: "hé" });
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(response.headers.get("x-many")).toBe("a, b");
    expect(fromHeaderText(response.headers.get("x-town") ?? "")).toBe("Łódź");
  });

  test("HEAD and 204 have neither body nor length", async () => {
    const head = await adapter(new Request(`${base}/x`, { method: "HEAD" }));
    expect([head.status, await head.text(), head.headers.get("content-length")]).toEqual([200, "", null]);
    const none = await adapter(new Request(`${base}/none`));
    expect([none.status, await none.text(), none.headers.get("content-length")]).toEqual([204, "", null]);
  });
});

test("a client that disconnects mid-body does no harm", async () => {
  const request = sendRequest(`${base}/x`, { method: "POST", headers: { "content-length": "9" } });
  request.on("error", () => {});
  request.write("123");
  await new Promise((resolve) => setTimeout(resolve, 50));
  request.destroy();
  expect((await fetch(`${base}/x`)).status).toBe(200);
});

test("what a response would have sent is closed if it cannot be sent", async () => {
  const streams: Readable[] = [];
  const handler = handlerOf(async ({ url }) => {
    if (url === "/") return { status: 200, headers: {}, body: null };
    const stream = new Readable({ read() {} });
    streams.push(stream);
    return { status: url === "/x" ? Number.NaN : 200, headers: {}, body: null, stream };
  });
  const broken = createServer((request, response) => {
    if (request.url === "/left") response.destroy();
    toNode(handler)(request, response);
  });
  const { url, close } = await listen(broken);
  expect((await fetch(`${url}/x`)).status).toBe(500);
  await expect(fetch(`${url}/left`)).rejects.toThrow();
  await expect(toFetch(handler)(new Request(`${url}/x`))).rejects.toThrow();
  expect((await fetch(url)).status).toBe(200);
  await expect.poll(() => streams.map(({ closed }) => closed)).toEqual([true, true, true]);
  await close();
});

test.each<[what: string, answer: () => HttpResponse]>([
  ["an impossible status", () => ({ status: Number.NaN, headers: {}, body: null })],
  [
    "a header that Node refuses",
    () => ({ status: 200, headers: { "x-a": "a", "x-b": "\u0142" }, body: "a" }),
  ],
  ["a reason that Node refuses", () => ({ status: 200, statusText: "\n", headers: {}, body: "a" })],
  [
    "no response at all",
    () => {
      throw new Error("a defect");
    },
  ],
])("%s is answered with an error and logged", async (_what, answer) => {
  const lines: string[] = [];
  const broken = createGuardedServer(
    toNode(
      handlerOf(async () => answer()),
      (line) => lines.push(line),
    ),
  );
  await once(broken.listen(0, "127.0.0.1"), "listening");
  const { port } = broken.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect([response.status, response.statusText, await response.text()]).toEqual([
    500,
    "Internal Server Error",
    "",
  ]);
  expect(response.headers.has("x-a")).toBe(false);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(lines).toEqual([expect.stringContaining("could not be sent")]);
  await new Promise((resolve) => broken.close(resolve));
});

describe("a handler that takes streams", () => {
  const counting: HttpHandler = {
    bodyAt: (url) => (url.startsWith("/stream/") ? "stream" : 10),
    async handle({ stream, url, body }) {
      let size = 0;
      if (url !== "/stream/refused") for await (const chunk of stream ?? []) size += (chunk as Buffer).length;
      const text = JSON.stringify({ size, body });
      return { status: 200, headers: {}, body: null, stream: Readable.from([Buffer.from(text)]) };
    },
  };
  const wrapped = withCors(counting, () => null);
  const streaming = createServer(toNode(wrapped));
  const address = () => `http://127.0.0.1:${(streaming.address() as AddressInfo).port}`;
  beforeAll(async () => void (await once(streaming.listen(0, "127.0.0.1"), "listening")));
  afterAll(() => new Promise((resolve) => streaming.close(resolve)));
  const send = (adapter: (request: Request) => Promise<Response>, path: string, bytes: number) =>
    adapter(new Request(`${address()}${path}`, { method: "POST", body: Buffer.alloc(bytes) }));

  test.each([
    ["node", (request: Request) => fetch(request)],
    ["fetch", toFetch(wrapped)],
  ])(
    "through %s gets unbuffered bodies of any length, on its paths only, and streams its response",
    async (_, adapter) => {
      expect(await (await send(adapter, "/stream/a", 500_000)).json()).toEqual({ size: 500_000, body: null });
      expect(await (await send(adapter, "/plain", 5)).json()).toEqual({
        size: 0,
        body: { type: "Buffer", data: [0, 0, 0, 0, 0] },
      });
      expect(await (await send(adapter, "/plain", 11)).json()).toEqual({ size: 0, body: { limit: 10 } });
    },
  );

  test("may answer before the body's end, and the client can still read the response", async () => {
    const answer = await send((request) => fetch(request), "/stream/refused", 5_000_000);
    expect(await answer.json()).toEqual({ size: 0, body: null });
  });

  test("an endless body costs its sender the connection, after the response", async () => {
    // Yields to others between chunks: `fetch` never stops pulling if the connection is lost first.
    const endless = new ReadableStream({
      pull: async (controller) => controller.enqueue(await takeTurns(Buffer.alloc(1_000_000))),
    });
    const request = { method: "POST", body: endless, duplex: "half" } as RequestInit;
    const answer = await fetch(`${address()}/stream/refused`, request).catch(() => null);
    expect(answer?.headers.get("connection") ?? "close").toBe("close");
    expect((await send((one) => fetch(one), "/stream/a", 1)).status).toBe(200);
  });

  test("a response that fails midway is cut, not ended", async () => {
    const broken = createServer(
      toNode(
        handlerOf(async () => ({
          status: 200,
          headers: { "content-length": "10" },
          body: null,
          stream: Readable.from(
            (async function* () {
              yield Buffer.from("half");
              throw new Error("the disk is gone");
            })(),
          ),
        })),
      ),
    );
    const { url, close } = await listen(broken);
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
    await close();
  });
});

describe("cross-origin calls", () => {
  const EXPOSED = "access-control-expose-headers";
  const preflight = { origin: "https://site.example", "access-control-request-method": "PATCH" };
  const ask = (handler: HttpHandler, method: string, headers: Record<string, string>) =>
    handler.handle({ method, url: "/x", headers, body: null });

  test("are answered for every origin, with the client's headers allowed and the response's exposed", async () => {
    const open = withCors(echo, () => null);
    const answer = await ask(open, "OPTIONS", {
      ...preflight,
      "access-control-request-headers": "apikey,x-client-info, tus-resumable,no name",
    });
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    expect(answer.headers["access-control-allow-headers"]).toBe(
      "Authorization, apikey, x-client-info, tus-resumable, Accept, Accept-Language, Content-Language",
    );
    expect(String(answer.headers["access-control-allow-methods"])).toContain("PATCH");
    const real = await ask(open, "GET", { origin: "https://site.example" });
    const exposed = String(real.headers[EXPOSED]).split(",");
    expect(exposed).toContain("Content-Range");
    expect(new Set(exposed).size).toBe(exposed.length);
    const exposedOf = async (headers: Record<string, string>) => {
      const answering = withCors(
        handlerOf(async () => ({ status: 503, headers, body: null })),
        () => null,
      );
      return (await ask(answering, "GET", { origin: "https://site.example" })).headers[EXPOSED];
    };
    const busy = { "x-relay-error": "true", "retry-after": "1", "content-type": "text/plain", vary: "a" };
    expect(await exposedOf(busy)).toBe(`${await exposedOf({})},x-relay-error,retry-after`);
  });

  test("are limited to the listed origins, if there is a list", async () => {
    const closed = withCors(echo, () => ["https://site.example"]);
    expect((await ask(closed, "OPTIONS", preflight)).headers["access-control-allow-origin"]).toBe(
      "https://site.example",
    );
    const stranger = await ask(closed, "OPTIONS", { ...preflight, origin: "https://evil.example" });
    expect(stranger.headers["access-control-allow-origin"]).toBeUndefined();
    expect(
      (await ask(closed, "GET", { origin: "https://evil.example" })).headers["access-control-allow-origin"],
    ).toBeUndefined();
  });

  test("vary by origin wherever only some origins are allowed", async () => {
    const varying = handlerOf(async () => ({ status: 200, headers: { vary: "Accept" }, body: null }));
    for (const [origins, added] of [
      [null, undefined],
      [["https://site.example"], "Origin"],
    ] as const) {
      const limited = (handler: HttpHandler) => withCors(handler, () => origins);
      for (const origin of ["https://site.example", "https://evil.example", undefined]) {
        const headers: Record<string, string> = origin ? { ...preflight, origin } : {};
        expect((await ask(limited(echo), "GET", headers)).headers.vary).toBe(added);
        expect((await ask(limited(echo), "OPTIONS", headers)).headers.vary).toBe(added);
        const both = added ? "Accept, Origin" : "Accept";
        expect((await ask(limited(varying), "GET", headers)).headers.vary).toBe(both);
      }
    }
  });

  test("a plain OPTIONS reaches the service", async () => {
    expect(
      String(
        (
          await ask(
            withCors(echo, () => null),
            "OPTIONS",
            { origin: "https://a.example" },
          )
        ).body,
      ),
    ).toContain("OPTIONS");
  });
});

test("a client that disconnects at once still counts as a remote one and is not trusted", async () => {
  const seen: HttpRequest[] = [];
  const listener = toNode(
    handlerOf(async (request) => {
      seen.push(withClientNetwork(request, null));
      return { status: 200, headers: {}, body: null };
    }),
  );
  const impatient = createServer((request, response) => {
    request.socket.destroy();
    listener(request, response);
  }).listen(0, "127.0.0.1");
  await once(impatient, "listening");
  const { port } = impatient.address() as AddressInfo;
  const headers = { "x-client-network": "203.0.113.1" };
  await expect(fetch(`http://127.0.0.1:${port}/`, { headers })).rejects.toThrow();
  expect(seen).toEqual([expect.objectContaining({ remoteAddress: "0.0.0.0" })]);
  expect(seen[0]?.headers["x-client-network"]).toBe("0.0.0.0");
  impatient.close();
});
