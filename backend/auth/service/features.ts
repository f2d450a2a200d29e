import { AuthError } from "../auth-error.ts";
import type { AuthService } from "./auth-service.ts";

/** A check for an optional feature; throws an AuthError while it is off. */
type Requirement = (service: Pick<AuthService, "config">) => void;

export const requireManualLinking: Requirement = ({ config }) => {
  if (!config.manualLinking)
    throw new AuthError(404, "manual_linking_disabled", "Manual linking is disabled");
};

export const requirePasskeys: Requirement = ({ config }) => {
  if (!config.passkeysEnabled) throw new AuthError(404, "passkey_disabled", "Passkeys are disabled");
};

export const requireCustomProviders: Requirement = ({ config }) => {
  if (!config.customProviders.enabled)
    throw new AuthError(404, "feature_disabled", "Custom OAuth providers are disabled");
};

export const requireRecoveryCodes: Requirement = ({ config }) => {
  if (!config.recoveryCodes) throw new AuthError(404, "feature_disabled", "Recovery codes are disabled");
};

export const requireOAuthServer: Requirement = ({ config }) => {
  if (!config.oauthServer) throw new AuthError(404, "feature_disabled", "OAuth server is disabled");
};

export const requireSignups: Requirement = ({ config }) => {
  if (config.disableSignup)
    throw new AuthError(422, "signup_disabled", "Signups not allowed for this instance");
};
