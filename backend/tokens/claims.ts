import { TokenError } from "./token-error.ts";

/** Clocks differ: this many seconds a token may be early or late. */
const SKEW = 30;

/** Checks `exp`, `nbf`, `iat` and, if one is configured, `aud` (RFC 7519 §4.1). */
export function checkClaims(
  claims: Record<string, unknown>,
  audience: string | undefined,
  now: number,
): void {
  const expires = numericClaim(claims, "exp");
  const notBefore = numericClaim(claims, "nbf");
  const issuedAt = numericClaim(claims, "iat");
  if (expires !== undefined && now > expires + SKEW) throw refused("JWT expired");
  if (notBefore !== undefined && now < notBefore - SKEW) throw refused("JWT not yet valid");
  if (issuedAt !== undefined && now < issuedAt - SKEW) throw refused("JWT issued at future");
  checkAudience(claims.aud, audience);
}

function numericClaim(claims: Record<string, unknown>, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number") throw refused(`The JWT '${name}' claim must be a number`);
  return value;
}

// A token without an audience is for everybody, as PostgREST has it.
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
  return new TokenError("PGRST303", message);
}
