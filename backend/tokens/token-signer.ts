import { base64url, importJWK, type JSONWebKeySet, type JWK, type JWTPayload, SignJWT } from "jose";
import { signToken } from "./sign-token.ts";

export type TokenSigner = {
  /** Signs claims as a JWT; `exp` and `iat` are seconds since 1970 and up to the caller. */
  sign(claims: JWTPayload): Promise<string>;
  /** The signature algorithm; `HS256` can be verified only by the services. */
  algorithm: string;
  /** Public keys for verification by anyone, including keys not yet or no longer used for signing (RFC 7517). */
  publicKeys: JSONWebKeySet;
  /** The symmetric keys, which are used for verification too and never published. */
  secrets: Uint8Array[];
};

const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/**
 * Signs with the one key that has `sign` in its `key_ops`, setting its `kid`; without such a key, with HS256 and the
 * secret, whose `kid` is `secretId` if given. A key set with two signing keys is refused as ambiguous.
 */
export async function createTokenSigner(
  keys: readonly JWK[],
  secret: string,
  secretId?: string,
): Promise<TokenSigner> {
  const signing = keys.filter((key) => key.key_ops?.includes("sign"));
  if (signing.length > 1) throw new TypeError("more than one of the keys is for signing");
  const publicKeys = { keys: keys.filter((key) => key.kty !== "oct").map(toPublicKey) };
  const secrets = keys.flatMap(({ kty, k }) => (kty === "oct" && k ? [base64url.decode(k)] : []));
  const [key] = signing;
  if (!key) {
    return {
      sign: (claims) => signToken(claims, secret, secretId),
      algorithm: "HS256",
      publicKeys,
      secrets,
    };
  }
  const { alg, kid } = key;
  if (!alg || !kid) throw new TypeError("a signing key needs alg and kid");
  // Upstream's tool lists `verify` beside `sign`, which WebCrypto refuses for a private key.
  const imported = await importJWK({ ...key, key_ops: ["sign"] }, alg);
  return {
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg, kid, typ: "JWT" }).sign(imported),
    algorithm: alg,
    publicKeys,
    secrets,
  };
}

function toPublicKey(key: JWK): JWK {
  const entries = Object.entries(key).filter(([name]) => !PRIVATE_MEMBERS.includes(name));
  return { ...Object.fromEntries(entries), key_ops: ["verify"], use: "sig" } as JWK;
}
