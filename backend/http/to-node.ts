import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { bodyTooLarge } from "./body-too-large.ts";
import { GONE } from "./client-address.ts";
import { drain } from "./drain.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "./http-message.ts";

export type NodeOptions = {
  /** Bytes of a request body at most; a longer one is refused with 413 while it still arrives. */
  maxBodyBytes?: number;
};

const DEFAULT_MAX_BODY = 10_000_000;

/** A `node:http` listener for the handler: nothing between the socket and the service. */
export function toNode(
  handler: HttpHandler,
  { maxBodyBytes = DEFAULT_MAX_BODY }: NodeOptions = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  async function answer(request: IncomingMessage): Promise<HttpResponse> {
    const { method = "GET", url = "/", socket } = request;
    const headers = request.headers as Record<string, string>;
    const remoteAddress = socket.remoteAddress ?? GONE;
    if (!hasBody(request)) return handler({ method, url, headers, body: null, remoteAddress });
    if (handler.takesStream?.(url)) {
      return answerStream(request, { method, url, headers, body: null, stream: request, remoteAddress });
    }
    const body = await readBody(request, maxBodyBytes);
    if (body === "too-large") return bodyTooLarge(maxBodyBytes);
    return handler({ method, url, headers, body, remoteAddress });
  }

  // A refusal may come before the body's end. Most clients read an answer only when they have sent everything.
  async function answerStream(source: IncomingMessage, request: HttpRequest): Promise<HttpResponse> {
    const response = await handler(request);
    if (!source.readableEnded && !(await drain(source))) response.headers.connection = "close";
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

async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | "too-large"> {
  if (Number(request.headers["content-length"]) > limit) return "too-large";
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return "too-large";
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
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
