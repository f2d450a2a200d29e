import { type JWTPayload, SignJWT } from "jose";

/** Signs claims as an HS256 JWT; `exp` and `iat` are seconds since 1970 and up to the caller. */
export function signToken(claims: JWTPayload, secret: string, kid?: string): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT", ...(kid && { kid }) })
    .sign(new TextEncoder().encode(secret));
}
