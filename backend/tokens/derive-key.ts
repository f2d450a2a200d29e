import { createHmac } from "node:crypto";

/** Everything that follows from a secret, and the text that keeps it apart from the others. */
const PURPOSES = {
  auth: "auth/v1",
  storage: "storage/v1",
  publishableKey: "publishable key",
  secretKey: "secret key",
  authenticatorPassword: "authenticator",
  authAdminPassword: "auth admin",
} as const;

/** A key for one purpose: what it signs never passes for a token, nor for anything of another purpose. */
export function deriveKey(secret: string | Uint8Array, purpose: keyof typeof PURPOSES): string {
  return createHmac("sha256", secret).update(PURPOSES[purpose]).digest("base64url");
}
