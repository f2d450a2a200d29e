import { randomUUID } from "node:crypto";
import { RateWindow } from "#backend/memory/rate-window.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { Rights } from "../access/topic-rights.ts";
import { encodeText } from "../protocol/encode-frame.ts";
import type { JoinConfig } from "../protocol/join-config.ts";
import type { Frame, Version } from "../protocol/message.ts";
import type { RealtimeConfig } from "../realtime-config.ts";
import { type Member, roomOf } from "./rooms.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** The socket, as its channels see it. */
export type ChannelConnection = {
  version: Version;
  /** Identity of the API key that the socket was opened with. */
  identity: Identity;
  /** Network address, as rate limits count it. */
  network: string;
  /** All joined channels, by topic. */
  channels: Map<string, Channel>;
  send(frame: Frame): void;
};

/** A topic joined by a connection. */
export class Channel implements Member {
  readonly connection: ChannelConnection;
  readonly topic: string;
  readonly joinRef: string | null;
  readonly room: string;
  readonly config: JoinConfig;
  readonly presenceRate: RateWindow;
  /** During a replay: broadcasts that arrived meanwhile. */
  #held: { frame: Frame; id: string | undefined }[] | null = null;
  #told: ReadonlySet<string> | null = null;
  /** Generated on demand: most channels do not use presence. */
  #anonymousKey: string | null = null;
  identity: Identity;
  rights: Rights;
  /** When the rights were last checked, from `performance.now()`. */
  rightsCheckedAt = performance.now();
  presenceEnabled: boolean;
  /** Ref of the channel's own presence entry while it is tracked. */
  presenceRef: string | null = null;

  constructor(
    connection: ChannelConnection,
    topic: string,
    joinRef: string | null,
    config: JoinConfig,
    identity: Identity,
    rights: Rights,
    limits: RealtimeConfig,
  ) {
    this.connection = connection;
    this.topic = topic;
    this.joinRef = joinRef;
    this.config = config;
    this.identity = identity;
    this.rights = rights;
    this.room = roomOf(this.name, config.private);
    this.presenceEnabled = config.presenceEnabled;
    this.presenceRate = new RateWindow(limits.maxPresenceCalls, limits.presenceWindowMs);
  }

  /** The channel name as client code uses it. */
  get name(): string {
    return nameOf(this.topic);
  }

  get version(): Version {
    return this.connection.version;
  }

  get receivesBroadcasts(): boolean {
    return this.rights.broadcast.read;
  }

  get person(): string {
    const { sub, role } = this.identity.claims;
    return typeof sub === "string" ? `person ${sub}` : `${role} from ${this.connection.network}`;
  }

  /** A key chosen by the client is sent to everyone in the room, so it needs the right to send a payload. */
  get presenceKey(): string {
    const { sub } = this.identity.claims;
    const key = this.rights.presence.payload ? this.config.presenceKey : sub;
    if (typeof key === "string") return key;
    this.#anonymousKey ??= randomUUID();
    return this.#anonymousKey;
  }

  get receivesPresence(): boolean {
    return this.presenceEnabled && this.rights.presence.read;
  }

  /** Milliseconds since 1970. */
  get expiresAt(): number {
    const { exp } = this.identity.claims;
    return typeof exp === "number" ? exp * 1_000 : NEVER;
  }

  send(frame: Frame): void {
    this.connection.send(frame);
  }

  get isCatchingUp(): boolean {
    return this.#held !== null || this.#told !== null;
  }

  /** Queues broadcasts from now on. */
  hold(): void {
    this.#held = [];
  }

  catchUp(frame: Frame, id: string | undefined): void {
    if (this.#held) this.#held.push({ frame, id });
    else if (id === undefined || !this.#told?.has(id)) this.send(frame);
  }

  /** Sends the queued broadcasts except those with these ids, which the replay has sent already. */
  goLive(told: readonly string[]): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#told = told.length > 0 ? new Set(told) : null;
    for (const { frame, id } of held) this.catchUp(frame, id);
  }

  push(event: string, payload: unknown): void {
    this.pushJson(event, JSON.stringify(payload));
  }

  pushJson(event: string, payload: string): void {
    const head = { joinRef: this.joinRef, topic: this.topic, event };
    this.send(encodeText(this.version, head, payload));
  }

  reply(ref: string | null, status: "ok" | "error", response: unknown = {}): void {
    const head = { joinRef: this.joinRef, ref, topic: this.topic, event: "phx_reply" };
    this.send(encodeText(this.version, head, JSON.stringify({ status, response })));
  }

  /** A `system` message, which the official client passes to its `system` listeners. */
  sendSystem(extension: "system" | "postgres_changes", status: "ok" | "error", message: string): void {
    this.push("system", { extension, status, message, channel: this.name });
  }
}

export const MAX_NAME_BYTES = 255;

/**
 * A name every component can handle: PostgreSQL accepts no NUL and no lone surrogates, and the client no longer names.
 */
export function isGoodName(name: string): boolean {
  const fits = name !== "" && Buffer.byteLength(name) <= MAX_NAME_BYTES;
  return fits && name.isWellFormed() && !name.includes("\0");
}

const PREFIX = "realtime:";

/** `room` of `realtime:room`; empty if the topic has no such prefix. */
export function nameOf(topic: string): string {
  return topic.startsWith(PREFIX) ? topic.slice(PREFIX.length) : "";
}
