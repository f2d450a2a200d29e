import type { Query } from "#backend/postgres/database.ts";
import { type Act, type Actor, asPerson, recorded } from "../audit/recorded.ts";
import type { AuthConfig } from "../auth-config.ts";
import { AuthError } from "../auth-error.ts";
import type { Client } from "../requests/call.ts";
import { findUser, hasVerifiedFactor, isBanned, type UserRow } from "../users/user-row.ts";
import type { RefreshTicket } from "./refresh-token.ts";
import { lockSession, type SessionRow } from "./session-row.ts";

export type Refreshed = { user: UserRow; session: SessionRow } | { refusal: AuthError };

/**
 * Moves a session to its next refresh token. The token before it still gives the current one for a few seconds, so
 * that two tabs that refresh at once keep one session; later, or if older still, it was stolen from somebody, and
 * the session ends for both. That end must be committed, so a refusal is given, not thrown.
 */
export async function refreshSession(
  query: Query,
  ticket: RefreshTicket,
  config: AuthConfig,
  client: Client,
): Promise<Refreshed> {
  const session = await lockSession(query, ticket.sessionId);
  if (!session) return refuse("refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
  const user = (await findUser(query, "id", session.user_id)) as UserRow;
  if (isBanned(user)) return refuse("user_banned", "Invalid Refresh Token: User Banned");
  const expiry = findExpiry(session, user, config) ?? (await findNewer(query, session, config));
  if (expiry) return refuse("session_expired", `Invalid Refresh Token: Session Expired (${expiry})`);

  const actor = asPerson(user, client);
  const current = Number(session.refresh_token_counter ?? 0);
  if (ticket.counter === current) {
    return { user, session: await advance(query, session, current + 1, actor) };
  }
  const sinceRefresh = Number(session.since_refresh ?? Number.POSITIVE_INFINITY);
  if (ticket.counter === current - 1 && sinceRefresh <= config.reuseInterval) {
    // The token from before a second factor never gives what that one opened; it may be another tab's, so nothing ends.
    return session.was_raised === "t" ? refuseUsed() : { user, session };
  }
  const act: Act = { action: "token_revoked", actor };
  await query(...recorded(act, "delete from auth.sessions where id = $1", [session.id]));
  return refuseUsed();
}

function refuseUsed(): Refreshed {
  return refuse("refresh_token_already_used", "Invalid Refresh Token: Already Used");
}

const toNext = `
  update auth.sessions set refresh_token_counter = $2, refreshed_at = now() at time zone 'utc', updated_at = now()
  where id = $1`;

async function advance(
  query: Query,
  session: SessionRow,
  counter: number,
  actor: Actor,
): Promise<SessionRow> {
  await query(...recorded({ action: "token_refreshed", actor }, toNext, [session.id, String(counter)]));
  return { ...session, refresh_token_counter: String(counter) };
}

function findExpiry(session: SessionRow, user: UserRow, config: AuthConfig): string | null {
  const age = Number(session.age);
  const idle = session.since_refresh == null ? age : Number(session.since_refresh);
  if (session.not_after != null && new Date(session.not_after).getTime() < Date.now()) return "Ended";
  if (config.sessionTimebox !== null && age > config.sessionTimebox) return "Timebox";
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
    `select from auth.sessions where user_id = $1 and id <> $2
       and created_at > (select created_at from auth.sessions where id = $2) limit 1`,
    [session.user_id, session.id],
  );
  return newer.length > 0 ? "Revoked by Newer Login" : null;
}

function refuse(
  code: "refresh_token_not_found" | "refresh_token_already_used" | "session_expired" | "user_banned",
  message: string,
): Refreshed {
  return { refusal: new AuthError(400, code, message) };
}
