import { canonicalUrl } from "#app/features/site/page-meta.ts";
import { PUBLIC_PAGES } from "#app/features/site/public-pages.ts";
import { escapeXml } from "#domain/text/xml.ts";
import type { ItemDate } from "./sitemap-queries.ts";

/**
 * The sitemap by the protocol of sitemaps.org. Only real dates: an item's is its last edit, the list's that of its
 * newest item; pages whose text has no date have none.
 */
export function sitemapXml(siteUrl: string, items: readonly ItemDate[]): string {
  const newest = items.reduce(
    (latest, { updated_at }) => (isLater(updated_at, latest) ? updated_at : latest),
    "",
  );
  const pages = PUBLIC_PAGES.map(({ path }) => entry(siteUrl, path, path === "/values" ? newest : ""));
  const details = items.map(({ slug, updated_at }) => entry(siteUrl, `/fruits/${slug}`, updated_at));
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${[...pages, ...details].join("\n")}
</urlset>
`;
}

function entry(siteUrl: string, path: string, date: string): string {
  const lastmod = date && `<lastmod>${new Date(date).toISOString()}</lastmod>`;
  return `<url><loc>${escapeXml(canonicalUrl(siteUrl, path))}</loc>${lastmod}</url>`;
}

function isLater(date: string, other: string): boolean {
  return other === "" || new Date(date) > new Date(other);
}
