/** A decoded frame, independent of the serializer. */
export type Message = {
  joinRef: string | null;
  ref: string | null;
  /** `phoenix` for the connection itself, else `realtime:` and the channel's name. */
  topic: string;
  event: string;
  /** A `UserBroadcast` if the event is `broadcast`, else arbitrary JSON from the client. */
  payload: unknown;
};

/** A client's broadcast, relayed unchanged; `json` is valid JSON. `persist`: the client asked for it to be stored. */
export type UserBroadcast = { event: string; meta?: BroadcastMeta; persist?: true } & (
  | { json: string }
  | { bytes: Uint8Array }
);

/** Metadata of a message stored in the database. */
type BroadcastMeta = { id: string; replayed?: boolean };

/** The official client's two protocols: JSON objects, or JSON arrays with binary broadcasts. */
export type Version = "1.0.0" | "2.0.0";

/** A frame ready to send: `wire` is the WebSocket frame around `data`. Recipients of equal messages share the bytes. */
export type Frame = { data: Uint8Array; binary: boolean; wire: Uint8Array };

/** Whether its JSON is that short; a value nested too deeply to be serialized counts as too long. */
export function isShort(value: object, maxBytes: number): boolean {
  try {
    return Buffer.byteLength(JSON.stringify(value)) <= maxBytes;
  } catch {
    return false;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
