import { randomUUID } from "node:crypto";
import type { AuthError as ClientsError } from "@supabase/supabase-js";
import type { HttpResponse } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";
import { DatabaseError } from "#backend/postgres/database.ts";

/** The string literals of the official client's union type, without plain `string`. */
type Words<Code> = Code extends string ? (string extends Code ? never : Code) : never;

/** All error codes of this service: those in the official client's types, and the hosted service's others. */
export type AuthErrorCode =
  | Words<ClientsError["code"]>
  | "current_password_invalid"
  | "current_password_required"
  | "custom_provider_not_found"
  | "feature_disabled"
  | "not_found"
  | "oauth_authorization_not_found"
  | "oauth_client_not_found"
  | "oauth_consent_not_found"
  | "oauth_dynamic_client_registration_disabled"
  | "over_quota"
  | "passkey_disabled"
  | "request_entity_too_large"
  | "sso_provider_disabled"
  | "too_many_passkeys"
  | "unknown"
  | "web3_provider_disabled"
  | "web3_unsupported_chain"
  | "webauthn_challenge_not_found"
  | "webauthn_credential_exists"
  | "webauthn_verification_failed";

/** An error that is returned to the client. */
export class AuthError extends Error {
  override name = "AuthError";
  readonly status: number;
  readonly code: AuthErrorCode;
  /** Members of the body besides code and message, such as `weak_password.reasons`. */
  readonly more: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: AuthErrorCode,
    message: string,
    { more = {}, headers = {} }: { more?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
    this.headers = headers;
  }
}

export function validationFailed(message: string): AuthError {
  return new AuthError(400, "validation_failed", message);
}

export function weakPassword(reasons: ("length" | "characters" | "pwned")[], message: string): AuthError {
  return new AuthError(422, "weak_password", message, { more: { weak_password: { reasons } } });
}

/** For `.catch()`: turns a violated unique constraint into an error for the client. */
export function onDuplicate(refusal: (cause: DatabaseError) => AuthError): (cause: unknown) => never {
  return (cause) => {
    throw cause instanceof DatabaseError && cause.code === "23505" ? refusal(cause) : cause;
  };
}

/** A row that the new one refers to was deleted after it was looked up. */
export function removedMeanwhile({ constraint }: DatabaseError): AuthError {
  if (constraint?.endsWith("_user_id_fkey")) return new AuthError(403, "user_not_found", "User not found");
  return new AuthError(409, "conflict", "What this belongs to was removed meanwhile");
}

/** @param seconds until the client may retry */
export function tooMany(
  code: "over_request_rate_limit" | "over_email_send_rate_limit" | "over_sms_send_rate_limit",
  message: string,
  seconds: number,
): AuthError {
  return new AuthError(429, code, message, { headers: { "retry-after": String(seconds) } });
}

/** From this version on, `code` is a string; callers that send no version get the older body. */
const WORD_CODES_SINCE = "2024-01-01";

export function apiVersion(headers: Readonly<Record<string, string>>): string | null {
  const requested = headers["x-supabase-api-version"];
  return requested !== undefined && requested >= WORD_CODES_SINCE && /^\d{4}-\d{2}-\d{2}$/.test(requested)
    ? WORD_CODES_SINCE
    : null;
}

export function errorResponse(error: AuthError, version: string | null): HttpResponse {
  const { status, code, message, more, headers } = error;
  const body =
    version === null
      ? {
          code: status,
          error_code: code,
          msg: message,
          ...(status >= 500 && { error_id: randomUUID() }),
          ...more,
        }
      : { code, message, ...more };
  return jsonResponse(status, body, { "cache-control": "no-store", "x-sb-error-code": code, ...headers });
}
