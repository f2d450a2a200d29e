import { flag, list, type SettingRows, seconds, text } from "./setting.ts";

export const accountSettings = {
  siteUrl: text("GOTRUE_SITE_URL"),
  uriAllowList: list("GOTRUE_URI_ALLOW_LIST"),
  disableSignup: flag("GOTRUE_DISABLE_SIGNUP"),
  emailEnabled: flag("GOTRUE_EXTERNAL_EMAIL_ENABLED"),
  phoneEnabled: flag("GOTRUE_EXTERNAL_PHONE_ENABLED"),
  anonymousUsers: flag("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED"),
  anonymousRetention: seconds("GOTRUE_ANONYMOUS_ACCOUNT_RETENTION"),
  manualLinking: flag("GOTRUE_SECURITY_MANUAL_LINKING_ENABLED"),
  auditRetention: seconds("GOTRUE_AUDIT_LOG_RETENTION"),
  unconfirmedRetention: seconds("GOTRUE_UNCONFIRMED_ACCOUNT_RETENTION"),
  addressHeader: text("GOTRUE_RATE_LIMIT_HEADER"),
} satisfies SettingRows;
