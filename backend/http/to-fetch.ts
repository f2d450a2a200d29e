import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { bodyTooLarge } from "./body-too-large.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "./http-message.ts";
import type { NodeOptions } from "./to-node.ts";

const DEFAULT_MAX_BODY = 10_000_000;

/** The handler as web `fetch`: for supabase-js in the same process, for tests, and for any server of web requests. */
export function toFetch(
  handler: HttpHandler,
  { maxBodyBytes = DEFAULT_MAX_BODY }: NodeOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method } = request;
    const url = pathOf(request.url);
    const message: HttpRequest = { method, url, headers: Object.fromEntries(request.headers), body: null };
    if (request.body !== null && handler.takesStream?.(url)) {
      message.stream = Readable.fromWeb(request.body as WebStream<Uint8Array>);
    } else if (request.body !== null) {
      const body = await readBody(request.body, maxBodyBytes);
      if (body === "too-large") return toResponse(bodyTooLarge(maxBodyBytes), method);
      message.body = body;
    }
    const response = await handler(message);
    message.stream?.on("error", () => {}).destroy();
    return toResponse(response, method);
  };
}

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const end = url.indexOf("#");
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end);
}

async function readBody(
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array | "too-large"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > limit) return "too-large";
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

function toResponse({ status, statusText, headers, body, stream }: HttpResponse, method: string): Response {
  const list = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string") list.set(name, value);
    else for (const one of value) list.append(name, one);
  }
  const bodyless = method === "HEAD" || status === 204 || status === 304;
  if (!bodyless && !stream) list.set("content-length", String(body === null ? 0 : Buffer.byteLength(body)));
  const init: ResponseInit =
    statusText === undefined ? { status, headers: list } : { status, statusText, headers: list };
  if (bodyless) stream?.destroy();
  const content = stream ? (Readable.toWeb(stream) as unknown as BodyInit) : (body as BodyInit | null);
  return new Response(bodyless ? null : content, init);
}
