import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import { accountSettings } from "./gotrue/accounts.ts";
import { captchaSettings } from "./gotrue/captcha.ts";
import { factorSettings } from "./gotrue/factors.ts";
import { hookSettings } from "./gotrue/hooks.ts";
import { limitSettings } from "./gotrue/limits.ts";
import { mailDesignSettings } from "./gotrue/mail-designs.ts";
import { messageSettings } from "./gotrue/messages.ts";
import { oauthServerSettings } from "./gotrue/oauth-server.ts";
import { passwordSettings } from "./gotrue/passwords.ts";
import { providerSettings } from "./gotrue/providers.ts";
import { samlSettings } from "./gotrue/saml.ts";
import { sessionSettings, tokenSettings } from "./gotrue/sessions.ts";
import type { Setting, SettingRows } from "./gotrue/setting.ts";
import { web3Settings } from "./gotrue/web3.ts";
import type { Environment } from "./variables.ts";

/** Every setting of the service that can be configured; a new group is a file next to these and a line here. */
const AUTH_SETTINGS = [
  accountSettings,
  messageSettings,
  mailDesignSettings,
  passwordSettings,
  sessionSettings,
  factorSettings,
  hookSettings,
  captchaSettings,
  web3Settings,
  providerSettings,
  samlSettings,
  limitSettings,
  oauthServerSettings,
];

/** The same plus settings that only the standalone services expose. */
export const STANDALONE_AUTH_SETTINGS = [...AUTH_SETTINGS, tokenSettings];

/**
 * Reads the hosted service's variables (`GOTRUE_…`), each with the meaning it has there; unset ones are omitted. Throws
 * a one-sentence `ConfigurationError`.
 */
export function readAuthSettings(
  environment: Environment,
  groups: readonly SettingRows[] = AUTH_SETTINGS,
): Partial<AuthConfig> {
  const rows = groups.flatMap((group) => Object.entries<Setting<unknown>>(group));
  const values = rows.map(([name, read]) => [name, read(environment)]);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}
