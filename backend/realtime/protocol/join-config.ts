import { RefusedError } from "../refused-error.ts";
import { isRecord } from "./message.ts";
import { readPrivate, readTruth } from "./read-truth.ts";

/** One `postgres_changes` listener as requested. */
export type ChangeRequest = Partial<Record<"event" | "schema" | "table" | "filter" | "select", unknown>> & {
  /** The channel's topic is the request. */
  isTopic?: true;
};

/** `since` in milliseconds since 1970; NaN if it was not a number. */
export type ReplayRequest = { since: number; limit: number };

const DEFAULT_REPLAY_LIMIT = 10;
const DEFAULT_CHANGES_WAIT_MS = 15_000;
/** Longer requested timeouts are reduced to this. */
const LONGEST_CHANGES_WAIT_MS = 20_000;

/** The settings a client joins a channel with; others than `private` count as absent if they are malformed. */
export type JoinConfig = {
  /** Whether the client receives its own broadcasts. */
  self: boolean;
  /** Which of the database's messages to replay; null for none. */
  replay: ReplayRequest | null;
  /** Whether to notify the client once messages from the database arrive. */
  replicationReady: boolean;
  /** Whether each broadcast is acknowledged. */
  ack: boolean;
  private: boolean;
  presenceEnabled: boolean;
  /** Null to generate one. */
  presenceKey: string | null;
  changes: ChangeRequest[];
  /** Milliseconds that the reply waits for the changes to stream; null to reply at once. */
  changesWaitMs: number | null;
};

/**
 * `name` is that of the channel.
 * @throws RefusedError
 */
export function readJoinConfig(payload: unknown, name: string): JoinConfig {
  const root = recordOf(payload);
  // Whatever else it is may ask for a private channel.
  if (!isRecord(root.config ?? {})) throw new RefusedError("config must be a map");
  const config = recordOf(root.config);
  const broadcast = recordOf(config.broadcast);
  const presence = recordOf(config.presence);
  return {
    self: isTrue(broadcast.self),
    ack: isTrue(broadcast.ack),
    replay: isRecord(broadcast.replay) ? readReplay(broadcast.replay) : null,
    replicationReady: isTrue(broadcast.replication_ready),
    private: readPrivate(config.private),
    // Whoever says nothing of presence gets it, as upstream: clients of Phoenix know no such setting.
    presenceEnabled: isRecord(config.presence) ? isTrue(presence.enabled) : true,
    presenceKey: readPresenceKey(presence.key),
    changes: "config" in root ? readChangeRequests(config.postgres_changes) : [readTopic(name)],
    changesWaitMs: readChangesWait(recordOf(config.postgres_changes_options)),
  };
}

/**
 * Null if the connection's own key applies: without a token, or with an API key, which a signed-out client sends. Old
 * clients name it `user_token`.
 */
export function readAccessToken(payload: unknown): string | null {
  const { access_token, user_token } = recordOf(payload);
  const token = access_token ?? user_token;
  return typeof token === "string" && token !== "" && !token.startsWith("sb_") ? token : null;
}

/** Nothing else is kept: it would take memory for as long as the channel is joined. */
function readChangeRequests(changes: unknown): ChangeRequest[] {
  if (!Array.isArray(changes)) return [];
  return changes
    .filter(isRecord)
    .map(({ event, schema, table, filter, select }) => ({ event, schema, table, filter, select }));
}

/** Version 1 of the client joins without a config, and names what it follows: `public:items:id=eq.5`. */
function readTopic(name: string): ChangeRequest {
  const [schema, table, ...filter] = name.split(":");
  return { schema, table, ...(filter.length > 0 && { filter: filter.join(":") }), isTopic: true };
}

function readReplay({ since, limit }: Record<string, unknown>): ReplayRequest {
  return { since: toInteger(since ?? 0), limit: toInteger(limit ?? DEFAULT_REPLAY_LIMIT) };
}

function readChangesWait({ wait, timeout }: Record<string, unknown>): number | null {
  if (!isTrue(wait)) return null;
  const asked = toInteger(timeout ?? DEFAULT_CHANGES_WAIT_MS);
  return asked > 0 ? Math.min(asked, LONGEST_CHANGES_WAIT_MS) : DEFAULT_CHANGES_WAIT_MS;
}

const isTrue = (value: unknown) => readTruth(value) === true;

function readPresenceKey(key: unknown): string | null {
  const isScalar = typeof key === "string" || typeof key === "number" || typeof key === "boolean";
  return isScalar && key !== "" ? String(key) : null;
}

const toInteger = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : Number.NaN);

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
