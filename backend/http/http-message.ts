/** A request as the services see it: no stream, no class, so that the hot path costs nothing. */
export type HttpRequest = {
  method: string;
  /** Path and query as sent, still percent-encoded: `/rest/v1/items?slug=eq.kitsune`. */
  url: string;
  /** Names in lower case; a repeated header is joined by `, `. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | null;
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
};

export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;
