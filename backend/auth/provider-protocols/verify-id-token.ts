import { hash } from "node:crypto";
import { type JWTPayload, jwtVerify } from "jose";
import { readClaims } from "./claims.ts";
import type { Connect } from "./connect-provider.ts";
import type { ProvidedPerson, Provider } from "./provider.ts";

/** Only asymmetric ones: with a shared secret, anyone able to verify a token could forge one. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const GOOGLE = "https://accounts.google.com";

/** What is wrong with an ID token, in the hosted service's wording. */
export type IdTokenFault = { error: "invalid request" | "invalid nonce"; description: string };

type Sent = { idToken: string; nonce: string; accessToken: string };

/**
 * Verifies an ID token that an app or browser got directly from the provider: signature, issuer, audience, expiry,
 * nonce.
 */
export async function verifyIdToken(
  connect: Connect,
  provider: Provider & { protocol: "oidc" },
  { idToken, nonce, accessToken }: Sent,
): Promise<ProvidedPerson | IdTokenFault> {
  const { keys, configuration } = await connect(provider);
  const { issuer } = configuration.serverMetadata();
  const bad = invalid("Bad ID token");
  if (!keys) return bad;
  const claims = await jwtVerify(idToken, keys, {
    algorithms: ALGORITHMS,
    // Google has used both forms of its issuer.
    issuer: issuer === GOOGLE ? [issuer, "accounts.google.com"] : issuer,
    requiredClaims: ["exp", "iat", "sub"],
    clockTolerance: 30,
  }).then(
    ({ payload, protectedHeader }) => ({ ...payload, alg: protectedHeader.alg }),
    () => null,
  );
  if (!claims || !matchesAccessToken(claims, accessToken)) return bad;
  const audiences = [claims.aud ?? []].flat();
  if (!audiences.some((audience) => provider.clientIds.includes(audience))) {
    return invalid("Unacceptable audience in id_token");
  }
  const person = readClaims(claims, provider.mapping, provider.keptClaims);
  if (person.subject === "") return invalid("Missing sub claim in id_token");
  return findNonceFault(claims, nonce, provider) ?? person;
}

/** The token contains the nonce's hash, so that an intercepted token cannot be used without the nonce. */
function findNonceFault(
  claims: JWTPayload,
  nonce: string,
  { skipNonceCheck }: Provider,
): IdTokenFault | null {
  if (skipNonceCheck) return null;
  const held = typeof claims.nonce === "string" ? claims.nonce : "";
  if ((held === "") !== (nonce === "")) {
    return invalid("Passed nonce and nonce in id_token should either both exist or not.");
  }
  if (held === "" || held === hash("sha256", nonce)) return null;
  return { error: "invalid nonce", description: "Nonces mismatch" };
}

/** If both were sent, they must belong together (OpenID Connect Core 1.0, §3.1.3.6). */
function matchesAccessToken(
  { at_hash: held, alg }: JWTPayload & { alg: string },
  accessToken: string,
): boolean {
  if (accessToken === "" || typeof held !== "string") return true;
  const algorithm = alg === "EdDSA" ? "sha512" : `sha${alg.slice(-3)}`;
  const bytes = hash(algorithm, accessToken, "buffer");
  return bytes.subarray(0, bytes.length / 2).toString("base64url") === held;
}

function invalid(description: string): IdTokenFault {
  return { error: "invalid request", description };
}
