import { addressOfPicture } from "#app/features/items/evidence-link.tsx";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { pathOf } from "../describe-change.ts";
import { cursorOf, type ReadChanges } from "../read-changes.ts";

/** `{ changes: [...], next }`, where `next` is the address of older ones or null. `path` is the feed's own. */
export function jsonFeed({ siteUrl }: SiteConfig, path: string, read: ReadChanges): string {
  const changes = read.changes.map(({ item, ...change }) => ({
    ...change,
    item: item.name,
    picture: change.picture && new URL(addressOfPicture(change.picture), siteUrl).href,
    url: new URL(pathOf({ item, ...change }), siteUrl).href,
  }));
  const older = new URL(path, siteUrl);
  const last = read.changes.at(-1);
  if (last) older.searchParams.set("before", cursorOf(last));
  return JSON.stringify({ changes, next: read.hasMore ? older.href : null });
}
