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

/** What every answer says, whoever gives it: browsers shall not guess what a body is. */
export const GUARDS: Readonly<Record<string, string>> = { "x-content-type-options": "nosniff" };

export type GuardedServerOptions = ServerOptions & {
  /** The header in which a proxy that is trusted names each request. */
  requestIdHeader?: string | null;
};

/** Of a request's head: an URL of 64 KB, the longest that a service takes, and 16 KB of headers, what node itself allows. */
const HEAD_BYTES = 80 * 1024;

/**
 * A server of node's whose every answer carries `guards` and the request's id: those of listeners, those that node gives
 * by itself, and refusals of what is no request. A request must name one host, as RFC 9112 §3.2 asks.
 */
export function createGuardedServer(
  listener: RequestListener | null,
  guards: Readonly<Record<string, string>> = GUARDS,
  { requestIdHeader = null, ...options }: GuardedServerOptions = {},
): Server {
  const server = createServer({
    maxHeaderSize: HEAD_BYTES,
    ...options,
    ServerResponse: guardedResponse(guards, requestIdHeader),
  });
  const refuseHost: RequestListener = (_, response) =>
    void response.writeHead(400, { connection: "close", "content-length": "0" }).end();
  if (listener) {
    server.on("request", (request, response) => {
      const answer = hasOneHost(request) ? listener : refuseHost;
      runAsRequest((response as Identified).requestId, () => answer(request, response));
    });
  }
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuse(socket, statusOf(error), guards));
  return server;
}

/** Refuses a handshake, with a JSON body where there is more to say than the status. */
type RefuseUpgrade = (status: number, body?: unknown) => void;

/** Takes an HTTP upgrade; what follows on the socket is its own. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, refuse: RefuseUpgrade) => void;

/** Hands the server's upgrades over; a refusal is an answer with the guards like any other. */
export function takeUpgrades(
  server: Server,
  upgrade: Upgrade,
  guards: Readonly<Record<string, string>> = GUARDS,
  requestIdHeader: string | null = null,
): void {
  server.on("upgrade", (request, socket, head) => {
    const id = readRequestId(request.headers, requestIdHeader);
    const refuseThis: RefuseUpgrade = (status, body) => refuse(socket, status, guards, { id, body });
    if (hasOneHost(request)) runAsRequest(id, () => upgrade(request, socket, head, refuseThis));
    else refuseThis(400);
  });
}

/** Ends a connection that speaks no HTTP, or speaks it before there is an answer to write to. */
function refuse(
  socket: Duplex,
  status: number,
  guards: Readonly<Record<string, string>>,
  { id = readRequestId({}, null), body }: { id?: string; body?: unknown } = {},
): void {
  if (!socket.writable) return void socket.destroy();
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = Object.entries({
    ...guards,
    [REQUEST_ID]: id,
    ...(text && { "content-type": "application/json; charset=utf-8" }),
    connection: "close",
    "content-length": String(Buffer.byteLength(text)),
  });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${text}`, () => socket.destroy());
}

function statusOf({ code }: NodeJS.ErrnoException): number {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}

/** Headers as `writeHead` takes them: by name, or names and values in turn. */
type Headers = Record<string, unknown> | string[];

type Identified = ServerResponse & { readonly requestId: string };

/**
 * What the answer says that a client's copy is still right. Browsers would put a policy of it in the place of the copy's own,
 * and one that names hashes of other scripts would refuse those of the copy.
 */
export function headersOf304(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { "content-type": _type, "content-security-policy": _policy, ...kept } = headers;
  return kept;
}

/** A header list with the guards it lacks; `lacksId` where its last entry is to be the request's id. */
type GuardedList = { entries: string[]; lacksId: boolean };

function guardedResponse(
  guards: Readonly<Record<string, string>>,
  requestIdHeader: string | null,
): typeof ServerResponse {
  // Cached pages are sent with the same list each time, so each list is looked through and copied only once.
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
    // `writeHead` has read the list when it returns, so that the next answer may change it.
    if (lacksId) entries[entries.length - 1] = id;
    return entries;
  }

  class GuardedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    readonly requestId = readRequestId(this.req.headers, requestIdHeader);

    override writeHead(status: number, phrase?: unknown, headers?: unknown): this {
      const [text, given] = typeof phrase === "string" ? [phrase, headers] : [undefined, phrase];
      const guarded = withGuards((given ?? {}) as Headers, status, this.requestId) as never;
      return text === undefined ? super.writeHead(status, guarded) : super.writeHead(status, text, guarded);
    }
  }
  return GuardedResponse as typeof ServerResponse;
}

/** A name, an IPv4 address, or an IPv6 address in brackets, and maybe a port; nothing at all is a host too (RFC 9112 §3.2). */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d{0,5})?$/i;

/** Whether a request names one host, or none as before HTTP/1.1; node itself refuses a later one without. */
function hasOneHost({ headers, rawHeaders }: Pick<IncomingMessage, "headers" | "rawHeaders">): boolean {
  let named = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === "host") named++;
  }
  return named <= 1 && HOST.test(headers.host ?? "");
}
