import { describeReason } from "#app/features/items/change-reason.ts";
import { addressOfPicture } from "#app/features/items/evidence-link.tsx";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { escapeXml } from "#domain/text/xml.ts";
import { anchorOf, describeChange, describePart, NO_REASON, pathOf } from "../describe-change.ts";
import type { ReadChanges, ShownChange } from "../read-changes.ts";

/** Changes as Atom (RFC 4287). `path` is the feed's own, with its query. */
export function atomFeed({ siteName, siteUrl }: SiteConfig, path: string, { changes }: ReadChanges): string {
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
