import type { Reply } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { toUserJson } from "../users/user-json.ts";
import type { UserRow } from "../users/user-row.ts";
import { type IssuedClaims, issueClaims } from "./custom-claims.ts";
import { notifyOfDevice } from "./known-device.ts";
import { writeRefreshToken } from "./refresh-token.ts";
import type { SessionRow } from "./session-row.ts";

/** The response to a successful sign-in or refresh. */
export type SessionAnswer = {
  access_token: string;
  token_type: "bearer";
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: Record<string, unknown>;
};

/** The tokens as parameters of a URL fragment. */
export function toFragment({ user: _, ...tokens }: SessionAnswer): Record<string, string> {
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [name, String(value)]));
}

/** A refresh has issued its claims already. */
type Started = { user: UserRow; session: SessionRow; isNewDevice: boolean; issued?: IssuedClaims };

/**
 * The response to a sign-in or refresh, also with `more` in the body. Its headers name session and user, for the logs of
 * a gateway.
 */
export async function replySession(
  service: AuthService,
  started: Started,
  more: Record<string, string> = {},
): Promise<Reply> {
  const { user, session } = started;
  const headers = {
    "sb-auth-user-id": user.id,
    "sb-auth-session-id": session.id,
    "sb-auth-refresh-token-counter": session.refresh_token_counter ?? "0",
  };
  return { status: 200, body: { ...(await answerSession(service, started)), ...more }, headers };
}

/** Signs the current tokens of a session, and notifies its owner if a new device started it. */
export async function answerSession(service: AuthService, started: Started): Promise<SessionAnswer> {
  const { user, session, isNewDevice } = started;
  const { signer, secret } = service;
  // Even if the hook refuses: whoever is there had the password, and the device is known from now on.
  if (isNewDevice) notifyOfDevice(service, user);
  const { claims, issuedAt } = started.issued ?? (await firstClaims(service, started));
  const accessToken = await signer.sign(claims);
  return {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: claims.exp - issuedAt,
    expires_at: claims.exp,
    refresh_token: writeRefreshToken(
      { sessionId: session.id, counter: Number(session.refresh_token_counter ?? 0) },
      secret,
    ),
    user: toUserJson(user),
  };
}

/** A session that the hook refuses ends before anybody has its tokens; only a new one has counted no token yet. */
async function firstClaims(service: AuthService, started: Started): Promise<IssuedClaims> {
  const { id, refresh_token_counter: counter } = started.session;
  return issueClaims(service, started).catch(async (cause) => {
    if (counter === "0") await service.database.query("delete from auth.sessions where id = $1", [id]);
    throw cause;
  });
}
