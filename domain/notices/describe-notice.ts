import { countOf } from "../text/counts.ts";
import type { AdminTabId } from "./admin-tab.ts";

/** News for editors, moderators or admins: a count, and some item names. */
export type Notice = { kind: string; count: number; items: readonly string[] };

type Words = {
  one: string;
  many: string;
  /** The tab of the admin area; null if no tab shows it. */
  tab: AdminTabId | null;
};

/** By kind: those that the database knows. */
export const WORDS = {
  proposals: {
    one: "value waits for a second person",
    many: "values wait for a second person",
    tab: "proposals",
  },
  large_changes: { one: "value changed a lot", many: "values changed a lot", tab: "grid" },
  stale: {
    one: "item has not been checked for 30 days",
    many: "items have not been checked for 30 days",
    tab: "work",
  },
  pictures: {
    one: "picture of a change is waiting for review",
    many: "pictures of changes are waiting for review",
    tab: "proposals",
  },
  reports: { one: "new report", many: "new reports", tab: "moderation" },
  failed_mails: { one: "email can't be delivered", many: "emails can't be delivered", tab: null },
} as const satisfies Record<string, Words>;
const UNKNOWN: Words = { one: "piece of news", many: "pieces of news", tab: null };

/** Such as `2 values wait for a second person: Buddha, Kitsune`, and the tab of the admin area that shows them. */
export function describeNotice({ kind, count, items }: Notice): { text: string; tab: AdminTabId | null } {
  const known: Partial<Record<string, Words>> = WORDS;
  const { one, many, tab } = known[kind] ?? UNKNOWN;
  const more = count > items.length ? " …" : "";
  const names = items.length > 0 ? `: ${items.join(", ")}${more}` : "";
  return { text: countOf(count, one, many) + names, tab };
}
