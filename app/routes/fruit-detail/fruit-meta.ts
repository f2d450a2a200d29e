import type { PageMetaInput } from "#app/features/site/page-meta.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import type { FoundFruit } from "./load-fruit.ts";

/** The head of an item's page: for the item, a missing one, or one that cannot be read now. */
export function fruitMeta(
  site: SiteConfig,
  slug: string,
  data: { unavailable: boolean; found?: FoundFruit | null } | null,
): PageMetaInput {
  const path = `/fruits/${slug}`;
  const values = { name: "Item Values", path: "/values" };
  const keywords = [`${site.gameName} values`, "item value", "trading", "demand"];
  const found = data?.found;
  if (!found) {
    const title = data && !data.unavailable ? "Fruit Not Found" : "Item value unavailable right now";
    return { site, path, title, description: missingDescription(site), keywords, breadcrumbs: [values] };
  }
  const { fruit, head } = found;
  return {
    site,
    path,
    title: `${fruit.name} Value`,
    description: head.description,
    keywords: [`${fruit.name} value`, `${fruit.name} ${site.gameName}`, `${fruit.name} trade`, ...keywords],
    // The version makes parsers that cache images by address fetch the one with the new value.
    preview: { path: `/share/fruits/${slug}.png?v=${encodeURIComponent(fruit.updated)}`, alt: head.alt },
    breadcrumbs: [values, { name: fruit.name, path }],
  };
}

function missingDescription(site: SiteConfig): string {
  return `Look up the value of another ${site.gameName} item.`;
}
