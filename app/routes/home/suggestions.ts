import type { Item } from "#app/features/items/item-queries.ts";
import { figuresOf, VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";

/** What the home page's search shows of an item and searches in. */
export type Suggestion = {
  slug: string;
  name: string;
  aliases: string;
  values: Record<ViewMode, string>;
};

/** The most items that the home page suggests, to stay light; /values finds the others. */
const MOST = 300;

/** The first items as one text: the router's own serialization of a list is twice as large. */
export function packSuggestions(
  items: readonly Pick<Item, "slug" | "name" | "aliases" | "current_value" | "permanent_value">[],
): string {
  const rows = items.slice(0, MOST).map((item) => {
    const [regular, permanent] = VIEW_MODES.map((mode) => figuresOf(item, mode).value.text);
    return [item.slug, item.name, item.aliases, regular, permanent];
  });
  return JSON.stringify(rows);
}

export function unpackSuggestions(packed: string): Suggestion[] {
  const rows = JSON.parse(packed) as [string, string, string, string, string][];
  return rows.map(([slug, name, aliases, regular, permanent]) => ({
    slug,
    name,
    aliases,
    values: { regular, permanent },
  }));
}
