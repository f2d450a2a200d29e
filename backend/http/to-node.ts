import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { GONE } from "./client-address.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "./http-message.ts";
import { readBody } from "./read-body.ts";

/** A `node:http` listener for the handler: nothing between the socket and the service. */
export function toNode(handler: HttpHandler): (request: IncomingMessage, response: ServerResponse) => void {
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
    // A refusal may come before the body's end. Most clients read an answer only when they have sent everything.
    if (!request.readableEnded && !(await drain(request))) response.headers.connection = "close";
    return response;
  }

  return (request, response) => {
    answer(request)
      .then((answered) => send(answered, request, response))
      .catch(() => fail(response));
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

function send(answered: HttpResponse, request: IncomingMessage, response: ServerResponse): void {
  const { status, statusText, headers, body, stream } = answered;
  const carriesBody = request.method !== "HEAD" && status !== 204 && status !== 304;
  if (carriesBody && !stream) headers["content-length"] = String(body === null ? 0 : Buffer.byteLength(body));
  if (statusText === undefined) response.writeHead(status, headers);
  else response.writeHead(status, statusText, headers);
  if (stream) sendStream(stream, response, carriesBody);
  else if (carriesBody && body !== null) response.end(body);
  else response.end();
}

// A source that fails half-way cuts the connection: only so does the client know that this is not all.
function sendStream(stream: NonNullable<HttpResponse["stream"]>, response: ServerResponse, wanted: boolean) {
  if (wanted) return void pipeline(stream, response, () => {});
  stream.destroy();
  response.end();
}

// A client that went away in the middle of its body, or an answer that node refuses to send: it must not end the process.
function fail(response: ServerResponse): void {
  response.destroy();
}

const MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_MS = 10_000;

/** Throws away what still arrives; false where that would be too much or take too long, and for a stream that failed. */
function drain(stream: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    const stop = (ended: boolean) => {
      clearTimeout(timer);
      stream.off("data", count);
      if (!ended) stream.pause();
      resolve(ended);
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) stop(false);
    };
    const timer = setTimeout(() => stop(false), LONGEST_MS);
    // What read it so far must not hold it back.
    stream.unpipe();
    stream.once("end", () => stop(true)).once("close", () => stop(stream.readableEnded));
    if (stream.destroyed || stream.readableEnded) stop(stream.readableEnded);
    else stream.on("data", count).resume();
  });
}
