import type { PageMetaInput } from "#app/features/site/page-meta.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { formatDate } from "#domain/text/dates.ts";
import { spaced } from "#domain/text/words.ts";
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
  const fruit = data?.found?.fruit;
  if (!fruit) {
    const title = data && !data.unavailable ? "Fruit Not Found" : "Item value unavailable right now";
    return { site, path, title, description: missingDescription(site), keywords, breadcrumbs: [values] };
  }
  const { regular, permanent } = fruit.modes;
  return {
    site,
    path,
    title: `${fruit.name} Value`,
    description:
      `${fruit.name} in ${site.gameName}: value ${regular.value}${changeInWords(data.found)}, permanent ` +
      `${permanent.value}, demand ${spaced(fruit.demand)}, checked ${formatDate(fruit.checked)}. ` +
      "Value history, trade guide and market insights.",
    keywords: [`${fruit.name} value`, `${fruit.name} ${site.gameName}`, `${fruit.name} trade`, ...keywords],
    // The version makes parsers that cache images by address fetch the one with the new value.
    preview: {
      path: `/share/fruits/${slug}.png?v=${encodeURIComponent(fruit.updated)}`,
      alt: `${fruit.name}: ${regular.value}`,
    },
    breadcrumbs: [values, { name: fruit.name, path }],
  };
}

/** ` (-3.03% since Aug 11, 2026)`; empty if the value did not move. */
function changeInWords(found: FoundFruit | null | undefined): string {
  const change = found?.fruit.modes.regular.change;
  const moved = found?.fruit.modes.regular.moved;
  if (!change || !moved || change.trend === "Stable") return "";
  return ` (${change.percentage} since ${formatDate(moved)})`;
}

function missingDescription(site: SiteConfig): string {
  return `Look up the value of another ${site.gameName} item.`;
}
