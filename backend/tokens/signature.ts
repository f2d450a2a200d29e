import {
  type CompactVerifyResult,
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
} from "jose";
import { TokenError } from "./token-error.ts";

export type Keys = {
  /** Shared secret for HS256, HS384 and HS512. */
  secret?: string | Uint8Array | undefined;
  /** Additional shared secrets. */
  secrets?: readonly Uint8Array[] | undefined;
  /** Public (or symmetric) keys by `kid`, RFC 7517. */
  jwks?: JSONWebKeySet | undefined;
  /** Accepted algorithms, a subset of `SIGNATURE_ALGORITHMS`; all by default. */
  algorithms?: readonly string[] | undefined;
};

const SYMMETRIC = ["HS256", "HS384", "HS512"];
const ASYMMETRIC = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

export const SIGNATURE_ALGORITHMS: readonly string[] = [...ASYMMETRIC, ...SYMMETRIC];

/** Creates a function that verifies a token's signature and returns its claims. `alg: none` never passes. */
export function createSignatureCheck(keys: Keys): (token: string) => Promise<Record<string, unknown>> {
  const main = typeof keys.secret === "string" ? new TextEncoder().encode(keys.secret) : keys.secret;
  const secrets = [...(main ? [main] : []), ...(keys.secrets ?? [])];
  const algorithms = [...(keys.algorithms ?? SIGNATURE_ALGORITHMS)];
  const keySet = keys.jwks ? createLocalJWKSet(keys.jwks) : undefined;

  return async (token) => {
    if (secrets.length === 0 && !keySet) throw new TokenError("no key", "Server lacks JWT secret");
    const parts = token.split(".").length;
    if (parts !== 3) throw new TokenError("malformed", `Expected 3 parts in JWT; got ${parts}`);
    return readClaims(await verify(token));
  };

  async function verify(token: string): Promise<CompactVerifyResult> {
    let failure: unknown;
    if (keySet) {
      try {
        return await compactVerify(token, keySet, { algorithms });
      } catch (cause) {
        failure = cause;
      }
    }
    const symmetric = algorithms.filter((name) => SYMMETRIC.includes(name));
    for (const secret of secrets) {
      try {
        return await compactVerify(token, secret, { algorithms: symmetric });
      } catch (cause) {
        failure = cause;
      }
    }
    throw explain(failure, token);
  }
}

function explain(cause: unknown, token: string): TokenError {
  if (cause instanceof errors.JOSEAlgNotAllowed || cause instanceof errors.JOSENotSupported) {
    const why = isUnsigned(token) ? "JWT is unsecured but expected 'alg' was not 'none'" : null;
    return new TokenError("signature", "Wrong or unsupported encoding algorithm", why);
  }
  if (cause instanceof errors.JWSSignatureVerificationFailed || cause instanceof errors.JWKSNoMatchingKey) {
    const why = "None of the keys was able to decode the JWT";
    return new TokenError("signature", "No suitable key or wrong key type", why);
  }
  return new TokenError("malformed", "JWT cryptographic operation failed");
}

function isUnsigned(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg === "none";
  } catch {
    return false;
  }
}

function readClaims({ payload }: CompactVerifyResult): Record<string, unknown> {
  try {
    const claims: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
    if (claims !== null && typeof claims === "object" && !Array.isArray(claims))
      return claims as Record<string, unknown>;
  } catch {}
  throw new TokenError("claims", "Parsing claims failed");
}
