import { TokenError } from "./token-error.ts";

/** Clock skew tolerance in seconds. */
const SKEW = 30;

/** Requirements for claims, in addition to the time claims. */
export type ClaimRules = {
  /** Required `aud`; tokens without an audience pass. */
  audience?: string | undefined;
  /**
   * Set if one service issues all tokens except API keys: each token must name its issuer, this audience and an expiry.
   */
  issued?: { audience: string; isIssuer(issuer: string): boolean } | undefined;
};

/** Checks `exp`, `nbf`, `iat` and, as far as rules are configured, `aud` and `iss` (RFC 7519 §4.1). */
export function checkClaims(claims: Record<string, unknown>, rules: ClaimRules, now: number): void {
  const expires = numericClaim(claims, "exp");
  const notBefore = numericClaim(claims, "nbf");
  const issuedAt = numericClaim(claims, "iat");
  if (expires !== undefined && now > expires + SKEW) throw new TokenError("expired", "JWT expired");
  if (notBefore !== undefined && now < notBefore - SKEW) throw refused("JWT not yet valid");
  if (issuedAt !== undefined && now < issuedAt - SKEW) throw refused("JWT issued at future");
  checkAudience(claims.aud, rules.audience);
  if (rules.issued && !isKey(claims)) checkIssued(claims, rules.issued);
}

/** An API key has a role but no subject, and is valid until the secret changes. */
function isKey({ role, sub }: Record<string, unknown>): boolean {
  return sub === undefined && (role === "anon" || role === "service_role");
}

function checkIssued(
  { exp, iss, aud }: Record<string, unknown>,
  { audience, isIssuer }: NonNullable<ClaimRules["issued"]>,
): void {
  if (typeof exp !== "number") throw refused("JWT has no expiry");
  if (typeof iss !== "string" || !isIssuer(iss)) throw refused("JWT not from this issuer");
  if (aud !== audience && !(Array.isArray(aud) && aud.includes(audience)))
    throw refused("JWT not in audience");
}

function numericClaim(claims: Record<string, unknown>, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number") throw refused(`The JWT '${name}' claim must be a number`);
  return value;
}

// A token without an audience is valid for any, as in PostgREST.
function checkAudience(claim: unknown, audience: string | undefined): void {
  if (claim === undefined || claim === null) return;
  const named = Array.isArray(claim) ? claim : [claim];
  if (!named.every((name) => typeof name === "string")) {
    throw refused("The JWT 'aud' claim must be a string or an array of strings");
  }
  if (audience !== undefined && named.length > 0 && !named.includes(audience))
    throw refused("JWT not in audience");
}

function refused(message: string): TokenError {
  return new TokenError("claims", message);
}
