import type { Frame, UserBroadcast, Version } from "./message.ts";

const USER_BROADCAST = 4;
const AS_BYTES = 0;
const MAX_NAME_BYTES = 255;

type Head = { joinRef?: string | null; ref?: string | null; topic: string; event: string };

/** A text frame whose payload is already JSON. Without `joinRef` and `ref` it suits every subscriber of the topic. */
export function encodeText(version: Version, head: Head, payload: string): Frame {
  const { joinRef = null, ref = null, topic, event } = head;
  const data =
    version === "2.0.0"
      ? `[${JSON.stringify(joinRef)},${JSON.stringify(ref)},${JSON.stringify(topic)},${JSON.stringify(event)},${payload}]`
      : `{"topic":${JSON.stringify(topic)},"event":${JSON.stringify(event)},"payload":${payload},"ref":${JSON.stringify(ref)},"join_ref":${JSON.stringify(joinRef)}}`;
  return wrapFrame(Buffer.from(data), false);
}

/**
 * JSON goes out as text, which every client reads; Phoenix's own cannot decode Supabase's binary frames. Null if the
 * protocol cannot represent it: version 1.0.0 has no binary broadcasts, and their frames have no long names.
 */
export function encodeBroadcast(version: Version, topic: string, broadcast: UserBroadcast): Frame | null {
  if (!("json" in broadcast)) return version === "2.0.0" ? encodeBytes(topic, broadcast) : null;
  const payload = `{"type":"broadcast","event":${JSON.stringify(broadcast.event)},"payload":${broadcast.json}${metaOf(broadcast)}}`;
  return encodeText(version, { topic, event: "broadcast" }, payload);
}

const metaOf = ({ meta }: UserBroadcast) => (meta ? `,"meta":${JSON.stringify(meta)}` : "");

/** Kind, four lengths, topic, event, metadata, content: the layout that the client's `_decodeUserBroadcast` reads. */
function encodeBytes(topic: string, broadcast: Extract<UserBroadcast, { bytes: Uint8Array }>): Frame | null {
  const meta = Buffer.from(broadcast.meta ? JSON.stringify(broadcast.meta) : "");
  const names = [Buffer.from(topic), Buffer.from(broadcast.event), meta] as const;
  if (names.some((name) => name.length > MAX_NAME_BYTES)) return null;
  const head = Uint8Array.of(USER_BROADCAST, names[0].length, names[1].length, meta.length, AS_BYTES);
  return wrapFrame(Buffer.concat([head, ...names, broadcast.bytes]), true);
}

const WHOLE_TEXT = 0x81;
const WHOLE_BYTES = 0x82;

/** Wraps `data` in a server's WebSocket frame, unfragmented and unmasked (RFC 6455 §5.2). */
export function wrapFrame(data: Uint8Array, binary: boolean): Frame {
  const head = [binary ? WHOLE_BYTES : WHOLE_TEXT, ...lengthOf(data.length)];
  return { data, binary, wire: Buffer.concat([Uint8Array.from(head), data]) };
}

/** Payload length in 7 bits, or 126 and 16 bits, or 127 and 64 bits. */
function lengthOf(length: number): number[] {
  if (length < 126) return [length];
  if (length < 65_536) return [126, length >> 8, length & 255];
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return [127, ...bytes];
}
