import type { Frame } from "./message.ts";

const WHOLE_TEXT = 0x81;
const WHOLE_BYTES = 0x82;

/** The websocket frame of a server around `data`: whole and unmasked (RFC 6455 §5.2). */
export function wrapFrame(data: Uint8Array, binary: boolean): Frame {
  const head = [binary ? WHOLE_BYTES : WHOLE_TEXT, ...lengthOf(data.length)];
  return { data, binary, wire: Buffer.concat([Uint8Array.from(head), data]) };
}

/** In 7 bits, or 126 and 16 bits, or 127 and 64 bits. */
function lengthOf(length: number): number[] {
  if (length < 126) return [length];
  if (length < 65_536) return [126, length >> 8, length & 255];
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return [127, ...bytes];
}
