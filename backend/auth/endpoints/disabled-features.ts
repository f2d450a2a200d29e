import { AuthError, type AuthErrorCode } from "../auth-error.ts";
import type { Endpoint } from "../requests/call.ts";

function refuse(status: number, code: AuthErrorCode, message: string): Endpoint {
  return async () => {
    throw new AuthError(status, code, message);
  };
}

/** Features that this service lacks respond as the hosted service does where they are disabled. */
export const disabledFeatures = {
  saml: refuse(404, "saml_provider_disabled", "SAML 2.0 is disabled"),
};
