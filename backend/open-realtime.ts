import { connectDatabase } from "#backend/postgres/database.ts";
import {
  type Change,
  type ChangeFeed,
  ChangeFeedUnavailableError,
  openChangeFeed,
} from "#backend/realtime/change-feed.ts";
import { createRealtime, type Realtime } from "#backend/realtime/create-realtime.ts";
import type { RealtimeConfig } from "#backend/realtime/realtime-config.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";

/** Each judges one batch of changes or joins at a time; more would only wait for the same cores. */
const CONNECTIONS = 4;
/** Where `realtime.send()` leaves what it says. */
const MESSAGES = "supabase_realtime_messages_publication";

export type RealtimeOptions = {
  /** A login that may take the tokens' roles. */
  databaseUrl: string;
  verifier: TokenVerifier;
  /** Null where nobody tells of changes. */
  publication: string | null;
  settings: Partial<RealtimeConfig> & { log?: (line: string) => void };
};

/** Realtime on connections of its own, so that a flood of requests does not silence it. */
export function openRealtime({ databaseUrl, verifier, publication, settings }: RealtimeOptions): Realtime {
  const database = connectDatabase({ url: databaseUrl, max: CONNECTIONS, applicationName: "realtime" });
  const realtime = createRealtime({ ...settings, database, verifier, publication });
  return {
    ...realtime,
    async close() {
      await realtime.close();
      await database.close();
    },
  };
}

/** Follows the publication, and what the database says in channels. */
export function followPublication(
  url: string,
  publication: string,
  events: { onChange: (change: Change) => void; onGap: () => void },
): Promise<ChangeFeed> {
  return openChangeFeed({ url, publications: [publication, MESSAGES], ...events });
}

/** For a database that nobody prepared: changes are told where the login may follow them, the rest works without. */
export async function openRealtimeAlone(
  databaseUrl: string,
  verifier: TokenVerifier,
  settings: RealtimeOptions["settings"],
): Promise<Realtime> {
  const publication = "supabase_realtime";
  let realtime: Realtime | null = null;
  const feed = await followPublication(databaseUrl, publication, {
    onChange: (change) => realtime?.onChange(change),
    onGap: () => realtime?.onGap(),
  }).catch((cause: unknown) => {
    if (!(cause instanceof ChangeFeedUnavailableError)) throw cause;
    settings.log?.(`realtime: tells no changes: ${cause.message}`);
    return null;
  });
  const opened = openRealtime({ databaseUrl, verifier, publication: feed && publication, settings });
  realtime = opened;
  return {
    ...opened,
    async close() {
      await feed?.close();
      await opened.close();
    },
  };
}
