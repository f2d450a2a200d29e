import type { AuthService } from "../service/auth-service.ts";
import type { IssuedClaims } from "../sessions/custom-claims.ts";
import { parseScopes } from "../sessions/scopes.ts";
import { answerSession } from "../sessions/session-answer.ts";
import type { SessionRow } from "../sessions/session-row.ts";
import type { UserRow } from "../users/user-row.ts";
import { type Application, mayUseGrant } from "./application.ts";
import { issuerOf } from "./issuer.ts";
import { userClaims } from "./user-claims.ts";

type Granted = { user: UserRow; session: SessionRow };

const ID_TOKEN_LIFETIME = 3600;

/** The tokens of an application's session, without account data (RFC 6749 §5.1). */
export async function answerApplication(
  service: AuthService,
  application: Application,
  granted: Granted & { issued?: IssuedClaims },
) {
  const started = { ...granted, isNewDevice: false };
  const { access_token, token_type, expires_in, refresh_token } = await answerSession(service, started);
  return {
    access_token,
    token_type,
    expires_in,
    ...(mayUseGrant(application, "refresh_token") && { refresh_token }),
    scope: granted.session.scopes ?? "",
  };
}

/**
 * An ID token that tells the application who consented, and when (OpenID Connect Core §2); null if it did not request
 * one.
 */
export async function signIdToken(
  { config, signer }: AuthService,
  application: Application,
  { user, session, nonce, approvedAt }: Granted & { nonce: string | null; approvedAt: string },
): Promise<string | null> {
  if (!parseScopes(session.scopes ?? "").includes("openid")) return null;
  const issuedAt = Math.floor(Date.now() / 1000);
  return signer.sign({
    iss: issuerOf(config),
    ...userClaims(user, session, config),
    aud: application.id,
    iat: issuedAt,
    exp: issuedAt + ID_TOKEN_LIFETIME,
    auth_time: Math.floor(Date.parse(approvedAt) / 1000),
    client_id: application.id,
    ...(nonce !== null && { nonce }),
  });
}
