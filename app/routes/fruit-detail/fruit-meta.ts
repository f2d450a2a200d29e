import type { PageMetaInput } from "#app/features/site/page-meta.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { spaced } from "#domain/text/words.ts";
import type { FoundFruit } from "./load-fruit.ts";

/** What the head of an item's page says: of the item, of a missing one, or of one that cannot be read now. */
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
      `${fruit.name} in ${site.gameName}: value ${regular.value}, permanent ${permanent.value}, ` +
      `demand ${spaced(fruit.demand)}, ${fruit.rarity}. Value history, trade guide and market insights.`,
    keywords: [`${fruit.name} value`, `${fruit.name} ${site.gameName}`, `${fruit.name} trade`, ...keywords],
    image: fruit.image,
    breadcrumbs: [values, { name: fruit.name, path }],
  };
}

function missingDescription(site: SiteConfig): string {
  return `Look up the value of another ${site.gameName} item.`;
}
