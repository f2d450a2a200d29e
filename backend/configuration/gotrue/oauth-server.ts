import { isScope, parseScopes, SCOPES } from "#backend/auth/sessions/scopes.ts";
import { type Environment, refuse } from "../variables.ts";
import { flag, type SettingRows, seconds, text } from "./setting.ts";

export const oauthServerSettings = {
  oauthServer: flag("GOTRUE_OAUTH_SERVER_ENABLED"),
  oauthRegistration: flag("GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION"),
  oauthConsentPath: readPath,
  oauthRequestLifetime: readLifetime,
  oauthDefaultScope: readScopes,
} satisfies SettingRows;

function readPath(environment: Environment): string | null {
  return text("GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH")(environment)?.replace(/^\/*/, "/") ?? null;
}

function readLifetime(environment: Environment): number | null {
  const lifetime = seconds("GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL")(environment);
  if (lifetime === 0) refuse("GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL", "must be longer than nothing");
  return lifetime;
}

function readScopes(environment: Environment): string | null {
  const named = text("GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE")(environment);
  if (named === null) return null;
  const scopes = parseScopes(named);
  if (scopes.length > 0 && scopes.every(isScope)) return scopes.join(" ");
  const rule = `must name some of ${SCOPES.join(", ")}, separated by spaces`;
  return refuse("GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE", rule);
}
