import { userClaims } from "../../oauth-server/user-claims.ts";
import type { Call, Reply } from "../../requests/call.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { requireUserOrApplication } from "../../sessions/require-user.ts";
import { isClaimAllowed, sharedClaims } from "../../sessions/shared-claims.ts";

/**
 * GET and POST /oauth/userinfo: the claims that an application's scopes allow (OpenID Connect Core §5.3), under the
 * hosted service's names as well as the standard ones. A user's own session has no scopes and gets only `sub`.
 */
export async function describePerson(call: Call, service: AuthService): Promise<Reply> {
  const { user, session } = await requireUserOrApplication(call, service);
  if (session.oauth_client_id == null) return { status: 200, body: { sub: user.id } };
  const { phone, user_metadata } = sharedClaims(user, session);
  const body = {
    ...userClaims(user, session, service.config),
    ...(phone && { phone, phone_verified: user.phone_confirmed_at != null }),
    ...(isClaimAllowed(session, "profile") && { user_metadata }),
  };
  return { status: 200, body };
}
