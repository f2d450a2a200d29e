import type { AuthService } from "../auth-service.ts";
import { toUserJson } from "../users/user-json.ts";
import type { UserRow } from "../users/user-row.ts";
import { writeRefreshToken } from "./refresh-token.ts";
import type { SessionRow } from "./session-row.ts";

/** What a client gets for proving who it is. */
export type SessionAnswer = {
  access_token: string;
  token_type: "bearer";
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: Record<string, unknown>;
};

/** Signs the tokens of a session as it stands. */
export async function answerSession(
  { config, signer, secret }: AuthService,
  user: UserRow,
  session: SessionRow,
): Promise<SessionAnswer> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresAt = issuedAt + config.accessTokenLifetime;
  const accessToken = await signer.sign({
    iss: config.externalUrl,
    sub: user.id,
    aud: user.aud ?? "authenticated",
    exp: expiresAt,
    iat: issuedAt,
    email: user.email ?? "",
    phone: user.phone ?? "",
    app_metadata: JSON.parse(user.raw_app_meta_data ?? "{}"),
    user_metadata: JSON.parse(user.raw_user_meta_data ?? "{}"),
    role: user.role ?? "authenticated",
    aal: session.aal ?? "aal1",
    amr: JSON.parse(session.methods),
    session_id: session.id,
    is_anonymous: user.is_anonymous === "t",
  });
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
