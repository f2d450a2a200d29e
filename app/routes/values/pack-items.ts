import type { ListedItem } from "./listed-item.ts";

const COLUMNS = [
  "slug",
  "name",
  "aliases",
  "image",
  "rarity",
  "demand",
  "type",
  "category",
  "checked",
  "current_value",
  "previous_value",
  "permanent_value",
  "permanent_previous_value",
  "beli_price",
  "robux_price",
  "fields",
  "lines",
  "moved",
  "ranges",
] as const satisfies (keyof ListedItem)[];

/**
 * The items as one text, a row of columns each. The router serializes loader data as a graph of references, twice as
 * large for a catalogue; a text passes unchanged.
 */
export function packItems(items: readonly ListedItem[]): string {
  return JSON.stringify(items.map((item) => COLUMNS.map((column) => item[column])));
}

export function unpackItems(packed: string): ListedItem[] {
  const rows = JSON.parse(packed) as ListedItem[keyof ListedItem][][];
  return rows.map((row) =>
    Object.fromEntries(COLUMNS.map((column, index) => [column, row[index]])),
  ) as ListedItem[];
}
