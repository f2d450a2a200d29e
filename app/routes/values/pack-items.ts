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
 * The items as one text, column by column, since like next to like compresses best. The router serializes loader data
 * as a graph of references, twice as large for a catalogue; a text passes unchanged.
 */
export function packItems(items: readonly ListedItem[]): string {
  return JSON.stringify(COLUMNS.map((column) => items.map((item) => item[column])));
}

export function unpackItems(packed: string): ListedItem[] {
  const columns = JSON.parse(packed) as ListedItem[keyof ListedItem][][];
  const itemAt = (_: unknown, row: number) =>
    Object.fromEntries(COLUMNS.map((column, index) => [column, columns[index]?.[row]])) as ListedItem;
  return (columns[0] ?? []).map(itemAt);
}
