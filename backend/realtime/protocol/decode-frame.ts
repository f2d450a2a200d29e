import { isRecord, type Message, type UserBroadcast, type Version } from "./message.ts";

const BROADCAST_PUSH = 3;
const HEADER = 7;
const AS_JSON = 1;
/** As in binary frames. A channel keeps the reference it was joined with. */
const MAX_REF_LENGTH = 255;
const text = new TextDecoder("utf-8", { fatal: true });

/** Decodes a client's frame; null if it is invalid in its protocol version. Never throws. */
export function decodeFrame(version: Version, data: Uint8Array, binary: boolean): Message | null {
  try {
    if (binary) return version === "2.0.0" ? readBroadcastPush(data) : null;
    const json: unknown = JSON.parse(text.decode(data));
    return version === "2.0.0" ? readArray(json) : readObject(json);
  } catch {
    return null;
  }
}

function readArray(json: unknown): Message | null {
  if (!Array.isArray(json) || json.length < 5) return null;
  const [joinRef, ref, topic, event, payload] = json;
  return toMessage(joinRef, ref, topic, event, payload);
}

function readObject(json: unknown): Message | null {
  if (!isRecord(json)) return null;
  return toMessage(json.join_ref, json.ref, json.topic, json.event, json.payload);
}

function toMessage(
  joinRef: unknown,
  ref: unknown,
  topic: unknown,
  event: unknown,
  payload: unknown,
): Message | null {
  if (typeof topic !== "string" || typeof event !== "string") return null;
  const content = event === "broadcast" ? readBroadcast(payload) : payload;
  if (content === null && event === "broadcast") return null;
  return { joinRef: toRef(joinRef), ref: toRef(ref), topic, event, payload: content };
}

function toRef(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" && value.length <= MAX_REF_LENGTH ? value : null;
}

function readBroadcast(payload: unknown): UserBroadcast | null {
  if (!isRecord(payload)) return null;
  const { event } = payload;
  const json = JSON.stringify(payload.payload ?? {});
  return { event: typeof event === "string" ? event : "", json, ...markOf(payload) };
}

function markOf(metadata: unknown): Pick<UserBroadcast, "persist"> {
  return isRecord(metadata) && metadata.persist ? { persist: true } : {};
}

/** Kind, six lengths, the strings they measure, then the content: the client's `_encodeUserBroadcastPush`. */
function readBroadcastPush(data: Uint8Array): Message | null {
  if (data.length < HEADER || data[0] !== BROADCAST_PUSH) return null;
  let offset = HEADER;
  const take = (length: number) => {
    if (offset + length > data.length) throw new RangeError("the frame is shorter than it says");
    offset += length;
    return text.decode(data.subarray(offset - length, offset));
  };
  const [joinRef, ref, topic, event, metadata] = [1, 2, 3, 4, 5].map((at) => take(data[at] as number));
  const mark = metadata ? markOf(JSON.parse(metadata)) : {};
  const content = data.subarray(offset);
  const decoded = data[6] === AS_JSON ? { json: requireJson(content) } : { bytes: content };
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic: topic as string,
    event: "broadcast",
    payload: { event, ...decoded, ...mark } as UserBroadcast,
  };
}

/** Invalid JSON would throw in the clients that it is relayed to. */
function requireJson(content: Uint8Array): string {
  const json = text.decode(content);
  JSON.parse(json);
  return json;
}
