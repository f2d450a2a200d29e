import { RefusedError } from "../refused-error.ts";
import { isRecord } from "./message.ts";
import { readPrivate, readTruth } from "./read-truth.ts";

/** One `postgres_changes` listener as requested. */
export type ChangeRequest = Partial<Record<"event" | "schema" | "table" | "filter" | "select", unknown>>;

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

/** @throws RefusedError */
export function readJoinConfig(payload: unknown): JoinConfig {
  const root = recordOf(payload);
  // Whatever else it is may ask for a private channel.
  if (!isRecord(root.config ?? {})) throw new RefusedError("config must be a map");
  const config = recordOf(root.config);
  const broadcast = recordOf(config.broadcast);
  const presence = recordOf(config.presence);
  const changes = Array.isArray(config.postgres_changes) ? config.postgres_changes : [];
  return {
    self: isTrue(broadcast.self),
    ack: isTrue(broadcast.ack),
    replay: isRecord(broadcast.replay) ? readReplay(broadcast.replay) : null,
    replicationReady: isTrue(broadcast.replication_ready),
    private: readPrivate(config.private),
    presenceEnabled: isTrue(presence.enabled),
    presenceKey: readPresenceKey(presence.key),
    changes: changes.filter(isRecord).map(readChangeRequest),
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
function readChangeRequest({ event, schema, table, filter, select }: Record<string, unknown>): ChangeRequest {
  return { event, schema, table, filter, select };
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
