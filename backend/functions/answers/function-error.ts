import type { HttpResponse } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";

/** A response in place of a function's, with the hosted service's statuses, codes and messages. */
export class FunctionError extends Error {
  override name = "FunctionError";
  readonly status: number;
  /** Also sent in the `sb-error-code` header. */
  readonly code: string;
  /** The request did not reach the function; the official client then throws a `FunctionsRelayError`. */
  readonly isRelays: boolean;

  constructor(status: number, code: string, message: string, { isRelays = false } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.isRelays = isRelays;
  }
}

export const notFound = () => new FunctionError(404, "NOT_FOUND", "Requested function was not found");

export const workerLimit = () =>
  new FunctionError(
    546,
    "WORKER_LIMIT",
    "Worker failed to respond due to a resource limit (please check logs)",
  );

export const workerError = () =>
  new FunctionError(500, "WORKER_ERROR", "Function exited due to an error (please check logs)");

export const idleTimeout = (seconds: number) =>
  new FunctionError(504, "IDLE_TIMEOUT", `Request idle timeout limit (${seconds}s) reached`);

export const tooManyRequests = () =>
  new FunctionError(503, "SERVICE_UNAVAILABLE", "All workers are busy, please try again later", {
    isRelays: true,
  });

export const unavailable = () =>
  new FunctionError(503, "SERVICE_UNAVAILABLE", "Service is temporarily unavailable", { isRelays: true });

export function errorResponse({ status, code, message, isRelays }: FunctionError): HttpResponse {
  const relays = isRelays && { "x-relay-error": "true", "retry-after": "1" };
  return jsonResponse(
    status,
    { code, message },
    { "cache-control": "no-store", "sb-error-code": code, ...relays },
  );
}
