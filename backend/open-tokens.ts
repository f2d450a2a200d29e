import type { JSONWebKeySet } from "jose";
import type { RevocationFeed } from "#backend/tokens/revocation-feed.ts";
import { createTokenSigner, type TokenSigner } from "#backend/tokens/token-signer.ts";
import { createTokenVerifier, type TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { BackendOptions } from "./backend-options.ts";
import { issuedBy } from "./open-auth.ts";

/** `jwks` are the public keys, if there are any. */
export type Tokens = { signer: TokenSigner | null; verifier: TokenVerifier; jwks: JSONWebKeySet | undefined };

/** Signer and verifier of access tokens, shared by all services. `anonRole` is the role of requests without a token. */
export async function openTokens(
  options: BackendOptions,
  anonRole: string | null,
  revocations: RevocationFeed,
): Promise<Tokens> {
  const { jwtSecret: secret, publishableKey, secretKey, tokens, auth } = options;
  // A missing revocation table means that the backend's schema was not applied, which is fine for rest alone.
  if (auth && auth.requireRevocations !== false && !revocations.isKept())
    throw new Error("the database keeps no revocations of sessions");
  const signer =
    typeof secret === "string"
      ? await createTokenSigner(options.signingKeys ?? [], secret, options.jwtSecretId)
      : null;
  const jwks = joinKeys(signer?.publicKeys, tokens?.jwks);
  const verifier = createTokenVerifier({
    ...tokens,
    secret,
    secrets: [...(signer?.secrets ?? []), ...(tokens?.secrets ?? [])],
    jwks,
    anonRole: anonRole ?? undefined,
    publishableKey,
    secretKey,
    revocations,
    issued: auth && issuedBy(auth),
  });
  return { signer, verifier, jwks };
}

/** The keys of both sets; on equal `kid`s, `own` wins. */
function joinKeys(
  own: JSONWebKeySet | undefined,
  others: JSONWebKeySet | undefined,
): JSONWebKeySet | undefined {
  if (!own || !others) return own ?? others;
  const names = new Set(own.keys.map(({ kid }) => kid));
  return { keys: [...own.keys, ...others.keys.filter(({ kid }) => !kid || !names.has(kid))] };
}
