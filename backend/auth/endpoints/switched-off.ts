import { AuthError, type AuthErrorCode, validationFailed } from "../auth-error.ts";
import type { Endpoint } from "../requests/call.ts";

function refuse(status: number, code: AuthErrorCode, message: string): Endpoint {
  return async () => {
    throw new AuthError(status, code, message);
  };
}

/** What this service does not do answers as the hosted one does where the feature is switched off. */
export const switchedOff = {
  provider: (async ({ query }) => {
    const name = query.get("provider");
    throw validationFailed(
      name ? `Unsupported provider: provider is not enabled` : "Unsupported provider: missing provider",
    );
  }) satisfies Endpoint as Endpoint,
  // A browser comes here: it is led back to the site, which says what went wrong.
  callback: (async ({ query }, { config }) => {
    const [code, text] = query.get("state")
      ? ["bad_oauth_state", "OAuth state is invalid"]
      : ["bad_oauth_callback", "OAuth state parameter missing"];
    const said = new URLSearchParams({ error: "invalid_request", error_code: code, error_description: text });
    const url = new URL(config.siteUrl);
    url.search = said.toString();
    url.hash = said.toString();
    return { status: 303, headers: { location: url.href } };
  }) satisfies Endpoint as Endpoint,
  web3: refuse(422, "web3_provider_disabled", "Web3 provider is disabled"),
  saml: refuse(404, "saml_provider_disabled", "SAML 2.0 is disabled"),
  oauthServer: refuse(404, "feature_disabled", "OAuth server is disabled"),
};
