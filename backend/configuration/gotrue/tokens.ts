import { list, type SettingRows, text } from "./setting.ts";

/** Of the services alone: the site's own pages and policies rely on what these are by default. */
export const tokenSettings = {
  audience: text("GOTRUE_JWT_AUD"),
  issuer: text("GOTRUE_JWT_ISSUER"),
  adminRoles: list("GOTRUE_JWT_ADMIN_ROLES"),
  defaultRole: text("GOTRUE_JWT_DEFAULT_GROUP_NAME"),
} satisfies SettingRows;
