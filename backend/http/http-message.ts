import type { Readable } from "node:stream";

/** A request as the services see it: no stream, no class, so that the hot path costs nothing. */
export type HttpRequest = {
  method: string;
  /** Path and query as sent, still percent-encoded: `/rest/v1/items?slug=eq.kitsune`. */
  url: string;
  /** Names in lower case; a repeated header is joined by `, `. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | null;
  /** The body as it arrives, in place of `body`, on the paths that a handler `takesStream` of. */
  stream?: Readable | undefined;
  /** The network address at the other end of the socket; absent for a call from within the process. */
  remoteAddress?: string | undefined;
};

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

export type HttpHandler = {
  (request: HttpRequest): Promise<HttpResponse>;
  /** The paths whose request bodies are handed over unread, however long they are. */
  takesStream?: (url: string) => boolean;
};
