import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { REQUEST_ID, readRequestId, runAsRequest } from "#backend/log/request-id.ts";
import { requireProgress } from "./require-progress.ts";

/** Headers of every response: browsers must not sniff content types. */
export const GUARDS: Readonly<Record<string, string>> = { "x-content-type-options": "nosniff" };

export type GuardedServerOptions = ServerOptions & {
  /** The header in which a trusted proxy passes the request id. */
  requestIdHeader?: string | null;
  /** What a 405 says about a method that Node does not pass on; by default, its name in a sentence. */
  refuseMethod?: (method: string) => Refusal;
  /** Milliseconds within which some of a request must arrive. */
  requestTimeout?: number;
};

/** What a refusal says besides its status. */
type Refusal = { headers: Readonly<Record<string, string | string[]>>; body: string };

/**
 * Maximum size of a request's head: a 64 KB URL, the longest any service accepts, plus 16 KB of headers, Node's
 * default.
 */
const HEAD_BYTES = 80 * 1024;
/**
 * Longer than the minute or two (Caddy) for which proxies keep an idle connection, so that none is closed as a request
 * arrives: they may not repeat a POST, and answer it with 502.
 */
const KEEP_ALIVE_MS = 125_000;
/** Node's defaults. */
const HEAD_MS = 60_000;
const REQUEST_MS = 300_000;

/**
 * Creates a Node server whose every response carries `guards` and the request id: those of listeners, those Node sends
 * itself, and rejections of malformed requests. A request must name one host, as RFC 9112 §3.2 requires.
 */
export function createGuardedServer(
  listener: RequestListener | null,
  guards: Readonly<Record<string, string>> = GUARDS,
  {
    requestIdHeader = null,
    refuseMethod = sayUnsupported,
    requestTimeout = REQUEST_MS,
    ...options
  }: GuardedServerOptions = {},
): Server {
  const server: Server = createServer({
    maxHeaderSize: HEAD_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Other offers, such as the `h2c` of Java's and curl's clients, are declined by ignoring them.
    shouldUpgradeCallback: ({ headers }) =>
      headers.upgrade?.toLowerCase() === "websocket" && server.listenerCount("upgrade") > 0,
    // Bodies are limited by their progress instead.
    requestTimeout: 0,
    headersTimeout: Math.min(HEAD_MS, requestTimeout),
    ...options,
    ServerResponse: guardedResponse(guards, requestIdHeader, endConnectionOnceClosing),
  });
  /** The client opens another connection for its next request, and to another host, if there are several. */
  function endConnectionOnceClosing(response: ServerResponse): void {
    if (!server.listening) response.shouldKeepAlive = false;
  }
  const refuseHost: RequestListener = (_, response) =>
    void response.writeHead(400, { connection: "close", "content-length": "0" }).end();
  server.on("request", (request, response) => {
    // Also at once: prepared content drops the header where the connection is kept.
    endConnectionOnceClosing(response);
    requireProgress(request, requestTimeout, () => refuse(request.socket, 408, guards));
  });
  if (listener) {
    server.on("request", (request, response) => {
      const answer = hasOneHost(request) ? listener : refuseHost;
      runAsRequest((response as Identified).requestId, () => answer(request, response));
    });
  }
  server.on("clientError", (error: ClientError, socket) => {
    const method = unknownMethod(error);
    if (method === null) refuse(socket, statusOf(error), guards);
    else refuse(socket, 405, guards, refuseMethod(method));
  });
  // Without a listener, Node would close the connection without a word.
  server.on("connect", (request, socket) => {
    const id = readRequestId(request.headers, requestIdHeader);
    if (hasOneHost(request)) refuse(socket, 405, guards, refuseMethod("CONNECT"), id);
    else refuse(socket, 400, guards, undefined, id);
  });
  return server;
}

const json = (body: unknown): Refusal => ({
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(body),
});

const sayUnsupported = (method: string) => json({ message: `Unsupported HTTP method: ${method}` });

/** Refuses a handshake, with a JSON body if there is more to say than the status. */
type RefuseUpgrade = (status: number, body?: unknown) => void;

/** Handles an HTTP upgrade and owns the socket from then on. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, refuse: RefuseUpgrade) => void;

/** Passes the server's upgrades on; refusals carry the guards like any other response. */
export function takeUpgrades(
  server: Server,
  upgrade: Upgrade,
  guards: Readonly<Record<string, string>> = GUARDS,
  requestIdHeader: string | null = null,
): void {
  server.on("upgrade", (request, socket, head) => {
    const id = readRequestId(request.headers, requestIdHeader);
    const refuseThis: RefuseUpgrade = (status, body) =>
      refuse(socket, status, guards, body === undefined ? undefined : json(body), id);
    if (hasOneHost(request)) runAsRequest(id, () => upgrade(request, socket, head, refuseThis));
    else refuseThis(400);
  });
}

/** The latest response on each connection, answered or not. */
const latestResponses = new WeakMap<Duplex, ServerResponse>();

/** Whether the client would take what is written now as the answer to what it sent last, and not as another's. */
function isTurnOfLast(socket: Duplex): boolean {
  const latest = latestResponses.get(socket);
  if (!latest) return true;
  const { req: request, socket: assigned, headersSent, writableEnded, closed } = latest;
  // While earlier responses are pending, a response has no socket yet.
  if (!request.complete) return assigned !== null && !headersSent;
  return closed || (assigned !== null && writableEnded);
}

/** Ends a connection that sends no valid HTTP, or fails before there is a response object to write to. */
function refuse(
  socket: Duplex,
  status: number,
  guards: Readonly<Record<string, string>>,
  { headers: own, body }: Refusal = { headers: {}, body: "" },
  id = readRequestId({}, null),
): void {
  // Node no longer listens on a socket that it has handed over; without a listener, a reset would end the process.
  socket.on("error", () => {});
  if (!socket.writable || !isTurnOfLast(socket)) return void socket.destroy();
  const headers = Object.entries({
    ...guards,
    [REQUEST_ID]: id,
    ...own,
    connection: "close",
    "content-length": String(Buffer.byteLength(body)),
  });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`, () => socket.destroy());
}

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

function statusOf({ code }: ClientError): number {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}

/** Longer methods are not echoed. */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]{1,64}) \S+ HTTP\/1\.[01]\r?\n/;

/** The method, if nothing is wrong with a request but that Node does not know its method. */
function unknownMethod({ code, rawPacket, bytesParsed = 0 }: ClientError): string | null {
  if (code !== "HPE_INVALID_METHOD" || !rawPacket) return null;
  // Node stops within the method, which other requests may precede in the same packet.
  const text = rawPacket.toString("latin1");
  return REQUEST_LINE.exec(text.slice(text.lastIndexOf("\n", bytesParsed) + 1))?.[1] ?? null;
}

/** Headers as `writeHead` takes them: an object, or a flat list of names and values. */
type Headers = Record<string, unknown> | string[];

type Identified = ServerResponse & { readonly requestId: string };

/**
 * The headers for a 304 response. Browsers would replace the cached copy's CSP by one sent here, whose script hashes
 * may not match the copy's scripts.
 */
export function headersOf304(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { "content-type": _type, "content-security-policy": _policy, ...kept } = headers;
  return kept;
}

/** A header list with the missing guards added; `lacksId` if its last entry is a slot for the request id. */
type GuardedList = { entries: string[]; lacksId: boolean };

function guardedResponse(
  guards: Readonly<Record<string, string>>,
  requestIdHeader: string | null,
  endConnectionOnceClosing: (response: ServerResponse) => void,
): typeof ServerResponse {
  // Cached pages reuse the same list for each response, so each list is processed only once.
  const lists = new WeakMap<string[], GuardedList>();

  const guardsOf304 = headersOf304(guards);
  const guardsOf = (status: number) => (status === 304 ? guardsOf304 : guards);

  function guard(list: string[], status: number): GuardedList {
    const names = new Set(list.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
    const lacking = Object.entries(guardsOf(status)).filter(([name]) => !names.has(name));
    const lacksId = !names.has(REQUEST_ID);
    const guarded = { entries: [...list, ...lacking.flat(), ...(lacksId ? [REQUEST_ID, ""] : [])], lacksId };
    lists.set(list, guarded);
    return guarded;
  }

  function withGuards(headers: Headers, status: number, id: string): Headers {
    if (!Array.isArray(headers)) return { ...guardsOf(status), [REQUEST_ID]: id, ...headers };
    const { entries, lacksId } = lists.get(headers) ?? guard(headers, status);
    // `writeHead` has copied the list when it returns, so that the next response may change it.
    if (lacksId) entries[entries.length - 1] = id;
    return entries;
  }

  class GuardedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    readonly requestId = readRequestId(this.req.headers, requestIdHeader);

    constructor(...given: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...given);
      latestResponses.set(this.req.socket, this);
    }

    override writeHead(status: number, phrase?: unknown, headers?: unknown): this {
      endConnectionOnceClosing(this);
      const [text, given] = typeof phrase === "string" ? [phrase, headers] : [undefined, phrase];
      const guarded = withGuards((given ?? {}) as Headers, status, this.requestId) as never;
      return text === undefined ? super.writeHead(status, guarded) : super.writeHead(status, text, guarded);
    }
  }
  return GuardedResponse as typeof ServerResponse;
}

/**
 * A name, IPv4 address or bracketed IPv6 address, with an optional port; an empty host is valid too (RFC 9112 §3.2).
 */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d{0,5})?$/i;

/** Whether a request names at most one host; Node itself rejects HTTP/1.1 requests without one. */
function hasOneHost({ headers, rawHeaders }: Pick<IncomingMessage, "headers" | "rawHeaders">): boolean {
  let named = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === "host") named++;
  }
  return named <= 1 && HOST.test(headers.host ?? "");
}
