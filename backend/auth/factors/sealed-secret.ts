import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SealingKeys } from "../service/auth-service.ts";

const MARK = "sealed:";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** An authenticator app's secret must be read back, so it is encrypted (AES-256-GCM) and bound to its factor. */
export function seal(text: string, factorId: string, [secret]: SealingKeys): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret), nonce).setAAD(Buffer.from(factorId));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return MARK + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Returns plain-text secrets of imported factors as they are. Null if none of the keys sealed it. */
export function unseal(stored: string, factorId: string, keys: SealingKeys): string | null {
  if (!stored.startsWith(MARK)) return stored;
  const bytes = Buffer.from(stored.slice(MARK.length), "base64url");
  return keys.map((key) => open(bytes, factorId, key)).find((text) => text !== null) ?? null;
}

function open(bytes: Buffer, factorId: string, secret: string): string | null {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret), nonce)
    .setAAD(Buffer.from(factorId))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return (
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
    );
  } catch {
    return null;
  }
}

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "factor secrets", 32));
}
