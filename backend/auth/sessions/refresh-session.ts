import type { Query, Run, Step } from "#backend/postgres/database.ts";
import { type Act, asPerson, recorded, recordedIfChanged } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { Client } from "../requests/call.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import { hasVerifiedFactor, isBanned, type UserRow, userBySession } from "../users/user-row.ts";
import { type IssuedClaims, issueClaims } from "./custom-claims.ts";
import type { RefreshTokenContent } from "./refresh-token.ts";
import { type SessionRow, sessionById } from "./session-row.ts";

/** The rows returned by `stepsToFind`: a session and its user. */
export type Found = [session: [SessionRow?], user: [UserRow?]];

export const stepsToFind = (id: string): Step[] => [sessionById(id), userBySession(id)];

/**
 * Rotates a session's refresh token. The previous token still yields the current one, for a few seconds or until the
 * next refresh, so that two tabs refreshing at once keep one session; any other reuse means that a token was stolen,
 * and ends the session. An application's session can be refreshed only by that application, a user's own session by
 * none.
 * @throws AuthError 400, or what the access-token hook fails with
 */
export async function refreshSession(
  [[session], [user]]: Found,
  content: RefreshTokenContent,
  service: Pick<AuthService, "database" | "config" | "hooks">,
  client: Client,
  applicationId: string | null = null,
): Promise<{ user: UserRow; session: SessionRow; issued: IssuedClaims }> {
  const { database, config } = service;
  if (!session || !user || (session.oauth_client_id ?? null) !== applicationId) throw refreshTokenNotFound();
  if (isBanned(user)) throw new AuthError(400, "user_banned", "Invalid Refresh Token: User Banned");
  const expiry = findExpiry(session, user, config) ?? (await findNewer(database.query, session, config));
  if (expiry !== null) {
    const why = expiry && ` (${expiry})`;
    throw new AuthError(400, "session_expired", `Invalid Refresh Token: Session Expired${why}`);
  }

  const actor = asPerson(user, client);
  const current = Number(session.refresh_token_counter ?? 0);
  // Before the token is spent, so that it works again after the hook has failed.
  const issue = () => issueClaims(service, { user, session }, "token_refresh");
  // A later token than the newest one was not reused: the database lost its refresh, as a restored backup has.
  if (content.counter >= current) {
    const issued = await issue();
    const steps = { from: current, to: content.counter + 1 };
    const next = await advance(database.run, session, steps, { action: "token_refreshed", actor });
    if (next) return { user, session: next, issued };
    const reloaded = (await database.run(stepsToFind(session.id))) as Found;
    return refreshSession(reloaded, content, service, client, applicationId);
  }
  const sinceRefresh = Number(session.since_refresh ?? Number.POSITIVE_INFINITY);
  const isInTime = config.previousTokenLasts || sinceRefresh <= config.reuseInterval;
  if (content.counter === current - 1 && isInTime) {
    // A token from before the second factor never yields the raised session. It may be another tab's, so the session
    // does not end.
    if (session.was_raised === "t") throw alreadyUsed();
    return { user, session, issued: await issue() };
  }
  if (!config.reuseEndsSession) throw alreadyUsed();
  const act: Act = { action: "token_revoked", actor };
  await database.query(...recorded(act, "delete from auth.sessions where id = $1", [session.id]));
  throw alreadyUsed();
}

const rotate = `
  update auth.sessions set refresh_token_counter = $2, refreshed_at = now() at time zone 'utc', updated_at = now()
  where id = $1 and coalesce(refresh_token_counter, 0) = $3`;

/** Null if the session is gone or was refreshed in the meantime. */
async function advance(
  run: Run,
  session: SessionRow,
  { from, to }: { from: number; to: number },
  act: Act,
): Promise<SessionRow | null> {
  const next = String(to);
  const [changed] = await run([recordedIfChanged(act, rotate, [session.id, next, String(from)])]);
  return changed?.length ? { ...session, refresh_token_counter: next } : null;
}

/** Why the session has ended; empty if its time is simply over, null if it has not. */
function findExpiry(session: SessionRow, user: UserRow, config: AuthConfig): string | null {
  const age = Number(session.age);
  const idle = session.since_refresh == null ? age : Number(session.since_refresh);
  if (session.not_after != null && new Date(session.not_after).getTime() < Date.now()) return "";
  if (config.sessionTimebox !== null && age > config.sessionTimebox) return "";
  if (config.sessionInactivity !== null && idle > config.sessionInactivity) return "Inactivity";
  const isLow = session.aal === "aal1" && hasVerifiedFactor(user);
  if (config.lowAalFor !== null && isLow && age > config.lowAalFor) {
    return "Low AAL: User Needs MFA Verification";
  }
  return null;
}

async function findNewer(query: Query, session: SessionRow, config: AuthConfig): Promise<string | null> {
  if (!config.singleSession) return null;
  const newer = await query(
    `select from auth.sessions where user_id = $1 and id <> $2 and oauth_client_id is not distinct from $3
       and created_at > (select created_at from auth.sessions where id = $2) limit 1`,
    [session.user_id, session.id, session.oauth_client_id ?? null],
  );
  return newer.length > 0 ? "Revoked by Newer Login" : null;
}

export function refreshTokenNotFound(): AuthError {
  return new AuthError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
}

function alreadyUsed(): AuthError {
  return new AuthError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
}
