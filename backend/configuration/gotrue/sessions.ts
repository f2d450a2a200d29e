import { flag, list, type SettingRows, seconds, text, wholeNumber } from "./setting.ts";

export const sessionSettings = {
  accessTokenLifetime: wholeNumber("GOTRUE_JWT_EXP", { min: 60, max: 604_800 }),
  reuseInterval: wholeNumber("GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", { min: 0, max: 3600 }),
  reuseEndsSession: flag("GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED"),
  sessionTimebox: seconds("GOTRUE_SESSIONS_TIMEBOX"),
  sessionInactivity: seconds("GOTRUE_SESSIONS_INACTIVITY_TIMEOUT"),
  singleSession: flag("GOTRUE_SESSIONS_SINGLE_PER_USER"),
  lowAalFor: seconds("GOTRUE_SESSIONS_ALLOW_LOW_AAL"),
} satisfies SettingRows;

/** Only for the standalone services: the site's pages and policies rely on the defaults of these. */
export const tokenSettings = {
  audience: text("GOTRUE_JWT_AUD"),
  issuer: text("GOTRUE_JWT_ISSUER"),
  adminRoles: list("GOTRUE_JWT_ADMIN_ROLES"),
  defaultRole: text("GOTRUE_JWT_DEFAULT_GROUP_NAME"),
} satisfies SettingRows;
