import { base64url, type JSONWebKeySet, type JWK } from "jose";
import { readSettingsFile, refuse, type Variables } from "./variables.ts";

export type JwtKeys = { secret?: string | Uint8Array; secrets?: Uint8Array[]; jwks?: JSONWebKeySet };

export const MIN_SECRET_LENGTH = 32;

/**
 * Reads `jwt-secret`: a text of 32 characters or more, the same in base64 (`jwt-secret-is-base64`), a JSON Web Key, or
 * a set of them; `@path` reads it from a file. Without it, tokens are refused with PGRST300.
 */
export function readJwtKeys(variables: Variables): JwtKeys {
  const text = readSecretText(variables);
  if (text === null) return {};
  const keys = parseKeys(text);
  if (keys) return splitKeys(keys);
  const secret = variables.boolean("PGRST_JWT_SECRET_IS_BASE64") ? decodeBase64(text) : text;
  if (secret.length < MIN_SECRET_LENGTH) {
    refuse(
      "PGRST_JWT_SECRET",
      `must have at least ${MIN_SECRET_LENGTH} characters, or be a JSON Web Key (set)`,
    );
  }
  return { secret };
}

function readSecretText(variables: Variables): string | null {
  const text = variables.text("PGRST_JWT_SECRET");
  if (!text?.startsWith("@")) return text;
  return readSettingsFile(text.slice(1), "PGRST_JWT_SECRET names a file that cannot be read.").replace(
    /\n$/,
    "",
  );
}

function parseKeys(text: string): JWK[] | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    const parsed: JWK | JSONWebKeySet = JSON.parse(text);
    if ("keys" in parsed && Array.isArray(parsed.keys)) return parsed.keys;
    return "kty" in parsed
      ? [parsed as JWK]
      : refuse("PGRST_JWT_SECRET", "is JSON, but neither a JSON Web Key nor a set of them");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * The first symmetric key is used as the shared secret, the others verify tokens, too; the key set for verification
 * contains public keys only.
 */
function splitKeys(keys: JWK[]): JwtKeys {
  const [secret, ...secrets] = keys.flatMap(({ kty, k }) =>
    kty === "oct" && k ? [base64url.decode(k)] : [],
  );
  const publicKeys = keys.filter((key) => key.kty !== "oct");
  return {
    ...(secret && { secret }),
    ...(secrets.length > 0 && { secrets }),
    ...(publicKeys.length > 0 && { jwks: { keys: publicKeys } }),
  };
}

// Upstream accepts both alphabets, with `.` as padding.
function decodeBase64(text: string): Uint8Array {
  const standard = text.trim().replaceAll("_", "/").replaceAll("-", "+").replaceAll(".", "=");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(standard)) refuse("PGRST_JWT_SECRET", "is not base64");
  return Buffer.from(standard, "base64");
}
