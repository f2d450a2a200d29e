import { createHmac } from "node:crypto";

/** Everything that follows from a secret, and the text that keeps it apart from the others. */
const PURPOSES = {
  auth: "auth/v1",
  storage: "storage/v1",
  s3AccessKeyId: "storage/v1/s3 access key",
  s3SecretAccessKey: "storage/v1/s3 secret",
  publishableKey: "publishable key",
  secretKey: "secret key",
  authenticatorPassword: "authenticator",
  authAdminPassword: "auth admin",
} as const;

/** A key for one purpose: what it signs never passes for a token, nor for anything of another purpose. */
export function deriveKey(secret: string | Uint8Array, purpose: keyof typeof PURPOSES): string {
  return createHmac("sha256", secret).update(PURPOSES[purpose]).digest("base64url");
}

/** The pair by which S3's clients sign requests that pass every policy. */
export function deriveAccessKey(secret: string | Uint8Array): { id: string; secret: string } {
  const id = Buffer.from(deriveKey(secret, "s3AccessKeyId"), "base64url").toString("hex").slice(0, 32);
  return { id, secret: deriveKey(secret, "s3SecretAccessKey") };
}
