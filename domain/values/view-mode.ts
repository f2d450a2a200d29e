import { formatValue, parseValue, type ValueText } from "./value-text.ts";

/** The two ways an item is traded (4.mode.01–02). */
export const VIEW_MODES = ["regular", "permanent"] as const;
export type ViewMode = (typeof VIEW_MODES)[number];

export const VIEW_MODE_LABELS: Record<ViewMode, string> = { regular: "Regular", permanent: "Permanent" };

/** The mode that an address asks for by `mode`; regular for anything odd or none. */
export function modeOfQuery(query: string): ViewMode {
  return new URLSearchParams(query).get("mode") === "permanent" ? "permanent" : "regular";
}

/** The query of an item's page in a mode, so that what was chosen in a list goes along; regular needs none. */
export function modeQuery(mode: string | null): string {
  return mode === "permanent" ? "?mode=permanent" : "";
}

/** The columns of an item that carry figures; a read that leaves some out shows those as unpriced. */
export type ItemValues = {
  current_value?: ValueText;
  previous_value?: ValueText;
  permanent_value?: ValueText;
  permanent_previous_value?: ValueText;
  beli_price?: ValueText;
  robux_price?: ValueText;
};

/** One figure as shown and as counted; `number` is null and `text` an en dash when there is none. */
type Figure = { text: string; number: number | null };

export type Figures = { value: Figure; previous: Figure; price: Figure; currency: "Beli" | "Robux" };

/** The figures of an item in one mode, never mixed with the other mode's (P5). */
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

/** The value of an item in a mode as a number, null when unpriced. */
export function valueIn(item: ItemValues, mode: ViewMode): number | null {
  return parseValue(mode === "permanent" ? item.permanent_value : item.current_value);
}

/** Highest value of the mode first, unpriced last, ties by name (P29). A new array. */
export function orderByValue<T extends ItemValues & { name: string }>(
  items: readonly T[],
  mode: ViewMode,
): T[] {
  return items
    .map((item) => ({ item, value: valueIn(item, mode) ?? Number.NEGATIVE_INFINITY }))
    .sort((a, b) => compare(b.value, a.value) || compare(a.item.name, b.item.name))
    .map(({ item }) => item);
}

/** Names by code unit: the same in every browser and on the server, whatever their locale. */
function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function figure(value: ValueText): Figure {
  return { text: formatValue(value), number: parseValue(value) };
}
