import { HEADER_NAME } from "./header-text.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "./http-message.ts";

const methods = "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD";

/** Allowed in addition to those the preflight asks for: an allowed origin may send any header. */
const simpleHeaders = ["Accept", "Accept-Language", "Content-Language"];

const exposedHeaders = [
  "Content-Encoding",
  "Content-Location",
  "Content-Range",
  "Content-Type",
  "Date",
  "Location",
  "Server",
  "Transfer-Encoding",
  "Range-Unit",
  "Preference-Applied",
  "Proxy-Status",
  "Warning",
  "X-Total-Count",
  "Link",
  "ETag",
  "Accept-Ranges",
  "Last-Modified",
  "Content-Disposition",
  "Tus-Resumable",
  "Tus-Version",
  "Tus-Extension",
  "Tus-Max-Size",
  "Tus-Checksum-Algorithm",
  "Upload-Offset",
  "Upload-Length",
  "Upload-Defer-Length",
  "Upload-Concat",
  "Upload-Metadata",
  "Upload-Expires",
  "X-Supabase-Api-Version",
  "x-sb-error-code",
];
const alwaysExposed = exposedHeaders.join(",");
/** Names of what browsers show anyway, or never. */
const shownAnyway = new Set([
  ...exposedHeaders.map((name) => name.toLowerCase()),
  ...["cache-control", "content-language", "content-length", "expires", "pragma", "set-cookie", "vary"],
]);

const EXPOSED = "access-control-expose-headers";
const oneDay = "86400";

/** The origins that browsers may call from now; null for all. */
export type Origins = () => readonly string[] | null;

/**
 * Lets browsers of allowed origins call the handler, and answers their preflights. If a response already sets
 * `access-control-expose-headers`, it is kept.
 */
export function withCors(handler: HttpHandler, currentOrigins: Origins): HttpHandler {
  return {
    bodyAt: handler.bodyAt,
    async handle(request) {
      const { origin } = request.headers;
      const origins = currentOrigins();
      const allowed = allowedOrigin(origin, origins);
      const asksFirst = isPreflight(request);
      const response = asksFirst ? preflight(allowed, request) : await handler.handle(request);
      // Those without an allowed origin too: a cache must not reuse them for one that is allowed.
      if (origins !== null) varyByOrigin(response);
      if (asksFirst) return response;
      if (allowed === null) delete response.headers[EXPOSED];
      else if (origin === undefined) response.headers["access-control-allow-origin"] = allowed;
      else expose(response, allowed);
      return response;
    },
  };
}

function varyByOrigin({ headers }: HttpResponse): void {
  headers.vary = headers.vary === undefined ? "Origin" : `${headers.vary}, Origin`;
}

function expose(response: HttpResponse, allowed: string): void {
  Object.assign(response.headers, originHeaders(allowed));
  response.headers[EXPOSED] ??= [alwaysExposed, ...ownNames(response.headers)].join(",");
}

/** What a service says, pages may read: a list of names would lack those of the next answer. */
function ownNames(headers: HttpResponse["headers"]): string[] {
  return Object.keys(headers).filter((name) => !shownAnyway.has(name) && !name.startsWith("access-control-"));
}

/** If every origin is allowed, every response says so, as in PostgREST. */
function allowedOrigin(origin: string | undefined, origins: readonly string[] | null): string | null {
  if (origins === null) return "*";
  return origin !== undefined && origins.includes(origin) ? origin : null;
}

function originHeaders(allowed: string): Record<string, string> {
  if (allowed === "*") return { "access-control-allow-origin": "*" };
  return {
    "access-control-allow-origin": allowed,
    "access-control-allow-credentials": "true",
  };
}

function isPreflight({ method, headers }: HttpRequest): boolean {
  const asked = headers["access-control-request-method"];
  return method === "OPTIONS" && headers.origin !== undefined && asked !== undefined;
}

function preflight(allowed: string | null, { headers: asked }: HttpRequest): HttpResponse {
  const headers: Record<string, string> = {};
  if (allowed !== null) {
    Object.assign(headers, originHeaders(allowed), {
      "access-control-allow-methods": methods,
      "access-control-allow-headers": allowedHeaders(asked["access-control-request-headers"]),
      "access-control-max-age": oneDay,
    });
  }
  return { status: 200, headers, body: "" };
}

/** Echoes the names that a header can have. */
function allowedHeaders(asked: string | undefined): string {
  const names = (asked ?? "").split(",").map((name) => name.trim());
  const sent = names.filter((name) => HEADER_NAME.test(name));
  return ["Authorization", ...sent, ...simpleHeaders].join(", ");
}
