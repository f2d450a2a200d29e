import { createHmac } from "node:crypto";

/** Everything derived from a secret, with the label that separates each use. */
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

/** Derives a key for one purpose: nothing signed with it is valid as a token, or for another purpose. */
export function deriveKey(secret: string | Uint8Array, purpose: keyof typeof PURPOSES): string {
  return createHmac("sha256", secret).update(PURPOSES[purpose]).digest("base64url");
}

/** The access key pair with which S3 clients sign requests that bypass every policy. */
export function deriveAccessKey(secret: string | Uint8Array): { id: string; secret: string } {
  const id = Buffer.from(deriveKey(secret, "s3AccessKeyId"), "base64url").toString("hex").slice(0, 32);
  return { id, secret: deriveKey(secret, "s3SecretAccessKey") };
}
