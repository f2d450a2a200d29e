import { parseValue } from "../values/value-text.ts";
import { type ItemValues, type ViewMode, valueIn } from "../values/view-mode.ts";
import { formatTrade, SLOTS_PER_SIDE, type TradeSlot } from "./trade-url.ts";

/** A saved trade's entry as written by the calculator (3.trade.02). */
export type TradeEntry = { id: string; name: string; value: string | null; viewMode: ViewMode };

/** Equal entries of one side combined: item name × quantity (P11). `id` is null in older records. */
export type TradeLine = {
  id: string | null;
  name: string;
  value: string | null;
  mode: ViewMode;
  quantity: number;
};

/**
 * The lines of a stored side: equal entries are combined, and an entry's `quantity` counts if present. Never throws:
 * invalid entries are left out.
 */
export function readLines(entries: unknown): TradeLine[] {
  const lines = new Map<string, TradeLine>();
  for (const line of Array.isArray(entries) ? entries.flatMap(readLine) : []) {
    const key = JSON.stringify([line.id ?? line.name, line.mode, line.value]);
    const same = lines.get(key);
    lines.set(key, same ? { ...same, quantity: same.quantity + line.quantity } : line);
  }
  return [...lines.values()];
}

function readLine(entry: unknown): TradeLine[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { id, name, value, viewMode, quantity } = entry as Record<string, unknown>;
  if (typeof name !== "string") return [];
  return [
    {
      id: typeof id === "string" ? id : null,
      name,
      value: typeof value === "string" ? value : null,
      mode: viewMode === "permanent" ? "permanent" : "regular",
      quantity: readQuantity(quantity),
    },
  ];
}

function readQuantity(quantity: unknown): number {
  const number = Number(quantity ?? 1);
  return Number.isSafeInteger(number) && number > 0 ? number : 1;
}

/** The number of items on a side that had no value when it was saved. */
export function countUnpriced(lines: readonly TradeLine[]): number {
  return lines.reduce((sum, { value, quantity }) => (parseValue(value) === null ? sum + quantity : sum), 0);
}

/**
 * The worth of a side at other values than those saved; `uncounted` is the number of items that have none or no longer
 * exist.
 */
export type SideWorth = { total: number; uncounted: number };

/** The worth of a side by today's catalogue; `find` returns a line's item if it still exists. */
export function weighLines(
  lines: readonly TradeLine[],
  find: (line: TradeLine) => ItemValues | undefined,
): SideWorth {
  const worth: SideWorth = { total: 0, uncounted: 0 };
  for (const line of lines) {
    const item = find(line);
    const value = item ? valueIn(item, line.mode) : null;
    if (value === null) worth.uncounted += line.quantity;
    else worth.total += value * line.quantity;
  }
  return worth;
}

/**
 * The calculator query for the same trade; null if an item is no longer in the catalogue, or a side has more items than
 * the calculator has slots.
 */
export function toTradeQuery(
  yours: readonly TradeLine[],
  theirs: readonly TradeLine[],
  slugOf: (line: TradeLine) => string | undefined,
): string | null {
  const you = toSlots(yours, slugOf);
  const them = toSlots(theirs, slugOf);
  return you && them ? formatTrade({ you, them }) : null;
}

function toSlots(lines: readonly TradeLine[], slugOf: (line: TradeLine) => string | undefined) {
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  if (count > SLOTS_PER_SIDE) return null;
  const slots: TradeSlot[] = [];
  for (const line of lines) {
    const slug = slugOf(line);
    if (!slug) return null;
    slots.push(...Array<TradeSlot>(line.quantity).fill({ slug, mode: line.mode }));
  }
  return slots;
}
