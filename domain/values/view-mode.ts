import { formatValue, parseValue, type ValueText } from "./value-text.ts";

/** The two ways an item is traded (4.mode.01–02). */
export const VIEW_MODES = ["regular", "permanent"] as const;
export type ViewMode = (typeof VIEW_MODES)[number];

export const VIEW_MODE_LABELS: Record<ViewMode, string> = { regular: "Regular", permanent: "Permanent" };

/** The mode from a URL's `mode` parameter; regular if missing or invalid. */
export function modeOfQuery(query: string): ViewMode {
  return new URLSearchParams(query).get("mode") === "permanent" ? "permanent" : "regular";
}

/** The query for an item's page in a mode, to keep the mode chosen in a list; empty for regular. */
export function modeQuery(mode: string | null): string {
  return mode === "permanent" ? "?mode=permanent" : "";
}

/** An item's numeric columns; columns that a query leaves out count as unpriced. */
export type ItemValues = {
  current_value?: ValueText;
  previous_value?: ValueText;
  permanent_value?: ValueText;
  permanent_previous_value?: ValueText;
  beli_price?: ValueText;
  robux_price?: ValueText;
};

/** A number as displayed and as computed; without one, `number` is null and `text` an en dash. */
type Figure = { text: string; number: number | null };

export type Figures = { value: Figure; previous: Figure; price: Figure; currency: "Beli" | "Robux" };

/** An item's numbers in one mode, never mixed with the other mode's (P5). */
export function figuresOf(item: ItemValues, mode: ViewMode): Figures {
  return mode === "permanent"
    ? {
        value: figure(item.permanent_value),
        previous: figure(item.permanent_previous_value),
        price: figure(item.robux_price),
        currency: "Robux",
      }
    : {
        value: figure(item.current_value),
        previous: figure(item.previous_value),
        price: figure(item.beli_price),
        currency: "Beli",
      };
}

/** An item's value in a mode as a number, null if unpriced. */
export function valueIn(item: ItemValues, mode: ViewMode): number | null {
  return parseValue(mode === "permanent" ? item.permanent_value : item.current_value);
}

/** A new array sorted by the mode's value, highest first, unpriced last, ties by name (P29). */
export function orderByValue<T extends ItemValues & { name: string }>(
  items: readonly T[],
  mode: ViewMode,
): T[] {
  return items
    .map((item) => ({ item, value: valueIn(item, mode) ?? Number.NEGATIVE_INFINITY }))
    .sort((a, b) => compare(b.value, a.value) || compare(a.item.name, b.item.name))
    .map(({ item }) => item);
}

/** Compares names by code unit: the same in every browser and on the server, whatever the locale. */
function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function figure(value: ValueText): Figure {
  return { text: formatValue(value), number: parseValue(value) };
}
