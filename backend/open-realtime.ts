import type { LogText } from "#backend/log/log-text.ts";
import { type ProcessGroup, SINGLE_PROCESS, shareOf } from "#backend/memory/process-group.ts";
import { connectDatabase } from "#backend/postgres/database.ts";
import { createRealtime, type Realtime } from "#backend/realtime/create-realtime.ts";
import {
  type Change,
  type ChangeFeed,
  ChangeFeedUnavailableError,
  openChangeFeed,
} from "#backend/realtime/feed/change-feed.ts";
import type { RealtimeConfig } from "#backend/realtime/realtime-config.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";

/** Each connection authorizes one batch of changes or joins at a time; more would only compete for the same cores. */
const CONNECTIONS = 4;
const LEAST_CONNECTIONS = 2;
const PUBLICATION = "supabase_realtime";
/** The publication of the messages that `realtime.send()` writes. */
const MESSAGES = "supabase_realtime_messages_publication";

export type RealtimeSettings = Partial<RealtimeConfig> & { log?: (line: LogText) => void };

type Options = {
  /** A login that may switch to the tokens' roles. */
  databaseUrl: string;
  /** A login with REPLICATION; without it there is no change feed. */
  changeFeedUrl?: string;
  publication?: string;
  verifier: TokenVerifier;
  processGroup?: ProcessGroup;
  answerTimeout?: number;
};

type OpenRealtime = Realtime & {
  changes: Set<(change: Change) => void>;
  gaps: Set<(since: number | null) => void>;
  /** Why the change feed is unavailable; null if it works or was not requested. */
  feedFault: string | null;
};

/** Realtime and its change feed with their own connections, so that a flood of requests cannot starve them. */
export async function openRealtime(options: Options, settings: RealtimeSettings): Promise<OpenRealtime> {
  const {
    databaseUrl,
    changeFeedUrl,
    verifier,
    publication = PUBLICATION,
    processGroup = SINGLE_PROCESS,
  } = options;
  const changes = new Set<(change: Change) => void>();
  const gaps = new Set<(since: number | null) => void>();
  let feed: ChangeFeed | null = null;
  let feedFault: string | null = null;
  if (changeFeedUrl) {
    feed = await openChangeFeed({
      url: changeFeedUrl,
      publications: [publication, MESSAGES],
      onChange: (change) => changes.forEach((listener) => void listener(change)),
      onGap: (since) => gaps.forEach((listener) => void listener(since)),
    }).catch((cause: unknown) => {
      if (!(cause instanceof ChangeFeedUnavailableError)) throw cause;
      feedFault = cause.message;
      return null;
    });
  }
  const database = connectDatabase({
    url: databaseUrl,
    max: shareOf(CONNECTIONS, processGroup, LEAST_CONNECTIONS),
    applicationName: "realtime",
    answerTimeout: options.answerTimeout,
  });
  const realtime = createRealtime({
    ...settings,
    processGroup,
    database,
    verifier,
    publication: feed && publication,
    isFollowing: () => feed?.isLive() ?? false,
  });
  changes.add(realtime.onChange);
  gaps.add(realtime.onGap);
  return {
    ...realtime,
    changes,
    gaps,
    feedFault,
    async close() {
      await feed?.close();
      await realtime.close();
      await database.close();
    },
  };
}
