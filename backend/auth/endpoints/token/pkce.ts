import * as v from "valibot";
import { AuthError, validationFailed } from "../../auth-error.ts";
import { unseal } from "../../factors/sealed-secret.ts";
import { type Exchanged, exchangeCode } from "../../one-time-codes/flow-state.ts";
import { methodOf } from "../../one-time-codes/redeem.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import { isUuid } from "../../requests/uuid.ts";
import { startSamlSession } from "../../saml/start-saml-session.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { replySession } from "../../sessions/session-answer.ts";
import { startSession } from "../../sessions/start-session.ts";
import { findUser, isBanned } from "../../users/user-row.ts";

const Body = v.object({ auth_code: text, code_verifier: text });

/**
 * POST /token?grant_type=pkce: exchanges the code from an opened link and the verifier, which only the requesting
 * client has.
 */
export async function exchangeForSession(call: Call, service: AuthService): Promise<Reply> {
  const { auth_code: code, code_verifier: verifier } = readBody(call.request, Body);
  if (code === "" || verifier === "") {
    throw validationFailed("invalid request: both auth code and code verifier should be non-empty");
  }
  await service.limits.take("refresh", call.client.network);
  const started = await service.database.transaction(async (query, run) => {
    const exchanged = await exchangeCode(query, isUuid(code) ? code : "", verifier, service.config);
    const { userId, type } = exchanged;
    const user = await findUser(query, "id", userId);
    if (!user) throw new AuthError(404, "user_not_found", "User not found");
    if (isBanned(user)) throw new AuthError(400, "user_banned", "User is banned");
    if (type === "oauth") {
      const session = await startSession(run, user, "oauth", call.client, [], exchanged.provider);
      return { ...session, tokens: providerTokens(exchanged, service) };
    }
    if (type === "sso/saml") {
      const { provider } = JSON.parse(user.raw_app_meta_data ?? "{}");
      const ends = exchanged.sessionEnds;
      const session = await startSamlSession([query, run], user, call.client, { provider, ends });
      return { ...session, tokens: {} };
    }
    return { ...(await startSession(run, user, methodOf(type, service.config), call.client)), tokens: {} };
  });
  return replySession(service, started, started.tokens);
}

/** The provider's own tokens, for clients that call the provider's API; they are not kept after this. */
function providerTokens(
  { flowId, providerToken, providerRefreshToken }: Exchanged,
  { sealingKeys }: AuthService,
): Record<string, string> {
  const open = (sealed: string | null) => (sealed === null ? null : unseal(sealed, flowId, sealingKeys));
  const [token, refreshToken] = [open(providerToken), open(providerRefreshToken)];
  return {
    ...(token && { provider_token: token }),
    ...(refreshToken && { provider_refresh_token: refreshToken }),
  };
}
