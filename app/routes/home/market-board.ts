import type { Item } from "#app/features/items/item-queries.ts";
import { type ValueChange, valueChange } from "#domain/value-change.ts";
import { figuresOf } from "#domain/view-mode.ts";

/** A line of the harbour board. */
export type BoardRow = {
  slug: string;
  name: string;
  image: string | null;
  rarity: string | null;
  value: string;
  change: ValueChange | null;
};

export type MarketBoard = {
  /** Most valuable first. */
  dearest: BoardRow[];
  /** The largest changes by percentage, whichever way. */
  movers: BoardRow[];
  /** Pictures from all over the list, for decoration. */
  goods: string[];
  /** How many items are listed. */
  count: number;
  /** When a value was last checked, as the database says it; null while nothing is listed. */
  checked: string | null;
};

const GOODS = 7;

type BoardItem = Pick<
  Item,
  "slug" | "name" | "image_url" | "rarity" | "current_value" | "previous_value" | "values_checked_at"
>;

/** What the home page shows of the market: `items` by value, as the list has them (regular mode). */
export function marketBoard(items: readonly BoardItem[], dearest: number, movers: number): MarketBoard {
  const rows = items.map(boardRow);
  return {
    dearest: rows.slice(0, dearest),
    movers: rows
      .filter(({ change }) => change !== null && change.change !== 0)
      .sort((a, b) => Math.abs(b.change?.percentage ?? 0) - Math.abs(a.change?.percentage ?? 0))
      .slice(0, movers),
    goods: spread(
      items.map(({ image_url }) => image_url).filter((image) => image !== null),
      GOODS,
    ),
    count: items.length,
    checked: items.reduce<string | null>(
      (last, { values_checked_at: at }) => (last === null || (at !== null && at > last) ? at : last),
      null,
    ),
  };
}

/** At most that many of a list, evenly spaced and without the first. */
function spread<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(list.length / (count + 1)));
  return list.filter((_, index) => index % step === step - 1).slice(0, count);
}

function boardRow(item: BoardItem): BoardRow {
  const { value, previous } = figuresOf(item, "regular");
  return {
    slug: item.slug,
    name: item.name,
    image: item.image_url,
    rarity: item.rarity,
    value: value.text,
    change: valueChange(value.number, previous.number),
  };
}
