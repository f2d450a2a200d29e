import { readKept, writeKept } from "#app/features/browser-storage/kept.ts";

/** One row of the picker. */
const KEPT_ITEMS = 4;

/** The slugs of the items picked last in this browser, latest first. */
export function readRecentItems(): string[] {
  return (readKept("recentItems") ?? "").split(",").filter(Boolean).slice(0, KEPT_ITEMS);
}

export function keepRecentItem(slug: string): void {
  const others = readRecentItems().filter((each) => each !== slug);
  writeKept("recentItems", [slug, ...others].slice(0, KEPT_ITEMS).join(","));
}
