import { describeReason } from "#app/features/items/change-reason.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { escapeXml } from "#domain/text/xml.ts";
import { describeValueChange, NO_REASON, pathOf } from "../describe-value-change.ts";
import type { ReadChanges, ShownChange } from "../read-changes.ts";

/** Changes as Atom (RFC 4287). `path` is the feed's own, with its query. */
export function atomFeed({ siteName, siteUrl }: SiteConfig, path: string, { changes }: ReadChanges): string {
  const address = (to: string) => escapeXml(new URL(to, siteUrl).href);
  // A feed must say when it changed; without an entry it never did.
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
  const { id, item, mode, changed_at } = change;
  const name = mode === "permanent" ? `Permanent ${item.name}` : item.name;
  return `<entry>
<title>${escapeXml(`${name}: ${describeValueChange(change)}`)}</title>
<id>${address(`/changes#c${id}`)}</id>
<link href="${address(pathOf(change))}"/>
<updated>${new Date(changed_at).toISOString()}</updated>
<summary>${escapeXml(describeReason(change) ?? NO_REASON)}</summary>
</entry>`;
}
