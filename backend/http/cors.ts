import type { HttpHandler, HttpRequest, HttpResponse } from "./http-message.ts";

export type CorsOptions = {
  /** Origins that browsers may call from; null for all. */
  origins?: readonly string[] | null;
};

const methods = "GET,POST,PUT,PATCH,DELETE,OPTIONS,HEAD";

const requestHeaders = [
  "authorization",
  "x-client-info",
  "apikey",
  "content-type",
  "x-retry-count",
  "traceparent",
  "tracestate",
  "baggage",
  "accept",
  "accept-profile",
  "content-profile",
  "prefer",
  "range",
  "range-unit",
  "x-upsert",
  "x-metadata",
  "cache-control",
  "x-supabase-api-version",
  "x-signature",
  "if-none-match",
  "if-modified-since",
  "if-range",
  "tus-resumable",
  "upload-length",
  "upload-offset",
  "upload-metadata",
  "upload-defer-length",
  "upload-concat",
].join(",");

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
  "Upload-Offset",
  "Upload-Length",
  "Upload-Metadata",
  "Upload-Expires",
  "X-Supabase-Api-Version",
  "x-sb-error-code",
].join(",");

const oneDay = "86400";

/** Lets browsers of the allowed origins call the handler, and answers their preflights itself. */
export function withCors(handler: HttpHandler, { origins = null }: CorsOptions = {}): HttpHandler {
  return {
    bodyAt: handler.bodyAt,
    async handle(request) {
      const { origin } = request.headers;
      if (origin === undefined) return handler.handle(request);
      const allowed = allowedOrigin(origin, origins);
      if (isPreflight(request)) return preflight(allowed);
      const response = await handler.handle(request);
      if (allowed !== null) expose(response, allowed);
      return response;
    },
  };
}

function expose(response: HttpResponse, allowed: string): void {
  const { vary } = response.headers;
  Object.assign(response.headers, originHeaders(allowed), {
    "access-control-expose-headers": exposedHeaders,
  });
  if (vary !== undefined && allowed !== "*") response.headers.vary = `${vary}, Origin`;
}

function allowedOrigin(origin: string, origins: readonly string[] | null): string | null {
  if (origins === null) return "*";
  return origins.includes(origin) ? origin : null;
}

function originHeaders(allowed: string): Record<string, string> {
  if (allowed === "*") return { "access-control-allow-origin": "*" };
  return {
    "access-control-allow-origin": allowed,
    "access-control-allow-credentials": "true",
    vary: "Origin",
  };
}

function isPreflight({ method, headers }: HttpRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function preflight(allowed: string | null): HttpResponse {
  const headers: Record<string, string> = {};
  if (allowed !== null) {
    Object.assign(headers, originHeaders(allowed), {
      "access-control-allow-methods": methods,
      "access-control-allow-headers": requestHeaders,
      "access-control-max-age": oneDay,
    });
  }
  return { status: 200, headers, body: "" };
}
