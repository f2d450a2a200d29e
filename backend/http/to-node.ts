import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyTooLarge } from "./body-too-large.ts";
import type { HttpHandler, HttpResponse } from "./http-message.ts";

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
    const body = hasBody(request) ? await readBody(request, maxBodyBytes) : null;
    if (body === "too-large") return bodyTooLarge(maxBodyBytes);
    const { method = "GET", url = "/" } = request;
    const headers = request.headers as Record<string, string>;
    return handler({ method, url, headers, body, remoteAddress: request.socket.remoteAddress });
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
  const { status, statusText, headers, body } = answered;
  const carriesBody = request.method !== "HEAD" && status !== 204 && status !== 304;
  if (carriesBody) headers["content-length"] = String(body === null ? 0 : Buffer.byteLength(body));
  if (statusText === undefined) response.writeHead(status, headers);
  else response.writeHead(status, statusText, headers);
  if (carriesBody && body !== null) response.end(body);
  else response.end();
}

// A client that went away in the middle of its body, or an answer that node refuses to send: it must not end the process.
function fail(response: ServerResponse): void {
  response.destroy();
}
