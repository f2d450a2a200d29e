import { AuthError, type AuthErrorCode, validationFailed } from "../auth-error.ts";
import type { Endpoint } from "../requests/call.ts";

function refuse(status: number, code: AuthErrorCode, message: string): Endpoint {
  return async () => {
    throw new AuthError(status, code, message);
  };
}

/** Features that this service lacks respond as the hosted service does where they are disabled. */
export const disabledFeatures = {
  provider: (async ({ query }) => {
    const name = query.get("provider");
    throw validationFailed(
      name ? `Unsupported provider: provider is not enabled` : "Unsupported provider: missing provider",
    );
  }) satisfies Endpoint as Endpoint,
  // Browsers are redirected back to the site, which says what went wrong.
  callback: (async ({ query }, { config }) => {
    const [code, text] = query.get("state")
      ? ["bad_oauth_state", "OAuth state is invalid"]
      : ["bad_oauth_callback", "OAuth state parameter missing"];
    const details = new URLSearchParams({
      error: "invalid_request",
      error_code: code,
      error_description: text,
    });
    const url = new URL(config.siteUrl);
    url.search = details.toString();
    url.hash = details.toString();
    return { status: 303, headers: { location: url.href } };
  }) satisfies Endpoint as Endpoint,
  saml: refuse(404, "saml_provider_disabled", "SAML 2.0 is disabled"),
};
