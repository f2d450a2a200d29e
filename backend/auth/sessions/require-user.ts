import { RevokedTokenError } from "#backend/tokens/token-error.ts";
import { AuthError } from "../auth-error.ts";
import { badToken, sessionNotFound, verifyBearer } from "../requests/bearer.ts";
import type { Call } from "../requests/call.ts";
import { isUuid } from "../requests/uuid.ts";
import type { AuthService } from "../service/auth-service.ts";
import { hasVerifiedFactor, isBanned, type UserRow, userById } from "../users/user-row.ts";
import { type SessionRow, sessionById } from "./session-row.ts";

/** The user of the request's token, and the session it was issued for. */
export type SignedIn = { user: UserRow; session: SessionRow };

/**
 * Requires the user's own session: an application acting for a user can neither see nor change their credentials, and
 * its session proves nothing. Counts changes, each of which writes to the audit log, and many send a mail: an account has
 * only so many an hour, from each network, so that whoever stole a token does not keep its user from them.
 * @throws AuthError 401 without a token, 403 for an unusable one or an application's, 429 for too many changes
 */
export async function requireUser(call: Call, service: AuthService): Promise<SignedIn> {
  const person = await requireUserOrApplication(call, service);
  if (person.session.oauth_client_id != null) {
    throw new AuthError(403, "no_authorization", "An application is not allowed to perform these actions");
  }
  if (call.request.method !== "GET") {
    await service.limits.take("accountChange", `${person.user.id} ${call.client.network ?? ""}`);
  }
  return person;
}

/**
 * The user, or an application acting for them (`session.oauth_client_id`). User and session must still exist: elsewhere
 * a token outlives its session, but not here.
 * @throws AuthError 401 without a token, 403 for an unusable one
 */
export async function requireUserOrApplication(
  { request }: Pick<Call, "request">,
  service: AuthService,
): Promise<SignedIn> {
  // The checks below find out why a token was revoked: a missing session, a missing user, or a ban.
  const { claims } = await verifyBearer(request, service).catch((cause) => {
    if (cause instanceof RevokedTokenError) return cause.identity;
    throw cause;
  });
  const { sub, session_id: sessionId } = claims;
  if (typeof sub !== "string") throw badToken("invalid claim: missing sub claim");
  if (!isUuid(sub)) throw badToken("invalid claim: sub claim must be a UUID");
  const steps = [userById(sub), ...(isUuid(sessionId) ? [sessionById(sessionId)] : [])];
  const [[user], [session] = []] = (await service.database.run(steps)) as [[UserRow?], [SessionRow?]?];
  if (!user) {
    throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  }
  if (session?.user_id !== user.id) throw sessionNotFound();
  if (isBanned(user)) throw new AuthError(403, "user_banned", "User is banned");
  return { user, session };
}

/** @throws AuthError 403 for an anonymous account, in addition to the errors of `requireUser` */
export async function requirePermanentUser(call: Call, service: AuthService): Promise<SignedIn> {
  const person = await requireUser(call, service);
  if (person.user.is_anonymous === "t") {
    throw new AuthError(403, "no_authorization", "Anonymous user not allowed to perform these actions");
  }
  return person;
}

/** If the user has a second factor, this session must have used it. @throws AuthError 403 */
export function requireSecondFactor({ user, session }: SignedIn, message: string): void {
  if (hasVerifiedFactor(user) && session.aal !== "aal2")
    throw new AuthError(403, "insufficient_aal", message);
}
