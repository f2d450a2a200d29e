import { type AuthError, isAuthRetryableFetchError, type Session } from "@supabase/supabase-js";
import type { Client } from "#app/features/site/client.ts";
import { currentSession } from "./session-store.ts";

/** The current session; null if it has ended, even without this page's knowledge. */
export type LiveSession = { session: Session | null; isUnreachable: boolean };

/** Rereads the session before acting on its behalf; if it has ended, it ends for the whole page. */
export async function readLiveSession(client: Client): Promise<LiveSession> {
  const { data, error } = await client.auth.getSession();
  if (data.session) return { session: data.session, isUnreachable: false };
  if (isAuthRetryableFetchError(error)) return { session: null, isUnreachable: true };
  await endSession(client);
  return { session: null, isUnreachable: false };
}

/**
 * Asks the service whether the session is still valid. If it has ended, it ends here too; if its token has expired by
 * the service's clock, though not by this device's, it is refreshed.
 */
export async function confirmSession(client: Client): Promise<"good" | "ended" | "unknown"> {
  const { error } = await client.auth.getUser();
  if (!error) return "good";
  if (isNoVerdict(error)) return "unknown";
  if (error.code === "bad_jwt") {
    const { error: refusal } = await client.auth.refreshSession();
    if (!refusal) return "good";
    if (isNoVerdict(refusal)) return "unknown";
  }
  await client.auth.signOut({ scope: "local" });
  return "ended";
}

const isNoVerdict = (error: AuthError) => isAuthRetryableFetchError(error) || error.status === 429;

/** The token of the last session that the page ended because of a refusal, which was reported where it happened. */
let givenUp: string | null = null;

/** Whether the page ended this session itself, so that its end is not news. */
export const wasAbandoned = ({ access_token }: Session): boolean => access_token === givenUp;

/** Discards a session that the backend no longer accepts, so that the page shows what visitors see. */
export async function endSession(client: Client): Promise<void> {
  givenUp = currentSession().session?.access_token ?? givenUp;
  await client.auth.signOut({ scope: "local" });
}

/** The statuses for a missing, expired or revoked token. */
export function isSignedOutStatus(status: number): boolean {
  return status === 401;
}
