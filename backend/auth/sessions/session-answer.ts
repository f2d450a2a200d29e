import type { AuthService } from "../service/auth-service.ts";
import { toUserJson } from "../users/user-json.ts";
import type { UserRow } from "../users/user-row.ts";
import { accessClaims } from "./access-claims.ts";
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

/** Signs the current tokens of a session. */
export async function answerSession(
  { config, signer, secret }: AuthService,
  { user, session }: { user: UserRow; session: SessionRow },
): Promise<SessionAnswer> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresAt = issuedAt + config.accessTokenLifetime;
  const accessToken = await signer.sign(accessClaims(user, session, { ...config, issuedAt, expiresAt }));
  return {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: config.accessTokenLifetime,
    expires_at: expiresAt,
    refresh_token: writeRefreshToken(
      { sessionId: session.id, counter: Number(session.refresh_token_counter ?? 0) },
      secret,
    ),
    user: toUserJson(user),
  };
}
