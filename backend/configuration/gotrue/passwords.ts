import { passwordPolicy } from "#backend/auth/passwords/password-policy.ts";
import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import type { Environment } from "../variables.ts";
import { flag, type SettingRows, text, wholeNumber } from "./setting.ts";

export const passwordSettings = {
  findPasswordFault: readPasswordPolicy,
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

/** Groups are parted by colons; `\:` is a colon. */
function splitGroups(groups: string | null): string[] {
  if (groups === null) return [];
  return groups.split(/(?<!\\):/).map((group) => group.replaceAll("\\:", ":"));
}
