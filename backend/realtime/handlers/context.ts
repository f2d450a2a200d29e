import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { TopicRights } from "../access/topic-rights.ts";
import type { WindowSums } from "../access/window-sums.ts";
import type { PostgresChanges } from "../changes/postgres-changes.ts";
import type { Member, Rooms } from "../channels/rooms.ts";
import type { Journal } from "../journal/journal.ts";
import type { Presence } from "../presence/presence.ts";
import type { UserBroadcast } from "../protocol/message.ts";
import type { RealtimeConfig } from "../realtime-config.ts";
import type { ReadMessages } from "./replay-messages.ts";

/** What the parts of the service share. */
export type Context = {
  config: RealtimeConfig;
  verifier: TokenVerifier;
  rights: TopicRights;
  /** Messages by HTTP. */
  httpRates: WindowSums;
  journal: Journal;
  rooms: Rooms;
  presence: Presence;
  /** Null without a change feed. */
  changes: PostgresChanges | null;
  readMessages: ReadMessages;
  /** How long changes were under way between their commit and this process. */
  delays: { count: number; seconds: number };
  /** Whether changes, and messages from the database, arrive at the moment. */
  isFollowing(): boolean;
  /** Sockets that are open on this process. */
  countSockets(): number;
  /** Whether the database answers. */
  isDatabaseUp(): Promise<boolean>;
  /** To everyone in the room, here and on other processes, but `except`. */
  broadcast(room: string, broadcast: UserBroadcast, except: Member | null): void;
};
