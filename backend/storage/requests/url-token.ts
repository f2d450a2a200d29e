import { errors, jwtVerify, SignJWT } from "jose";
import * as v from "valibot";
import { accessDenied, invalidSignature, StorageError } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";

/** What a signed URL allows: to read an object, as is or as a fixed rendering, or to upload one. */
const Claims = v.variant("scope", [
  v.object({
    scope: v.literal("download"),
    url: v.string(),
    transformations: v.optional(v.string()),
    version: v.optional(v.string()),
  }),
  v.object({
    scope: v.literal("upload"),
    url: v.string(),
    owner: v.nullable(v.string()),
    upsert: v.boolean(),
  }),
]);

export type UrlClaims = v.InferOutput<typeof Claims>;
type Scoped<Scope> = Extract<UrlClaims, { scope: Scope }>;

/** @param lifetime in seconds */
export function signUrl({ secret }: StorageService, claims: UrlClaims, lifetime: number): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime)
    .sign(new TextEncoder().encode(secret));
}

/**
 * Verifies that the token was signed for uploading this object, and that the account that signed it may still act.
 * @throws StorageError 400, 403
 */
export async function verifyUploadUrl(service: StorageService, token: string | null, url: string) {
  const claims = await verifyUrl(service, token, "upload", url);
  if (claims.owner !== null && service.verifier.isBanned(claims.owner)) throw accessDenied();
  return claims;
}

/** Verifies that the token was signed for this object and purpose. @throws StorageError 400 */
export async function verifyUrl<Scope extends UrlClaims["scope"]>(
  { secret }: StorageService,
  token: string | null,
  scope: Scope,
  url: string,
): Promise<Scoped<Scope>> {
  if (!token)
    throw new StorageError(400, "InvalidRequest", "querystring must have required property 'token'");
  const key = new TextEncoder().encode(secret);
  const verified = await jwtVerify(token, key, { algorithms: ["HS256"], requiredClaims: ["exp"] }).catch(
    (cause) => {
      if (cause instanceof errors.JWTExpired) throw invalidToken('"exp" claim timestamp check failed');
      const isToken = !(cause instanceof errors.JWSInvalid);
      throw invalidToken(isToken ? "signature verification failed" : "Invalid Compact JWS");
    },
  );
  const parsed = v.safeParse(Claims, verified.payload);
  if (parsed.success && parsed.output.scope === scope && parsed.output.url === url) {
    return parsed.output as Scoped<Scope>;
  }
  throw invalidSignature("The signature is for another address");
}

function invalidToken(reason: string): StorageError {
  return new StorageError(400, "InvalidJWT", reason);
}
