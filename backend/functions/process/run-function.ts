import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { registerHooks } from "node:module";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { pathToFileURL } from "node:url";
import { createDeno, type Handler, requireHandler } from "./deno.ts";
import { createResolver } from "./resolve-imports.ts";

// Entry point of a worker process: runs the function file given first, with the packages of the folder given second.
// Requests arrive one at a time on the inherited connection; the process ends when it closes.

const CONNECTION = 3;
/** Told whether work goes on after the response, so that the process is kept for it. */
const BACKGROUND = 4;
/** Above the service's own limit, since the service adds a few headers. */
const MAX_HEADER_BYTES = 64 * 1024;

const [entry = "", packages = ""] = process.argv.splice(2);
// Signals could reach any process of the same user.
process.kill = () => {
  throw new Error("a function may not send signals");
};
registerHooks({ resolve: createResolver(packages) });
const background = new Socket({ fd: BACKGROUND });
background.on("error", () => {});
const deno = createDeno((isBusy) => background.write(isBusy ? "1" : "0"));
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
  discardBody(request);
}

/** Discards the rest of a body that the function did not read, which would block the next request on the connection. */
function discardBody(request: IncomingMessage): void {
  if (request.readableEnded) return;
  request.removeAllListeners("data");
  request.resume();
}

/** Distinguishes a file that cannot be loaded from one that throws. */
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
  // A Host header valid in HTTP may still not be valid in a URL.
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

/** Deno's connection info; the caller's address is in `x-forwarded-for`. */
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
    // A response without a length would end only with the connection, which is the only one to this process.
    response.writeHead(result.status, { "content-length": "0", ...headers });
    return void response.end();
  }
  response.writeHead(result.status, headers);
  if (!result.body) return void response.end();
  // Sends the headers at once, so that a stream's first bytes are not delayed.
  response.flushHeaders();
  await pipeline(Readable.fromWeb(result.body as ReadableStream), response);
}
