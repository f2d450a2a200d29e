import { AuthError } from "../../auth-error.ts";
import { isHookRefusal } from "../../hooks/hook-faults.ts";
import { type Application, mayUseGrant } from "../../oauth-server/application.ts";
import { authenticateApplication } from "../../oauth-server/authenticate-application.ts";
import { exchangeCode } from "../../oauth-server/exchange-code.ts";
import { inOAuthWords, OAuthError } from "../../oauth-server/oauth-error.ts";
import { answerApplication, signIdToken } from "../../oauth-server/token-answer.ts";
import type { Call, Endpoint } from "../../requests/call.ts";
import { FormFault, readForm } from "../../requests/read-form.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { type Found, refreshSession, stepsToFind } from "../../sessions/refresh-session.ts";
import { readRefreshToken } from "../../sessions/refresh-token.ts";
import { parseScopes } from "../../sessions/scopes.ts";

type Grant = (
  form: Record<string, string>,
  application: Application,
  call: Call,
  service: AuthService,
) => Promise<Record<string, unknown>>;

/** POST /oauth/token: authenticates an application and exchanges a code or refresh token for tokens. */
export const issueApplicationToken: Endpoint = inOAuthWords(async (call, service) => {
  await service.limits.take("oauthToken", call.client.network);
  const form = readFields(call);
  const { grant_type: name = "" } = form;
  if (name === "") throw new OAuthError("invalid_request", "grant_type is required");
  const grant = Object.hasOwn(grants, name) ? grants[name] : undefined;
  if (!grant)
    throw new OAuthError("unsupported_grant_type", "Only authorization_code and refresh_token are supported");
  const application = await authenticateApplication(call.request, form, service.database.query);
  if (!mayUseGrant(application, name)) {
    throw new OAuthError("unauthorized_client", `Client is not allowed to use grant type: ${name}`);
  }
  const body = await grant(form, application, call, service);
  return { status: 200, body, headers: { "cache-control": "no-store", pragma: "no-cache" } };
});

const exchange: Grant = async (form, application, { client }, service) => {
  if (!form.code) throw new OAuthError("invalid_request", "code is required for authorization_code grant");
  const exchanged = await service.database.transaction((query, run) =>
    exchangeCode(query, run, application, form, client),
  );
  if (exchanged instanceof OAuthError) throw exchanged;
  const idToken = await signIdToken(service, application, exchanged);
  const answer = await answerApplication(service, application, exchanged);
  return { ...answer, ...(idToken !== null && { id_token: idToken }) };
};

const refresh: Grant = async (form, application, { client }, service) => {
  const { refresh_token: token = "", scope = "" } = form;
  if (token === "")
    throw new OAuthError("invalid_request", "refresh_token is required for refresh_token grant");
  const content = readRefreshToken(token, service.secret);
  if (!content) throw noRefresh();
  const tries = [{ action: "refresh", key: `session ${content.sessionId}` }] as const;
  const found = (await service.limits.takeAll(tries, stepsToFind(content.sessionId))) as Found;
  requireGranted(scope, found[0][0]?.scopes ?? "");
  const refreshed = await refreshSession(found, content, service, client, application.id).catch((cause) => {
    const isOfToken = cause instanceof AuthError && cause.status === 400 && !isHookRefusal(cause);
    throw isOfToken ? noRefresh() : cause;
  });
  return answerApplication(service, application, refreshed);
};

const grants: Record<string, Grant> = { authorization_code: exchange, refresh_token: refresh };

/**
 * Refuses more than the user granted. If less is requested, all granted scopes are returned, and the response lists
 * them (RFC 6749 §6).
 */
function requireGranted(scope: string, granted: string): void {
  const known = parseScopes(granted);
  if (parseScopes(scope).every((each) => known.includes(each))) return;
  throw new OAuthError("invalid_scope", "The requested scope exceeds what was granted");
}

const noRefresh = () => new OAuthError("invalid_grant", "Refresh token is invalid or expired.");

function readFields({ request }: Call): Record<string, string> {
  try {
    return readForm(request);
  } catch (cause) {
    throw cause instanceof FormFault ? new OAuthError("invalid_request", cause.message) : cause;
  }
}
