/** The tabs of /admin, as `?tab=` names them: notices link to them. */
export type AdminTabId =
  | "items"
  | "categories"
  | "fields"
  | "ads"
  | "grid"
  | "work"
  | "proposals"
  | "moderation"
  | "operation";
