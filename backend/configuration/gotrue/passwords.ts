import { passwordPolicy } from "#backend/auth/passwords/password-policy.ts";
import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import { type Environment, refuse } from "../variables.ts";
import { flag, type SettingRows, text, wholeNumber } from "./setting.ts";

export const passwordSettings = {
  findPasswordFault: readPasswordPolicy,
  refuseCommonPasswords: flag("GOTRUE_PASSWORD_COMMON_REFUSED"),
  breaches: readBreaches,
  requireCurrentPassword: flag("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD"),
  reauthenticateForPassword: flag("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION"),
} satisfies SettingRows;

const minLengthOf = wholeNumber("GOTRUE_PASSWORD_MIN_LENGTH", { min: 6, max: 128 });
const groupsOf = text("GOTRUE_PASSWORD_REQUIRED_CHARACTERS");

function readPasswordPolicy(environment: Environment): AuthConfig["findPasswordFault"] | null {
  const minLength = minLengthOf(environment);
  const groups = groupsOf(environment);
  if (minLength === null && groups === null) return null;
  return passwordPolicy({ minLength: minLength ?? 6, requiredCharacters: splitGroups(groups) });
}

function readBreaches(environment: Environment): AuthConfig["breaches"] {
  const isAsked = flag("GOTRUE_PASSWORD_HIBP_ENABLED")(environment);
  const failClosed = flag("GOTRUE_PASSWORD_HIBP_FAIL_CLOSED")(environment) ?? false;
  const userAgent = text("GOTRUE_PASSWORD_HIBP_USER_AGENT")(environment) ?? "auth service";
  const baseUrl = text("GOTRUE_PASSWORD_HIBP_URL")(environment) ?? "https://api.pwnedpasswords.com";
  if (!isAsked) return null;
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) {
    return refuse("GOTRUE_PASSWORD_HIBP_URL", "must be an address such as https://api.pwnedpasswords.com");
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ""), userAgent, failClosed };
}

/** Groups are separated by colons; `\:` is a literal colon. */
function splitGroups(groups: string | null): string[] {
  if (groups === null) return [];
  return groups.split(/(?<!\\):/).map((group) => group.replaceAll("\\:", ":"));
}
