import { checkClaims } from "./claims.ts";
import { type Identity, toIdentity } from "./identity.ts";
import { findRole, parseRoleClaimPath } from "./role-claim.ts";
import { createSignatureCheck, type Keys } from "./signature.ts";
import { TokenError } from "./token-error.ts";

export type TokenVerifierOptions = Keys & {
  /** Required `aud`; tokens that name no audience pass. */
  audience?: string | undefined;
  /** The role of requests without a token; without it they are refused with PGRST302. */
  anonRole?: string | undefined;
  /** Where a token's role stands, `.role` by default. */
  roleClaimPath?: string | undefined;
  /** Opaque key (`sb_publishable_…`) that means the anonymous role. */
  publishableKey?: string | undefined;
  /** Opaque key (`sb_secret_…`) that means `service_role`. */
  secretKey?: string | undefined;
};

export type TokenVerifier = {
  /**
   * Says who a bearer token or API key stands for; null, undefined or an empty text is the visitor without one.
   * Rejects with `TokenError`. Checked signatures are remembered, so a token is paid for once; its times are judged
   * on every call.
   */
  verify(token: string | null | undefined): Promise<Identity>;
  /** The answer for a token that was checked before and still holds; null sends the caller to `verify`. */
  verifyKnown(token: string | null | undefined): Identity | null;
};

const REMEMBERED = 10_000;

export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const checkSignature = createSignatureCheck(options);
  const rolePath = parseRoleClaimPath(options.roleClaimPath ?? ".role");
  if (!rolePath) throw new TypeError(`no role claim path: ${options.roleClaimPath}`);
  const anonymous =
    options.anonRole === undefined ? null : toIdentity(options.anonRole, { role: options.anonRole });
  const opaque = opaqueKeys(options, anonymous);
  const known = new Map<string, Identity>();

  function remember(token: string, identity: Identity): Identity {
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string);
    known.set(token, identity);
    return identity;
  }

  function verifyKnown(token: string | null | undefined): Identity | null {
    if (!token) return anonymous;
    const identity = opaque.get(token) ?? known.get(token);
    if (!identity) return null;
    checkClaims(identity.claims, options.audience, Date.now() / 1000);
    return identity;
  }

  return {
    verifyKnown,
    async verify(token) {
      const identity = verifyKnown(token);
      if (identity) return identity;
      if (!token) throw new TokenError("PGRST302", "Anonymous access is disabled");
      if (/^sb_(publishable|secret)_/.test(token)) throw new TokenError("PGRST301", "Invalid API key");
      const claims = await checkSignature(token);
      checkClaims(claims, options.audience, Date.now() / 1000);
      const role = findRole(claims, rolePath) ?? options.anonRole;
      if (role === undefined) throw new TokenError("PGRST302", "Anonymous access is disabled");
      return remember(token, toIdentity(role, claims));
    },
  };
}

// The keys are compared by a map's lookup of the whole text, which tells an attacker no prefix.
function opaqueKeys(options: TokenVerifierOptions, anonymous: Identity | null): Map<string, Identity> {
  const keys = new Map<string, Identity>();
  if (options.publishableKey && anonymous) keys.set(options.publishableKey, anonymous);
  if (options.secretKey) keys.set(options.secretKey, toIdentity("service_role", { role: "service_role" }));
  return keys;
}
