import { AuthError, validationFailed } from "../../auth-error.ts";
import { findApplication, redirectUrisOf } from "../../oauth-server/application.ts";
import { storeAuthorization } from "../../oauth-server/authorization.ts";
import { readAuthorizeRequest } from "../../oauth-server/authorize-request.ts";
import { mayIdentify } from "../../oauth-server/issuer.ts";
import { redirectBack } from "../../oauth-server/redirect-back.ts";
import type { Call, Endpoint, Reply } from "../../requests/call.ts";
import { redirectAway } from "../../requests/redirect.ts";
import { isUuid } from "../../requests/uuid.ts";
import type { AuthService } from "../../service/auth-service.ts";

/**
 * GET /oauth/authorize: an application sends a user's browser here, and it is redirected to the site's consent page.
 * Errors are returned to the application, but only at a registered redirect URI.
 */
export const authorize: Endpoint = async (call, service) => {
  try {
    return await beginAuthorization(call, service);
  } catch (cause) {
    const isPerson = call.request.headers.accept?.includes("text/html");
    if (!(cause instanceof AuthError) || cause.status >= 429 || !isPerson) throw cause;
    // A user is reading this, so the consent page shows it. The parameter is not called `error`, since the official
    // client would end the session.
    return goTo(consentPage(service, { refused: cause.code }));
  }
};

async function beginAuthorization({ query, client }: Call, service: AuthService): Promise<Reply> {
  const { config, database, limits, signer } = service;
  await limits.take("oauthRequest", client.network);
  const redirectUri = only(query, "redirect_uri");
  const id = only(query, "client_id");
  if (!isUuid(id)) throw unknownClient("invalid client_id format");
  const application = await findApplication(database.query, id);
  if (!application) throw unknownClient("invalid client_id");
  if (!redirectUrisOf(application).includes(redirectUri)) throw validationFailed("invalid redirect_uri");
  const request = readAuthorizeRequest(query, config, mayIdentify(signer));
  if ("error" in request) {
    const { error, description } = request;
    const answer = { error, error_description: description, state: query.getAll("state")[0] };
    return redirectAway(redirectBack(redirectUri, answer, config));
  }
  const name = await storeAuthorization(database.query, { id: application.id, redirectUri }, request, config);
  return goTo(consentPage(service, { authorization_id: name }));
}

function consentPage({ config }: AuthService, query: Record<string, string>): string {
  const page = config.siteUrl.replace(/\/+$/, "") + config.oauthConsentPath;
  return `${page}?${new URLSearchParams(query)}`;
}

const goTo = (location: string): Reply => ({ status: 302, headers: { location } });

function only(query: URLSearchParams, name: string): string {
  const [value, ...more] = query.getAll(name);
  if (!value) throw validationFailed(`${name} is required`);
  if (more.length > 0) throw validationFailed(`${name} must not be repeated`);
  return value;
}

const unknownClient = (message: string) => new AuthError(400, "oauth_client_not_found", message);
