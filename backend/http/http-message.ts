import type { Readable } from "node:stream";

/** A request as the services see it: no stream, no class, so that the hot path costs nothing. */
export type HttpRequest = {
  method: string;
  /** Path and query as sent, still percent-encoded: `/rest/v1/items?slug=eq.kitsune`. */
  url: string;
  /** Names in lower case; a repeated header is joined by `, `. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | TooLongBody | null;
  /** The body as it arrives, in place of `body`, where the handler asked for that. */
  stream?: Readable | undefined;
  /** The network address at the other end of the socket; absent for a call from within the process. */
  remoteAddress?: string | undefined;
};

/** Stands for a body that was longer than its handler takes: each service refuses it in its own words. */
export type TooLongBody = { limit: number };

/** `body` is text (sent as UTF-8), bytes, or nothing at all. */
export type HttpResponse = {
  status: number;
  /** A reason phrase of the service's own, where a database function chose one. */
  statusText?: string;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | null;
  /** What is sent in place of `body`, as fast as the client takes it; `headers` say its length, if it is known. */
  stream?: Readable | undefined;
};

/** What answers requests. Both parts belong together: a wrapper that forgets one is no handler. */
export type HttpHandler = {
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** How the body of a request to this path is handed over: unread, or whole up to so many bytes. */
  bodyAt(url: string): "stream" | number;
};
