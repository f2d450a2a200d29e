import { describeReason } from "#app/features/items/change-reason.ts";
import { addressOfPicture } from "#app/features/items/evidence-link.tsx";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import {
  anchorOf,
  describeChange,
  describePart,
  NO_REASON,
  pathOf,
} from "#app/routes/changes/describe-change.ts";
import { siteContext, supabaseContext } from "#app/server-context.ts";
import { escapeXml } from "#domain/text/xml.ts";
import { parseChangeQuery } from "../change-query.ts";
import { cursorOf, type ReadChanges, readChanges, type ShownChange } from "../read-changes.ts";
import type { Route } from "./+types/route.ts";

const ATOM = { file: "changes.atom", type: "application/atom+xml; charset=utf-8", write: atomFeed };
const JSON_FEED = { file: "changes.json", type: "application/json", write: jsonFeed };

/** `/feeds/changes.atom` and `/feeds/changes.json`: the latest 50 changes for the query, as on /changes. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { pathname, search } = new URL(request.url);
  const { file, type, write } = pathname.includes("json") ? JSON_FEED : ATOM;
  const read = await readChanges(context.get(supabaseContext), parseChangeQuery(search));
  if (!read) return new Response("Changes can't be loaded right now\n", { status: 503 });
  const text = write(context.get(siteContext), `/feeds/${file}${search}`, read);
  return new Response(text, { headers: { "content-type": type } });
}

/** `{ changes: [...], next }`, where `next` is the address of older ones or null. `path` is the feed's own. */
function jsonFeed({ siteUrl }: SiteConfig, path: string, read: ReadChanges): string {
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

/** Changes as Atom (RFC 4287). `path` is the feed's own, with its query. */
function atomFeed({ siteName, siteUrl }: SiteConfig, path: string, { changes }: ReadChanges): string {
  const address = (to: string) => escapeXml(new URL(to, siteUrl).href);
  // A feed requires an update time; without entries, the epoch.
  const updated = new Date(changes[0]?.changed_at ?? 0).toISOString();
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${escapeXml(siteName)} value changes</title>
<id>${address("/changes")}</id>
<link rel="self" href="${address(path)}"/>
<link rel="alternate" href="${address("/changes")}"/>
<updated>${updated}</updated>
<author><name>${escapeXml(siteName)}</name></author>
${changes.map((change) => entry(change, address)).join("\n")}
</feed>
`;
}

function entry(change: ShownChange, address: (to: string) => string): string {
  const { item, changed_at, editor_name, picture } = change;
  const name = [describePart(change), item.name].filter(Boolean).join(" ");
  return `<entry>
<title>${escapeXml(`${name}: ${describeChange(change)}`)}</title>
<id>${address(`/changes#${anchorOf(change)}`)}</id>
<link href="${address(pathOf(change))}"/>
${picture === null ? "" : `<link rel="enclosure" href="${address(addressOfPicture(picture))}"/>\n`}<updated>${new Date(changed_at).toISOString()}</updated>
${editor_name === null ? "" : `<author><name>${escapeXml(editor_name)}</name></author>\n`}<summary>${escapeXml(describeReason(change) ?? NO_REASON)}</summary>
</entry>`;
}
