import { createHmac, timingSafeEqual } from "node:crypto";

/** The session, and the serial number of its token. */
export type RefreshTokenContent = { sessionId: string; counter: number };

const ID_BYTES = 16;
const COUNTER_BYTES = 6;
const SIGNATURE_BYTES = 20;
const LENGTH = ID_BYTES + COUNTER_BYTES + SIGNATURE_BYTES;

/**
 * A refresh token is its session's id and a counter, signed. None of it is stored, so read access to the database is
 * not enough to forge one, and the current one can be reissued to a client that missed it.
 */
export function writeRefreshToken({ sessionId, counter }: RefreshTokenContent, secret: string): string {
  const content = Buffer.alloc(ID_BYTES + COUNTER_BYTES);
  content.write(sessionId.replaceAll("-", ""), "hex");
  content.writeUIntBE(counter, ID_BYTES, COUNTER_BYTES);
  return Buffer.concat([content, sign(content, secret)]).toString("base64url");
}

/** Null if this service did not sign it. */
export function readRefreshToken(token: string, secret: string): RefreshTokenContent | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== LENGTH || bytes.toString("base64url") !== token) return null;
  const content = bytes.subarray(0, ID_BYTES + COUNTER_BYTES);
  if (!timingSafeEqual(sign(content, secret), bytes.subarray(ID_BYTES + COUNTER_BYTES))) return null;
  const hex = content.toString("hex", 0, ID_BYTES);
  return {
    sessionId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    counter: content.readUIntBE(ID_BYTES, COUNTER_BYTES),
  };
}

function sign(content: Uint8Array, secret: string): Buffer {
  return createHmac("sha256", secret)
    .update("refresh token")
    .update(content)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}
