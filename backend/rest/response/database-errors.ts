import * as v from "valibot";
import { HEADER_TEXT } from "#backend/http/header-text.ts";
import { DatabaseError, DatabaseUnavailableError } from "#backend/postgres/database.ts";
import { TokenError, type TokenFault } from "#backend/tokens/token-error.ts";
import { ApiError, apiError } from "../api-error.ts";
import type { Guard } from "../query/answer.ts";
import { MissingSchemaError } from "../schema-cache/load-schema-cache.ts";
import { guardedRows } from "../sql/main-statement.ts";
import { SentHeaders } from "./response-settings.ts";

/** An internal error, caused neither by the client nor by the database. */
export const INTERNAL_ERROR = "PGRSTX00";

const TOKEN_CODES: Record<TokenFault, string> = {
  "no key": "PGRST300",
  malformed: "PGRST301",
  signature: "PGRST301",
  revoked: "PGRST301",
  missing: "PGRST302",
  expired: "PGRST303",
  claims: "PGRST303",
};

/** Converts any failure to the client's error. `isAnonymous` decides between 401 and 403 for missing privileges. */
export function toApiError(cause: unknown, isAnonymous: boolean, guard: Guard | null = null): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof TokenError) return fromToken(cause);
  if (cause instanceof DatabaseUnavailableError) return unavailable(cause);
  if (cause instanceof MissingSchemaError)
    return retriable("PGRST002", "Could not query the database for the schema cache. Retrying.");
  if (cause instanceof DatabaseError) return fromDatabase(cause, isAnonymous, guard);
  return apiError(500, INTERNAL_ERROR, "Internal error");
}

/** Also reports what is wrong with the token in WWW-Authenticate, per RFC 6750 §3. */
function fromToken({ fault, message, details }: TokenError): ApiError {
  const body = { code: TOKEN_CODES[fault], message, details, hint: null };
  if (fault === "no key") return new ApiError(500, body);
  const challenge =
    fault === "missing" ? "Bearer" : `Bearer error="invalid_token", error_description="${message}"`;
  return new ApiError(401, body, { "www-authenticate": challenge });
}

/** Seconds until a client should retry: by then the pool has reconnected if the server is up, or the schema is read. */
const RETRY_AFTER = "1";

function unavailable({ reason }: DatabaseUnavailableError): ApiError {
  if (reason === "pool")
    return apiError(504, "PGRST003", "Timed out acquiring connection from connection pool.");
  return retriable("PGRST000", "Database connection error.");
}

function retriable(code: string, message: string): ApiError {
  const body = { code, message, details: null, hint: null };
  return new ApiError(503, body, { "retry-after": RETRY_AFTER });
}

function fromDatabase(error: DatabaseError, isAnonymous: boolean, guard: Guard | null): ApiError {
  const rows = guardedRows(error.message);
  if (guard !== null && rows !== null) return guardError(guard, rows);
  if (error.code === "PGRST") return raisedResponse(error);
  const status = statusOf(error, isAnonymous);
  return apiError(status, error.code, error.message, error.detail, error.hint);
}

function guardError(guard: Guard, rows: number): ApiError {
  if (guard.kind === "single") return notSingle(rows);
  if (guard.kind === "put")
    return apiError(400, "PGRST115", "Payload values do not match URL in primary key column(s)");
  const details = `The query affects ${rows} rows`;
  return apiError(400, "PGRST124", "Query result exceeds max-affected preference constraint", details);
}

export function notSingle(rows: number): ApiError {
  const message = "Cannot coerce the result to a single JSON object";
  return apiError(406, "PGRST116", message, `The result contains ${rows} rows`);
}

const statusByCode: Record<string, number> = {
  "23503": 409,
  "23505": 409,
  "25006": 405,
  "42883": 404,
  "42P01": 404,
  "42P17": 500,
  "53400": 500,
  "57P01": 503,
  P0001: 400,
};

const statusByClass: Record<string, number> = {
  "08": 503,
  "09": 500,
  "0L": 403,
  "0P": 403,
  "25": 500,
  "28": 403,
  "2D": 500,
  "38": 500,
  "39": 500,
  "3B": 500,
  "40": 500,
  "53": 503,
  "54": 500,
  "55": 500,
  "57": 500,
  "58": 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

function statusOf({ code, message }: DatabaseError, isAnonymous: boolean): number {
  if (code === "42501") return isAnonymous ? 401 : 403;
  if (code === "21000") return message.endsWith("requires a WHERE clause") ? 400 : 500;
  if (code === "22023" && /^role .* does not exist$/.test(message)) return 401;
  if (code === "42883" && message.startsWith("function xmlagg(")) return 406;
  if (code.startsWith("PT")) return raisedStatus(code);
  return statusByCode[code] ?? statusByClass[code.slice(0, 2)] ?? 400;
}

// `raise sqlstate 'PT402'` sets the HTTP status; an invalid status is the function's fault.
function raisedStatus(code: string): number {
  const status = Number(code.slice(2));
  return status >= 200 && status <= 599 ? status : 500;
}

const RaisedBody = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    // A header repeats it.
    code: v.pipe(v.string(), v.regex(HEADER_TEXT)),
    message: v.string(),
    details: v.optional(v.unknown(), null),
    hint: v.optional(v.nullable(v.any()), null),
  }),
);
const RaisedResponse = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    status: v.pipe(v.number(), v.minValue(200), v.maxValue(599)),
    headers: SentHeaders,
    status_text: v.optional(v.pipe(v.fallback(v.string(), ""), v.regex(HEADER_TEXT))),
  }),
);

/** `raise sqlstate 'PGRST'`: message and detail are JSON that defines the whole response. */
function raisedResponse({ message, detail }: DatabaseError): ApiError {
  const body = v.safeParse(RaisedBody, message);
  if (!body.success)
    return unreadableRaise(
      `Invalid JSON value for MESSAGE: '${message}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    );
  const response = v.safeParse(RaisedResponse, detail);
  if (!response.success)
    return unreadableRaise(
      detail === null
        ? "DETAIL is missing in the RAISE statement"
        : `Invalid JSON value for DETAIL: '${detail}'`,
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    );
  const { status, headers, status_text: statusText } = response.output;
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return new ApiError(status, body.output, Object.fromEntries(named), statusText);
}

function unreadableRaise(details: string, hint: string): ApiError {
  return apiError(
    500,
    "PGRST121",
    `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
    details,
    hint,
  );
}
