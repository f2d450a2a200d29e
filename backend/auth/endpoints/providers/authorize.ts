import { describeCause } from "#backend/log/describe-cause.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import { AuthError } from "../../auth-error.ts";
import { readChallenge } from "../../one-time-codes/flow-state.ts";
import type { Provider } from "../../provider-protocols/provider.ts";
import { authorizationUrl } from "../../provider-protocols/sign-in-at.ts";
import { nameBrowser } from "../../providers/browser-cookie.ts";
import { findProvider, unsupported } from "../../providers/find-provider.ts";
import { beginProviderFlow, type LinkTarget, secretsOf } from "../../providers/provider-flow.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readRedirect, redirectAway } from "../../requests/redirect.ts";
import { redirectRefusal } from "../../requests/redirect-refusal.ts";
import type { AuthConfig } from "../../service/auth-config.ts";
import type { AuthService } from "../../service/auth-service.ts";

/** GET /authorize: redirects the browser to a provider. If that fails, redirects to the site with the error. */
export async function authorize(call: Call, service: AuthService): Promise<Reply> {
  try {
    const { url, headers } = await leaveForProvider(call, service, null);
    return redirectAway(url, 302, headers);
  } catch (cause) {
    if (!(cause instanceof AuthError) || cause.code !== "unexpected_failure") throw cause;
    return redirectRefusal(readRedirect(call, service.config), cause, service);
  }
}

/**
 * Begins a sign-in at the provider named in the query: returns its URL, and the cookie that binds the sign-in to this
 * browser.
 * @throws AuthError 400 if the provider is not configured, 500 if it cannot be reached
 */
export async function leaveForProvider(
  call: Call,
  service: AuthService,
  linkTo: LinkTarget | null,
): Promise<{ url: string; headers: Record<string, string> }> {
  const { query, client, request } = call;
  const { config, database, limits, connect, secret } = service;
  const id = (query.get("provider") ?? "").toLowerCase();
  const challenge = readChallenge(
    query.get("code_challenge") ?? "",
    query.get("code_challenge_method") ?? "",
  );
  await limits.take("provider", client.network);
  const provider = await findProvider(service, id);
  if (!provider) throw unsupported(id);
  await connect(provider).catch((cause) => {
    throw unreachable(service, provider, cause);
  });
  const redirectTo = readRedirect(call, config);
  const flowId = await beginProviderFlow(database.query, { provider: id, redirectTo, challenge, linkTo });
  const { browser, headers } = keepsCookie(config, linkTo)
    ? nameBrowser(request, config)
    : { browser: "", headers: {} };
  const url = await authorizationUrl(connect, provider, {
    secrets: secretsOf(flowId, browser, secret),
    redirectUri: redirectUriOf(provider, config),
    scopes: (query.get("scopes") ?? "").split(/[\s,]+/).filter(Boolean),
    params: passedOn(query),
  });
  return { url, headers };
}

/**
 * Linking starts with a `fetch` from a page; if the page is on another origin than this service, the browser keeps no
 * cookie.
 */
function keepsCookie({ siteUrl, externalUrl }: AuthConfig, linkTo: LinkTarget | null): boolean {
  return linkTo === null || new URL(siteUrl).origin === new URL(externalUrl).origin;
}

export function redirectUriOf({ redirectUri }: Provider, { externalUrl }: AuthConfig): string {
  return redirectUri ?? `${externalUrl.replace(/\/+$/, "")}/callback`;
}

/** This service's own parameters, and those that would change the client, the scope or the redirect. */
const NOT_PASSED_ON =
  /^(provider|scopes?|redirect_to|skip_http_redirect|apikey|invite_token|code_challenge.*|client_.*|redirect_uri|response_.*|state|nonce|request.*|registration|claims)$/;
const MOST_PASSED_ON = 20;
const LONGEST_PASSED_ON = 500;

/** Other parameters that a client passes to the provider, such as `prompt` or `login_hint`. */
function passedOn(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...query]
      .filter(([name, value]) => !NOT_PASSED_ON.test(name) && name.length + value.length <= LONGEST_PASSED_ON)
      .slice(0, MOST_PASSED_ON),
  );
}

/**
 * Logs the provider and the kind of failure for the operator, but not the provider's message, which may contain
 * secrets.
 */
export function unreachable({ log }: Pick<AuthService, "log">, { id }: Provider, cause: unknown): AuthError {
  log(logText`auth: signing in through ${fromOperator(id)} failed: ${describeCause(cause)}`);
  return new AuthError(
    500,
    "unexpected_failure",
    "The provider could not be reached, please try again later",
  );
}
