import { isRecord } from "./message.ts";

/** One `postgres_changes` listener as requested. */
export type ChangeRequest = Record<string, unknown>;

/** `since` in milliseconds since 1970; NaN is what was no number. */
export type ReplayRequest = { since: number; limit: number };

const DEFAULT_REPLAY_LIMIT = 10;

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
  /** Absent or an API key: the connection's own key counts. */
  accessToken: string | null;
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
    accessToken: readAccessToken(root),
  };
}

export function readAccessToken(payload: unknown): string | null {
  const token = recordOf(payload).access_token;
  return typeof token === "string" && token !== "" ? token : null;
}

function readReplay({ since, limit }: Record<string, unknown>): ReplayRequest {
  return { since: toInteger(since ?? 0), limit: toInteger(limit ?? DEFAULT_REPLAY_LIMIT) };
}

const toInteger = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : Number.NaN);

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
