import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { HttpHandler, HttpRequest, HttpResponse } from "./http-message.ts";
import { readBody } from "./read-body.ts";

/** The handler as a web `fetch`: for supabase-js in the same process, for tests, and for any fetch-style server. */
export function toFetch(handler: HttpHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method } = request;
    const url = pathOf(request.url);
    const message: HttpRequest = { method, url, headers: Object.fromEntries(request.headers), body: null };
    const source = request.body && Readable.fromWeb(request.body as WebStream<Uint8Array>);
    if (source) {
      const rule = handler.bodyAt(url);
      if (rule === "stream") message.stream = source;
      else message.body = await readBody(source, rule);
    }
    const response = await handler.handle(message);
    source?.on("error", () => {}).destroy();
    try {
      return toResponse(response, method);
    } catch (cause) {
      response.stream?.destroy();
      throw cause;
    }
  };
}

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const end = url.indexOf("#");
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end);
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
