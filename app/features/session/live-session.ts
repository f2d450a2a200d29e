import { isAuthRetryableFetchError, type Session } from "@supabase/supabase-js";
import type { SessionClient } from "./session-client.ts";

/** The session as it is now; null when it has ended, also behind this page's back. */
export type LiveSession = { session: Session | null; isUnreachable: boolean };

/** Reads the session anew before something is done in its name; one that ended ends for the whole page. */
export async function readLiveSession(client: SessionClient): Promise<LiveSession> {
  const { data, error } = await client.auth.getSession();
  if (data.session) return { session: data.session, isUnreachable: false };
  if (isAuthRetryableFetchError(error)) return { session: null, isUnreachable: true };
  await endSession(client);
  return { session: null, isUnreachable: false };
}

/** Forgets a session that the backend no longer takes, so that the page shows what a visitor sees. */
export async function endSession(client: SessionClient): Promise<void> {
  await client.auth.signOut({ scope: "local" });
}

/** What the backend answers where a token is missing, out of date or revoked. */
export function isSignedOutStatus(status: number): boolean {
  return status === 401;
}
