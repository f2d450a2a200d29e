import type { HttpRequest } from "#backend/http/http-message.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { TokenError } from "#backend/tokens/token-error.ts";
import { type Actor, asOperator } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { type SessionRow, sessionById } from "../sessions/session-row.ts";
import { isBanned, type UserRow, userById } from "../users/user-row.ts";
import type { Call } from "./call.ts";
import { isUuid } from "./uuid.ts";

/** The person whose token the request brought, and the session it was made for. */
export type SignedIn = { user: UserRow; session: SessionRow };

/**
 * Both must still exist: a token outlives its session elsewhere, but not here.
 * @throws AuthError 401 without a token, 403 for one that is of no use
 */
export async function requireUser(request: HttpRequest, service: AuthService): Promise<SignedIn> {
  const { claims } = await verifyBearer(request, service);
  const { sub, session_id: sessionId } = claims;
  if (typeof sub !== "string") throw badToken("missing sub claim", "invalid claim");
  if (!isUuid(sub)) throw badToken("sub claim must be a UUID", "invalid claim");
  const steps = [userById(sub), ...(isUuid(sessionId) ? [sessionById(sessionId)] : [])];
  const [[user], [session] = []] = (await service.database.run(steps)) as [[UserRow?], [SessionRow?]?];
  if (!user) {
    throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  }
  if (session?.user_id !== user.id) {
    throw new AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist");
  }
  if (isBanned(user)) throw new AuthError(403, "user_banned", "User is banned");
  return { user, session };
}

/**
 * Gives the server as the log names it.
 * @throws AuthError 401 without a token, 403 for anyone but a server with the secret key
 */
export async function requireAdmin(
  { request, client }: Pick<Call, "request" | "client">,
  service: AuthService,
): Promise<Actor> {
  const { role } = await verifyBearer(request, service);
  if (role !== "service_role" && role !== "supabase_admin") {
    throw new AuthError(403, "not_admin", "User not allowed");
  }
  return asOperator(role, client);
}

/** Whether it is a server that asks; whoever else asks is no fault here. */
export async function isAdmin(
  call: Pick<Call, "request" | "client">,
  service: AuthService,
): Promise<boolean> {
  return requireAdmin(call, service).then(
    () => true,
    (cause) => {
      if (cause instanceof AuthError) return false;
      throw cause;
    },
  );
}

async function verifyBearer(request: HttpRequest, { verifier }: AuthService): Promise<Identity> {
  const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  if (!token) {
    throw new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
  }
  try {
    return await verifier.verify(token);
  } catch (cause) {
    if (!(cause instanceof TokenError)) throw cause;
    throw badToken(
      cause.message === "JWT expired" ? "token has invalid claims: token is expired" : cause.message,
    );
  }
}

function badToken(reason: string, rule = "unable to parse or verify signature"): AuthError {
  return new AuthError(
    403,
    "bad_jwt",
    rule === "invalid claim" ? `${rule}: ${reason}` : `invalid JWT: ${rule}, ${reason}`,
  );
}
