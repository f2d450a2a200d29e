import { createPrivateKey, createPublicKey } from "node:crypto";
import type { JWK } from "jose";
import { SIGNATURE_ALGORITHMS } from "#backend/tokens/signature.ts";
import { type Environment, refuse } from "../variables.ts";
import { list, text } from "./setting.ts";

/** The keys that access tokens are signed and verified with. */
export type Signing = {
  /** Signs if no key does, and always verifies; all other keys of the services are derived from it. */
  secret: string | null;
  /** The `kid` of tokens signed with it. */
  secretId: string | null;
  /** Including private parts; the one with `sign` in its `key_ops` signs. */
  keys: JWK[];
  /** Null for all supported algorithms. */
  algorithms: string[] | null;
};

const KEYS = "GOTRUE_JWT_KEYS";
const METHODS = "GOTRUE_JWT_VALIDMETHODS";

/** Reads `GOTRUE_JWT_SECRET`, `_KEY_ID`, `_KEYS` and `_VALIDMETHODS`. Throws a one-sentence `ConfigurationError`. */
export function readSigning(environment: Environment): Signing {
  const keys = readKeys(text(KEYS)(environment));
  const algorithms = list(METHODS)(environment);
  if (algorithms?.some((name) => !SIGNATURE_ALGORITHMS.includes(name))) {
    refuse(METHODS, `must list some of ${SIGNATURE_ALGORITHMS.join(", ")}`);
  }
  const signs = keys.find(isForSigning)?.alg ?? "HS256";
  if (algorithms && !algorithms.includes(signs))
    refuse(METHODS, `must list ${signs}, by which tokens are signed`);
  return {
    secret: text("GOTRUE_JWT_SECRET")(environment),
    secretId: text("GOTRUE_JWT_KEY_ID")(environment),
    keys,
    algorithms,
  };
}

/** Parses a list of JSON Web Keys (RFC 7517), or a set. */
function readKeys(json: string | null): JWK[] {
  if (json === null) return [];
  const keys = parseKeys(json).map(withAlgorithm);
  if (keys.filter(isForSigning).length !== 1)
    refuse(KEYS, "must have exactly one key whose key_ops has sign");
  const names = keys.map(({ kid }) => kid);
  if (names.some((kid) => !kid) || new Set(names).size < names.length) {
    refuse(KEYS, "must name each key by a kid of its own");
  }
  if (!keys.every(isUsable)) refuse(KEYS, "holds a key that is broken, or that misses what it needs to sign");
  return keys;
}

function parseKeys(json: string): JWK[] {
  try {
    const parsed: unknown = JSON.parse(json);
    const keys = Array.isArray(parsed) ? parsed : (parsed as { keys?: unknown }).keys;
    if (Array.isArray(keys) && keys.every((key) => typeof key?.kty === "string")) return keys;
  } catch {}
  return refuse(KEYS, "must be a list of JSON Web Keys");
}

const BY_CURVE: Record<string, string> = { "P-256": "ES256", "P-384": "ES384", "P-521": "ES512" };

function withAlgorithm(key: JWK): JWK {
  const byKind: Record<string, string | undefined> = {
    EC: BY_CURVE[key.crv ?? ""],
    RSA: "RS256",
    OKP: "EdDSA",
    oct: "HS256",
  };
  const alg = key.alg ?? byKind[key.kty ?? ""];
  return alg && SIGNATURE_ALGORITHMS.includes(alg)
    ? { ...key, alg }
    : refuse(KEYS, `must have keys for ${SIGNATURE_ALGORITHMS.join(", ")}`);
}

function isForSigning({ key_ops: operations }: JWK): boolean {
  return Array.isArray(operations) && operations.includes("sign");
}

function isUsable(key: JWK): boolean {
  if (key.kty === "oct") return typeof key.k === "string" && key.k !== "";
  try {
    const make = isForSigning(key) ? createPrivateKey : createPublicKey;
    make({ key: key as never, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}
