import type { Readable } from "node:stream";

/** A request as the services see it: a plain object without streams or classes, to keep the hot path cheap. */
export type HttpRequest = {
  method: string;
  /** Path and query as sent, still percent-encoded: `/rest/v1/items?slug=eq.kitsune`. */
  url: string;
  /** Lowercase names; repeated headers are joined by `, `. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | TooLongBody | null;
  /** The incoming body, in place of `body`, if the handler asked for a stream. */
  stream?: Readable | undefined;
  /** The network address at the other end of the socket; absent for in-process calls. */
  remoteAddress?: string | undefined;
};

/** Marks a body that exceeded the handler's limit, so that each service can refuse it in its own format. */
export type TooLongBody = { limit: number };

/** `body` is text (sent as UTF-8), bytes, or null for none. */
export type HttpResponse = {
  status: number;
  /** A custom reason phrase, if a database function set one. */
  statusText?: string;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | null;
  /** Sent in place of `body`, at the client's pace; the length is in `headers` if known. */
  stream?: Readable | undefined;
};

/** A request handler. Wrappers must forward both functions. */
export type HttpHandler = {
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** How to pass the body of a request to this path: unread, or buffered up to this many bytes. */
  bodyAt(url: string): "stream" | number;
};
