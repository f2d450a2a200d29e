import type { Reply } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { toUserJson } from "../users/user-json.ts";
import type { UserRow } from "../users/user-row.ts";
import { accessClaims } from "./access-claims.ts";
import { customClaims } from "./custom-claims.ts";
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

type Started = { user: UserRow; session: SessionRow; isNewDevice: boolean };

/**
 * The response to a sign-in or refresh, also with `more` in the body. Its headers name session and user, for the logs of
 * a gateway.
 */
export async function replySession(
  service: AuthService,
  started: Started,
  { method, more }: { method?: "token_refresh"; more?: Record<string, string> } = {},
): Promise<Reply> {
  const { user, session } = started;
  const headers = {
    "sb-auth-user-id": user.id,
    "sb-auth-session-id": session.id,
    "sb-auth-refresh-token-counter": session.refresh_token_counter ?? "0",
  };
  return { status: 200, body: { ...(await answerSession(service, started, method)), ...more }, headers };
}

/**
 * Signs the current tokens of a session, and notifies its owner if a new device started it; `method` is how these
 * tokens were obtained, if not by the sign-in that started the session.
 */
export async function answerSession(
  service: AuthService,
  { user, session, isNewDevice }: Started,
  method?: "token_refresh",
): Promise<SessionAnswer> {
  const { config, signer, secret, hooks } = service;
  if (isNewDevice) notifyOfDevice(service, user);
  const issuedAt = Math.floor(Date.now() / 1000);
  const lasts = { issuedAt, expiresAt: issuedAt + config.accessTokenLifetime };
  const claims = await customClaims(
    hooks,
    accessClaims(user, session, { ...config, ...lasts }),
    session,
    method,
  );
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
