import type { HttpResponse } from "#backend/http/http-message.ts";

/** The body of an error response, with PostgREST's four keys. */
export type ErrorBody = { code: string; message: string; details: unknown; hint: string | null };

/** An error reported to the client: its status, and PostgREST's error body. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Record<string, string>;
  readonly statusText: string | undefined;

  constructor(status: number, body: ErrorBody, headers: Record<string, string> = {}, statusText?: string) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.statusText = statusText;
  }
}

export function apiError(
  status: number,
  code: string,
  message: string,
  details: unknown = null,
  hint: string | null = null,
): ApiError {
  return new ApiError(status, { code, message, details, hint });
}

/** `minimal` leaves out details and hint (PostgREST's `client-error-verbosity`). */
export function errorResponse(
  error: ApiError,
  verbosity: "verbose" | "minimal" = "verbose",
): HttpResponse & { body: string } {
  const { code, message, details, hint } = error.body;
  const shown = verbosity === "minimal" ? { code, message } : { code, details, hint, message };
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "proxy-status": `PostgREST; error=${code}`,
    ...(error.status === 401 && { "www-authenticate": "Bearer" }),
    ...error.headers,
  };
  const response = { status: error.status, headers, body: JSON.stringify(shown) };
  return error.statusText ? { ...response, statusText: error.statusText } : response;
}
