import { createByteCache, sizeOfText } from "#backend/memory/byte-cache.ts";
import { type ClaimRules, checkClaims } from "./claims.ts";
import { type Identity, toIdentity } from "./identity.ts";
import { isOfSession, NO_REVOCATIONS, type Revocations } from "./revocations.ts";
import { findRole, parseRoleClaimPath, type RoleStep } from "./role-claim.ts";
import { createSignatureCheck, type Keys } from "./signature.ts";
import { RevokedTokenError, TokenError } from "./token-error.ts";

export type TokenVerifierOptions = Keys &
  ClaimRules & {
    /** The role for requests without a token; if unset, they are refused. */
    anonRole?: string | undefined;
    /** Path of the role claim, `.role` by default. */
    roleClaimPath?: string | undefined;
    /** Opaque key (`sb_publishable_…`) for the anonymous role. */
    publishableKey?: string | undefined;
    /** Opaque key (`sb_secret_…`) for `service_role`. */
    secretKey?: string | undefined;
    /** Revoked sessions; none by default. */
    revocations?: Revocations | undefined;
  };

export type TokenVerifier = {
  /**
   * Verifies a bearer token or API key and returns its identity; null, undefined or an empty string is an anonymous
   * visitor. Rejects with `TokenError`, or with `DatabaseUnavailableError` while it is unknown whether the session is
   * still valid. Verified signatures are cached; a token's times and session are checked on every call.
   */
  verify(token: string | null | undefined): Promise<Identity>;
  /** The identity of a token that was verified before and is still valid; if null, call `verify`. */
  verifyKnown(token: string | null | undefined): Identity | null;
  /**
   * Whether the session of a verified identity is still valid; `unknown` if that could not be checked for several
   * seconds.
   */
  standing(identity: Identity): "good" | "revoked" | "unknown";
  /** Whether the account with this id is banned or deleted. */
  isBanned(sub: string): boolean;
  /** Cache lookups of tokens and their results. */
  use(): TokenUse;
};

export type TokenUse = { found: number; verified: number; dropped: number };

const REMEMBERED_BYTES = 12 * 1024 * 1024;
/** The parsed claims are kept along with their text, so the size is a multiple of the text's. */
const CLAIMS_WEIGHT = 3;

export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const checkSignature = createSignatureCheck(options);
  const revocations = options.revocations ?? NO_REVOCATIONS;
  const rolePath = requireRolePath(options.roleClaimPath ?? ".role");
  const anonymous =
    options.anonRole === undefined ? null : toIdentity(options.anonRole, { role: options.anonRole });
  const opaque = opaqueKeys(options, anonymous);
  const known = createByteCache<Identity>({
    maxBytes: REMEMBERED_BYTES,
    sizeOf: ({ claimsText }) => CLAIMS_WEIGHT * sizeOfText(claimsText),
    onDrop: () => use.dropped++,
  });
  const use: TokenUse = { found: 0, verified: 0, dropped: 0 };

  /** Two requests may have brought the same new token at once. */
  function remember(token: string, identity: Identity): Identity {
    const other = known.peek(token);
    if (other) return other;
    known.set(token, identity);
    return identity;
  }

  function findKnown(token: string | null | undefined): Identity | null {
    if (!token) return anonymous;
    const key = opaque.get(token);
    const identity = key ?? known.get(token);
    if (!identity) return null;
    if (!key) use.found++;
    checkClaims(identity.claims, options, Date.now() / 1000);
    return identity;
  }

  async function identify(token: string | null | undefined): Promise<Identity> {
    const identity = findKnown(token);
    if (identity) return identity;
    if (!token) throw new TokenError("missing", "Anonymous access is disabled");
    if (/^sb_(publishable|secret)_/.test(token)) throw new TokenError("malformed", "Invalid API key");
    use.verified++;
    const claims = await checkSignature(token);
    const role = findRole(claims, rolePath) ?? options.anonRole;
    // Expired tokens are cached too: pages left open keep sending theirs.
    const verified = role === undefined ? null : remember(token, toIdentity(role, claims));
    checkClaims(claims, options, Date.now() / 1000);
    if (!verified) throw new TokenError("missing", "Anonymous access is disabled");
    return verified;
  }

  const isUnclear = ({ claims }: Identity) => isOfSession(claims) && !revocations.isCurrent();
  const isRevoked = ({ claims }: Identity) => isOfSession(claims) && revocations.has(claims);

  function refuseRevoked(identity: Identity): Identity {
    if (isRevoked(identity)) throw new RevokedTokenError(identity);
    return identity;
  }

  return {
    verifyKnown(token) {
      const identity = findKnown(token);
      return identity && !isUnclear(identity) ? refuseRevoked(identity) : null;
    },
    async verify(token) {
      const identity = await identify(token);
      if (isUnclear(identity)) await revocations.refresh();
      return refuseRevoked(identity);
    },
    standing(identity) {
      if (isRevoked(identity)) return "revoked";
      return isOfSession(identity.claims) && revocations.isLost() ? "unknown" : "good";
    },
    isBanned: (sub) => revocations.has({ sub }),
    use: () => ({ ...use }),
  };
}

function requireRolePath(text: string): RoleStep[] {
  const path = parseRoleClaimPath(text);
  if (!path) throw new TypeError(`no role claim path: ${text}`);
  return path;
}

// Keys are looked up in a Map by their whole text, which reveals no prefix to an attacker.
function opaqueKeys(options: TokenVerifierOptions, anonymous: Identity | null): Map<string, Identity> {
  const keys = new Map<string, Identity>();
  if (options.publishableKey && anonymous) keys.set(options.publishableKey, anonymous);
  if (options.secretKey) keys.set(options.secretKey, toIdentity("service_role", { role: "service_role" }));
  return keys;
}
