import { type AuthError, isAuthRetryableFetchError, type Session } from "@supabase/supabase-js";
import type { Client } from "#app/features/site/client.ts";
import { currentSession } from "./session-store.ts";

/** The session as it is now; null when it has ended, also behind this page's back. */
export type LiveSession = { session: Session | null; isUnreachable: boolean };

/** Reads the session anew before something is done in its name; one that ended ends for the whole page. */
export async function readLiveSession(client: Client): Promise<LiveSession> {
  const { data, error } = await client.auth.getSession();
  if (data.session) return { session: data.session, isUnreachable: false };
  if (isAuthRetryableFetchError(error)) return { session: null, isUnreachable: true };
  await endSession(client);
  return { session: null, isUnreachable: false };
}

/**
 * Asks the service whether the session goes on. One that ended ends here too; one whose token's time is up by the
 * service's clock, though not by this device's, gets the next token.
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

/** The token of the last session that the page gave up because of a refusal, which it told of where that happened. */
let givenUp: string | null = null;

/** Whether the page ended this session itself: then there is no news in its end. */
export const wasGivenUp = ({ access_token }: Session): boolean => access_token === givenUp;

/** Forgets a session that the backend no longer takes, so that the page shows what a visitor sees. */
export async function endSession(client: Client): Promise<void> {
  givenUp = currentSession().session?.access_token ?? givenUp;
  await client.auth.signOut({ scope: "local" });
}

/** What the backend answers where a token is missing, out of date or revoked. */
export function isSignedOutStatus(status: number): boolean {
  return status === 401;
}
