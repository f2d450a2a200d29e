import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { logText } from "#backend/log/log-text.ts";
import { GONE } from "./client-address.ts";
import { drain } from "./drain.ts";
import { isBeyondAscii } from "./header-text.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "./http-message.ts";
import { readBody } from "./read-body.ts";
import { hasBody } from "./require-progress.ts";

/**
 * The handler as a `node:http` listener, with nothing between the socket and the service.
 * @param log receives a line for each response that could not be sent
 */
export function toNode(
  handler: HttpHandler,
  log?: Log,
): (request: IncomingMessage, response: ServerResponse) => void {
  async function answer(request: IncomingMessage): Promise<HttpResponse> {
    const { method = "GET", url = "/", socket } = request;
    const headers = request.headers as Record<string, string>;
    const message: HttpRequest = {
      method,
      url,
      headers,
      body: null,
      remoteAddress: socket.remoteAddress ?? GONE,
    };
    if (!hasBody(request)) return handler.handle(message);
    const rule = handler.bodyAt(url);
    if (rule === "stream") message.stream = request;
    else message.body = await readBody(request, rule, headers["content-length"]);
    const response = await handler.handle(message);
    // A refusal may come before the body's end, but most clients read the response only after sending everything.
    if (!request.readableEnded && !(await drain(request))) response.headers.connection = "close";
    return response;
  }

  return (request, response) => {
    answer(request)
      .then((answered) => send(answered, request, response))
      .catch((cause) => fail(cause, response, log));
  };
}

// A stream that nobody reads stays open, and a forgotten file ends the process when its memory is freed.
function send(answered: HttpResponse, request: IncomingMessage, response: ServerResponse): void {
  try {
    if (response.destroyed) answered.stream?.destroy();
    else write(answered, request, response);
  } catch (cause) {
    answered.stream?.destroy();
    throw cause;
  }
}

function write(answered: HttpResponse, request: IncomingMessage, response: ServerResponse): void {
  const { status, statusText, headers, body, stream } = answered;
  const carriesBody = request.method !== "HEAD" && status !== 204 && status !== 304;
  if (carriesBody && !stream) headers["content-length"] = String(body === null ? 0 : Buffer.byteLength(body));
  if (statusText === undefined) response.writeHead(status, headers);
  else response.writeHead(status, statusText, headers);
  if (stream) sendStream(stream, response, carriesBody);
  else if (carriesBody && body !== null) response.end(bodyAfter(answered, body));
  else response.end();
}

/** Node writes a text together with the head before it, both as UTF-8, but a head is bytes already. */
function bodyAfter(
  { headers, statusText = "" }: HttpResponse,
  body: string | Uint8Array,
): string | Uint8Array {
  if (typeof body !== "string") return body;
  const isText = [statusText, ...Object.values(headers).flat()].every((text) => !isBeyondAscii(text));
  return isText ? body : Buffer.from(body);
}

// If the source fails midway, the connection is cut: otherwise the client could not tell that the body is incomplete.
function sendStream(stream: NonNullable<HttpResponse["stream"]>, response: ServerResponse, wanted: boolean) {
  if (wanted) return void pipeline(stream, response, () => {});
  stream.destroy();
  response.end();
}

// The client disconnected mid-body, or Node refuses to send the response: this must not crash the process.
function fail(cause: unknown, response: ServerResponse, log: Log | undefined): void {
  if (response.headersSent || !response.req.socket.writable) return void response.destroy();
  log?.(logText`A response could not be sent: ${describeCause(cause)}`, "error");
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.writeHead(500, "Internal Server Error", { connection: "close", "content-length": "0" }).end();
}
