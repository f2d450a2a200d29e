/** What one frame says, whichever serializer it came by. */
export type Message = {
  joinRef: string | null;
  ref: string | null;
  /** `phoenix` for the connection's own affairs, else `realtime:` and the channel's name. */
  topic: string;
  event: string;
  /** A `UserBroadcast` for event `broadcast`, else whatever JSON the client sent. */
  payload: unknown;
};

/** A broadcast of a client, passed on as it came; `json` was checked to be JSON. `persist`: it was to be kept as well. */
export type UserBroadcast = { event: string; meta?: BroadcastMeta; persist?: true } & (
  | { json: string }
  | { bytes: Uint8Array }
);

/** Of a message that the database keeps. */
type BroadcastMeta = { id: string; replayed?: boolean };

/** The two protocols of the official client: objects as JSON, or arrays as JSON with binary broadcasts. */
export type Version = "1.0.0" | "2.0.0";

/** A frame ready for the socket: `wire` is the websocket frame that holds `data`. The same bytes go to everyone who gets the same. */
export type Frame = { data: Uint8Array; binary: boolean; wire: Uint8Array };

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
