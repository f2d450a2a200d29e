import { createHmac, timingSafeEqual } from "node:crypto";

/** Which session, and the how-manieth token of it. */
export type RefreshTicket = { sessionId: string; counter: number };

const ID_BYTES = 16;
const COUNTER_BYTES = 6;
const SIGNATURE_BYTES = 20;
const LENGTH = ID_BYTES + COUNTER_BYTES + SIGNATURE_BYTES;

/**
 * A refresh token is its session's id and a counter, signed: nothing of it needs to be stored, so whoever reads the
 * database can forge none, and the current one can be given again to a client that missed it.
 */
export function writeRefreshToken({ sessionId, counter }: RefreshTicket, secret: string): string {
  const ticket = Buffer.alloc(ID_BYTES + COUNTER_BYTES);
  ticket.write(sessionId.replaceAll("-", ""), "hex");
  ticket.writeUIntBE(counter, ID_BYTES, COUNTER_BYTES);
  return Buffer.concat([ticket, sign(ticket, secret)]).toString("base64url");
}

/** Gives null for what this service did not sign. */
export function readRefreshToken(token: string, secret: string): RefreshTicket | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== LENGTH || bytes.toString("base64url") !== token) return null;
  const ticket = bytes.subarray(0, ID_BYTES + COUNTER_BYTES);
  if (!timingSafeEqual(sign(ticket, secret), bytes.subarray(ID_BYTES + COUNTER_BYTES))) return null;
  const hex = ticket.toString("hex", 0, ID_BYTES);
  return {
    sessionId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    counter: ticket.readUIntBE(ID_BYTES, COUNTER_BYTES),
  };
}

function sign(ticket: Uint8Array, secret: string): Buffer {
  return createHmac("sha256", secret)
    .update("refresh token")
    .update(ticket)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}
