import type { JWTPayload } from "jose";
import type { AuthConfig } from "../service/auth-config.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SessionRow } from "./session-row.ts";
import { sharedClaims } from "./shared-claims.ts";

/**
 * A token is sent with every request in one header line. Servers accept 16 kB of headers and proxies 8 kB per line: a
 * longer token would lock its owner out, even of the endpoints that could shorten it. Signing adds half again.
 */
export const MAX_CLAIMS_BYTES = 4_500;

/** Emptied in this order if an account's claims exceed that; `GET /user` returns all of them. */
const DROPPED_FIRST: Record<string, unknown> = { user_metadata: {}, app_metadata: {}, phone: "", email: "" };

export type AccessClaims = JWTPayload & { sub: string; iat: number; exp: number };

/** The claims of an access token. Times are seconds since 1970. */
export function accessClaims(
  user: UserRow,
  session: SessionRow,
  {
    issuer,
    externalUrl,
    audience,
    defaultRole,
    issuedAt,
    expiresAt,
  }: Pick<AuthConfig, "issuer" | "externalUrl" | "audience" | "defaultRole"> &
    Record<"issuedAt" | "expiresAt", number>,
): AccessClaims {
  const claims: AccessClaims = {
    iss: issuer ?? externalUrl,
    sub: user.id,
    aud: user.aud ?? audience,
    exp: expiresAt,
    iat: issuedAt,
    ...sharedClaims(user, session),
    app_metadata: JSON.parse(user.raw_app_meta_data ?? "{}"),
    role: user.role ?? defaultRole,
    aal: session.aal ?? "aal1",
    amr: methodsOf(user, session),
    session_id: session.id,
    is_anonymous: user.is_anonymous === "t",
    ...(session.oauth_client_id && { client_id: session.oauth_client_id, scope: session.scopes ?? "" }),
  };
  for (const [name, empty] of Object.entries(DROPPED_FIRST)) {
    if (Buffer.byteLength(JSON.stringify(claims)) <= MAX_CLAIMS_BYTES) break;
    claims[name] = empty;
  }
  return claims;
}

/** The session's `amr`; SAML entries name the provider, so that policies can tell its users apart. */
function methodsOf(user: UserRow, session: SessionRow): unknown[] {
  const methods: { method: string }[] = JSON.parse(session.methods);
  const provider = /"provider": ?"sso:([^"]+)"/.exec(user.raw_app_meta_data ?? "")?.[1];
  return methods.map((entry) => (entry.method === "sso/saml" ? { ...entry, provider } : entry));
}
