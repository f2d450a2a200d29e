import { randomUUID } from "node:crypto";
import type { HttpResponse } from "#backend/http/http-message.ts";
import { DatabaseError } from "#backend/postgres/database.ts";

/** Every code that this service answers with; clients tell errors apart by them. */
export type AuthErrorCode =
  | "anonymous_provider_disabled"
  | "bad_code_verifier"
  | "bad_json"
  | "bad_jwt"
  | "bad_oauth_callback"
  | "bad_oauth_state"
  | "captcha_failed"
  | "conflict"
  | "current_password_invalid"
  | "current_password_required"
  | "custom_provider_not_found"
  | "email_address_invalid"
  | "email_conflict_identity_not_deletable"
  | "email_exists"
  | "email_not_confirmed"
  | "email_provider_disabled"
  | "feature_disabled"
  | "flow_state_expired"
  | "flow_state_not_found"
  | "hook_payload_invalid_content_type"
  | "hook_payload_over_size_limit"
  | "hook_timeout"
  | "hook_timeout_after_retry"
  | "identity_already_exists"
  | "identity_not_found"
  | "insufficient_aal"
  | "invalid_credentials"
  | "manual_linking_disabled"
  | "mfa_challenge_expired"
  | "mfa_factor_name_conflict"
  | "mfa_factor_not_found"
  | "mfa_ip_address_mismatch"
  | "mfa_phone_enroll_not_enabled"
  | "mfa_phone_verify_not_enabled"
  | "mfa_totp_enroll_not_enabled"
  | "mfa_totp_verify_not_enabled"
  | "mfa_verification_failed"
  | "mfa_verification_rejected"
  | "mfa_verified_factor_exists"
  | "mfa_webauthn_enroll_not_enabled"
  | "mfa_webauthn_verify_not_enabled"
  | "no_authorization"
  | "not_admin"
  | "not_found"
  | "oauth_authorization_not_found"
  | "oauth_client_not_found"
  | "oauth_consent_not_found"
  | "oauth_dynamic_client_registration_disabled"
  | "oauth_provider_not_supported"
  | "otp_disabled"
  | "otp_expired"
  | "over_email_send_rate_limit"
  | "over_quota"
  | "over_request_rate_limit"
  | "over_sms_send_rate_limit"
  | "passkey_disabled"
  | "phone_exists"
  | "phone_not_confirmed"
  | "phone_provider_disabled"
  | "provider_disabled"
  | "provider_email_needs_verification"
  | "reauthentication_needed"
  | "reauthentication_not_valid"
  | "refresh_token_already_used"
  | "refresh_token_not_found"
  | "request_too_large"
  | "same_password"
  | "saml_assertion_no_email"
  | "saml_assertion_no_user_id"
  | "saml_entity_id_mismatch"
  | "saml_idp_already_exists"
  | "saml_idp_not_found"
  | "saml_metadata_fetch_failed"
  | "saml_provider_disabled"
  | "saml_relay_state_expired"
  | "saml_relay_state_not_found"
  | "session_expired"
  | "session_not_found"
  | "signup_disabled"
  | "single_identity_not_deletable"
  | "sms_send_failed"
  | "sso_domain_already_exists"
  | "sso_provider_disabled"
  | "sso_provider_not_found"
  | "too_many_enrolled_mfa_factors"
  | "too_many_passkeys"
  | "unexpected_failure"
  | "unknown"
  | "user_already_exists"
  | "user_banned"
  | "user_not_found"
  | "user_sso_managed"
  | "validation_failed"
  | "weak_password"
  | "web3_provider_disabled"
  | "web3_unsupported_chain"
  | "webauthn_challenge_expired"
  | "webauthn_challenge_not_found"
  | "webauthn_credential_exists"
  | "webauthn_verification_failed";

/** A refusal that the client gets to see. */
export class AuthError extends Error {
  override name = "AuthError";
  readonly status: number;
  readonly code: AuthErrorCode;
  /** What the body says besides code and message, such as `weak_password.reasons`. */
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

/** For `.catch()`: a violated unique constraint becomes a refusal that the client sees. */
export function onDuplicate(refusal: (cause: DatabaseError) => AuthError): (cause: unknown) => never {
  return (cause) => {
    throw cause instanceof DatabaseError && cause.code === "23505" ? refusal(cause) : cause;
  };
}

/** What a new row belongs to was there when it was looked for, and is removed by now. */
export function removedMeanwhile({ constraint }: DatabaseError): AuthError {
  if (constraint?.endsWith("_user_id_fkey")) return new AuthError(403, "user_not_found", "User not found");
  return new AuthError(409, "conflict", "What this belongs to was removed meanwhile");
}

/** @param seconds until it may be tried again */
export function tooMany(
  code: "over_request_rate_limit" | "over_email_send_rate_limit" | "over_sms_send_rate_limit",
  message: string,
  seconds: number,
): AuthError {
  return new AuthError(429, code, message, { headers: { "retry-after": String(seconds) } });
}

/** From this version on, `code` is a word; callers that name none get the older body. */
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
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-sb-error-code": code,
      ...headers,
    },
    body: JSON.stringify(body),
  };
}
