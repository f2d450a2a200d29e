import { isRecord } from "./message.ts";

/** One `postgres_changes` listener as requested. */
export type ChangeRequest = Record<string, unknown>;

/** `since` in milliseconds since 1970; NaN is what was no number. */
export type ReplayRequest = { since: number; limit: number };

const DEFAULT_REPLAY_LIMIT = 10;
const DEFAULT_CHANGES_WAIT_MS = 15_000;
/** Who asks for more waits so long. */
const LONGEST_CHANGES_WAIT_MS = 20_000;

/** What a client requests when it joins a channel; missing or malformed settings count as absent. */
export type JoinConfig = {
  /** Hear its own broadcasts. */
  self: boolean;
  /** Which messages of the database are told first; null for none. */
  replay: ReplayRequest | null;
  /** Be told when messages from the database arrive. */
  replicationReady: boolean;
  /** Have each broadcast confirmed. */
  ack: boolean;
  private: boolean;
  presenceEnabled: boolean;
  /** Null: one is made up. */
  presenceKey: string | null;
  changes: ChangeRequest[];
  /** For how many milliseconds the answer waits for the changes to be told; null for not at all. */
  changesWaitMs: number | null;
};

export function readJoinConfig(payload: unknown): JoinConfig {
  const root = recordOf(payload);
  const config = recordOf(root.config);
  const broadcast = recordOf(config.broadcast);
  const presence = recordOf(config.presence);
  const changes = Array.isArray(config.postgres_changes) ? config.postgres_changes : [];
  return {
    self: broadcast.self === true,
    ack: broadcast.ack === true,
    replay: isRecord(broadcast.replay) ? readReplay(broadcast.replay) : null,
    replicationReady: broadcast.replication_ready === true,
    private: config.private === true,
    presenceEnabled: presence.enabled === true,
    presenceKey: typeof presence.key === "string" && presence.key !== "" ? presence.key : null,
    changes: changes.filter(isRecord),
    changesWaitMs: readChangesWait(recordOf(config.postgres_changes_options)),
  };
}

/** Null, or an API key: the connection's own key counts. */
export function readAccessToken(payload: unknown): string | null {
  const token = recordOf(payload).access_token;
  return typeof token === "string" && token !== "" ? token : null;
}

function readReplay({ since, limit }: Record<string, unknown>): ReplayRequest {
  return { since: toInteger(since ?? 0), limit: toInteger(limit ?? DEFAULT_REPLAY_LIMIT) };
}

function readChangesWait({ wait, timeout }: Record<string, unknown>): number | null {
  if (wait !== true) return null;
  const asked = toInteger(timeout ?? DEFAULT_CHANGES_WAIT_MS);
  return asked > 0 ? Math.min(asked, LONGEST_CHANGES_WAIT_MS) : DEFAULT_CHANGES_WAIT_MS;
}

const toInteger = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : Number.NaN);

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
