import type { Category } from "#app/features/categories/category-queries.ts";
import { type ShownField, shownCustomFields } from "#app/features/items/custom-fields.ts";
import type { CustomFieldLabels } from "#app/features/items/field-definition-queries.ts";
import type { Item } from "#app/features/items/item-queries.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { ItemValues } from "#domain/values/view-mode.ts";

/** What a card of the values list needs of an item; the list goes to the browser, so it carries nothing else. */
export type ListedItem = ItemValues & {
  slug: string;
  name: string;
  /** What players call it, separated by commas; searched beside the name. */
  aliases: string;
  image: string | null;
  rarity: string;
  demand: string;
  /** The category's slug, by which the tabs are keyed; null for an item without one. */
  category: string | null;
  /** The day of the last check of its values, `2026-08-17`. */
  checked: string;
  fields: ShownField[];
};

/** The items of a list as their cards show them. */
export function toListedItems(
  items: readonly Item[],
  categories: readonly Category[],
  labels: CustomFieldLabels | null,
  configuration: PageConfiguration,
): ListedItem[] {
  const slugs = new Map(categories.map(({ id, slug }) => [id, slug]));
  return items.map((item) => ({
    slug: item.slug,
    name: item.name,
    aliases: item.aliases,
    image: item.image_url || null,
    rarity: item.rarity,
    demand: item.demand,
    category: slugs.get(item.category_id ?? "") ?? null,
    checked: item.values_checked_at.slice(0, 10),
    current_value: item.current_value,
    previous_value: item.previous_value,
    permanent_value: item.permanent_value,
    permanent_previous_value: item.permanent_previous_value,
    beli_price: item.beli_price,
    robux_price: item.robux_price,
    fields: shownCustomFields(item.custom_fields, labels, configuration),
  }));
}
