import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { registerHooks } from "node:module";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { pathToFileURL } from "node:url";
import { createDeno, type Handler, requireHandler } from "./deno.ts";
import { createResolver } from "./resolve-imports.ts";

// What a worker process runs: the function named first, with the packages of the folder named second. Requests come one
// by one on the connection that it was born with; it ends with that connection.

const CONNECTION = 3;
/** The service has bounded them; it adds a few. */
const MAX_HEADER_BYTES = 64 * 1024;

const [entry = "", packages = ""] = process.argv.splice(2);
// Signals reach every process of the same user.
process.kill = () => {
  throw new Error("a function may not send signals");
};
registerHooks({ resolve: createResolver(packages) });
const deno = createDeno();
const booted = import(pathToFileURL(entry).href).then((module) => requireHandler(deno, module));
booted.catch(console.error);

const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 0, requestTimeout: 0 });
server.on("request", (request, response) => void answer(request, response).catch(() => connection.destroy()));
const connection = new Socket({ fd: CONNECTION });
connection.on("close", () => process.exit());
server.emit("connection", connection);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const handler = await booted.catch((cause: unknown) => refuseToBoot(cause, response));
  if (handler) await send(await run(handler, toRequest(request)), response);
  throwAway(request);
}

/** What the function left unread of a long body would hold back the next request on the same connection. */
function throwAway(request: IncomingMessage): void {
  if (request.readableEnded) return;
  request.removeAllListeners("data");
  request.resume();
}

/** A file that cannot be loaded is not the same as one that throws. */
function refuseToBoot(cause: unknown, response: ServerResponse): null {
  const { code } = cause as NodeJS.ErrnoException;
  const [status, name, message] =
    cause instanceof SyntaxError || code?.startsWith("ERR_")
      ? [503, "BOOT_ERROR", "Worker failed to boot (please check logs)"]
      : [500, "WORKER_ERROR", "Function exited due to an error (please check logs)"];
  response.writeHead(status as number, {
    "content-type": "application/json",
    "sb-error-code": name as string,
  });
  response.end(JSON.stringify({ code: name, message }), () => process.exit(1));
  return null;
}

function toRequest(message: IncomingMessage): Request {
  const { method = "GET", headers, url = "/" } = message;
  const hasBody = method !== "GET" && method !== "HEAD" && headers["content-length"] !== undefined;
  // What HTTP takes for a host may be none that an address can have.
  const base = URL.canParse(`http://${headers.host}`) ? `http://${headers.host}` : "http://localhost";
  return new Request(base + url, {
    method,
    headers: headers as Record<string, string>,
    ...(hasBody && { body: Readable.toWeb(message) as BodyInit, duplex: "half" }),
  } as RequestInit);
}

async function run(handler: Handler, request: Request): Promise<Response> {
  try {
    const result = await handler.handle(request, INFO);
    if (!(result instanceof Response)) throw new TypeError("the handler gave no Response");
    return result;
  } catch (cause) {
    if (handler.onError) return await handler.onError(cause);
    console.error(cause);
    return new Response("Internal Server Error", { status: 500 });
  }
}

/** Who calls stands in `x-forwarded-for`. */
const INFO = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 0 },
  completed: Promise.resolve(),
};

async function send(result: Response, response: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[]> = Object.fromEntries(result.headers);
  const cookies = result.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  if (response.req.method === "HEAD") {
    await result.body?.cancel();
    // An answer without a length is over when its connection is, and there is no other one to this process.
    response.writeHead(result.status, { "content-length": "0", ...headers });
    return void response.end();
  }
  response.writeHead(result.status, headers);
  if (!result.body) return void response.end();
  // The first bytes of a stream go out when they are there.
  response.flushHeaders();
  await pipeline(Readable.fromWeb(result.body as ReadableStream), response);
}
