import type { Database } from "#backend/postgres/database.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { ReadRights } from "../access/topic-rights.ts";
import type { WindowSums } from "../access/window-sums.ts";
import type { PostgresChanges } from "../changes/postgres-changes.ts";
import type { Member, Rooms } from "../channels/rooms.ts";
import type { Journal } from "../journal/journal.ts";
import type { Presence } from "../presence/presence.ts";
import type { UserBroadcast } from "../protocol/message.ts";
import type { RealtimeConfig } from "../realtime-config.ts";

/** State shared by the service's handlers. */
export type Context = {
  config: RealtimeConfig;
  database: Database;
  verifier: TokenVerifier;
  readRights: ReadRights;
  /** Rates of messages over HTTP. */
  httpRates: WindowSums;
  journal: Journal;
  rooms: Rooms;
  presence: Presence;
  /** Null without a change feed. */
  changes: PostgresChanges | null;
  /** Total delay of changes between their commit and their arrival in this process. */
  delays: { count: number; seconds: number };
  /** Whether changes, and messages from the database, are currently arriving. */
  isFollowing(): boolean;
  /** Open sockets in this process. */
  countSockets(): number;
  /** Broadcasts to everyone in the room but `except`, here and on other processes. */
  broadcast(room: string, broadcast: UserBroadcast, except: Member | null): void;
};
