import type { JWTPayload } from "jose";
import { hookBroken, hookTooLong } from "../hooks/hook-faults.ts";
import type { AuthService } from "../service/auth-service.ts";
import type { UserRow } from "../users/user-row.ts";
import { type AccessClaims, accessClaims, MAX_CLAIMS_BYTES } from "./access-claims.ts";
import type { SessionRow } from "./session-row.ts";

/** Claims a token must keep, with their JSON types. Like the hosted service, accepts any type for `is_anonymous`. */
const TYPES: Record<string, readonly string[]> = {
  aud: ["string", "array"],
  exp: ["integer"],
  iat: ["integer"],
  sub: ["string"],
  email: ["string"],
  phone: ["string"],
  role: ["string"],
  aal: ["string"],
  session_id: ["string"],
  is_anonymous: [],
};

/** Tokens are revoked by these claims: a hook that changed them could create tokens that outlive their session. */
const FIXED = ["sub", "session_id"] as const;

/** At most as long as revocations are kept. */
const LONGEST = 7 * 24 * 3600;

export type IssuedClaims = { claims: AccessClaims; issuedAt: number };

/**
 * The claims of a new access token after the operator's hook; `method` is how the token was obtained, if not by the
 * sign-in that started the session. @throws AuthError
 */
export async function issueClaims(
  { config, hooks }: Pick<AuthService, "config" | "hooks">,
  { user, session }: { user: UserRow; session: SessionRow },
  method?: "token_refresh",
): Promise<IssuedClaims> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const times = { issuedAt, expiresAt: issuedAt + config.accessTokenLifetime };
  const claims = accessClaims(user, session, { ...config, ...times });
  const [first] = JSON.parse(session.methods) as { method: string }[];
  const input = { user_id: claims.sub, claims, authentication_method: method ?? first?.method ?? "" };
  const answer = await hooks.run("accessToken", input, session.ip ?? null);
  return { claims: answer ? checked(answer.claims, claims) : claims, issuedAt };
}

function checked(wanted: JWTPayload, claims: AccessClaims): AccessClaims {
  const faults = Object.entries(TYPES).flatMap(([name, types]) => describeFault(wanted, name, types));
  if (faults.length > 0) {
    const list = faults.map((fault) => `- ${fault}\n`).join("");
    throw hookBroken(`output claims do not conform to the expected schema: \n${list}`);
  }
  for (const name of FIXED) {
    if (wanted[name] !== claims[name]) throw hookBroken(`output claims must keep ${name} as it is`);
  }
  if (Number(wanted.exp) - claims.iat > LONGEST) {
    throw hookBroken("output claims must let the token expire within 7 days");
  }
  if (Buffer.byteLength(JSON.stringify(wanted)) > MAX_CLAIMS_BYTES) throw hookTooLong(MAX_CLAIMS_BYTES);
  // A hook that names the claims to keep may not know this one, without which an application would have its user's rights.
  return {
    ...wanted,
    ...(claims.client_id !== undefined && { client_id: claims.client_id }),
  } as AccessClaims;
}

function describeFault(claims: JWTPayload, name: string, types: readonly string[]): string[] {
  if (!Object.hasOwn(claims, name)) return [`(root): ${name} is required`];
  const type = typeOf(claims[name]);
  if (types.length === 0 || types.includes(type)) return [];
  return [`${name}: Invalid type. Expected: ${types.join("/")}, given: ${type}`];
}

/** The value's JSON Schema type. */
function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
