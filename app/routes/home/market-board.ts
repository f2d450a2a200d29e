import type { Item } from "#app/features/items/item-queries.ts";
import type { DatedChange } from "#app/features/items/value-history-queries.ts";
import { lastMove } from "#domain/values/last-move.ts";
import { type ValueChange, valueChange } from "#domain/values/value-change.ts";
import { figuresOf } from "#domain/values/view-mode.ts";

export type BoardRow = {
  id: string;
  slug: string;
  name: string;
  image: string | null;
  rarity: string | null;
  value: string;
  change: ValueChange | null;
};

/** A line whose value moved, and when; null if the ledger does not say or could not be read. */
export type Move = BoardRow & { changed: string | null };

export type MarketBoard = {
  /** Most valuable first. */
  dearest: BoardRow[];
  /** The largest changes by percentage, in either direction. */
  movers: BoardRow[];
  /** Pictures from the whole list, for decoration. */
  goods: string[];
  /** The number of listed items. */
  count: number;
};

const GOODS = 7;

type BoardItem = Pick<
  Item,
  "id" | "slug" | "name" | "image_url" | "rarity" | "current_value" | "previous_value"
>;

/** What the home page shows of the market: `items` sorted by value, as in the list (regular mode). */
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
  };
}

/** The moves of some `items` with their times, by the ledger (`changes` are newest first). */
export function dateMoves(
  movers: readonly BoardRow[],
  items: readonly BoardItem[],
  changes: readonly DatedChange[],
): Move[] {
  const readings = Map.groupBy(changes, ({ item_id }) => item_id);
  return movers.map((row) => {
    const item = items.find(({ id }) => id === row.id) ?? {};
    return { ...row, changed: lastMove(readings.get(row.id) ?? [], figuresOf(item, "regular")) };
  });
}

/** The first and last day of these moves in UTC; null if none is known. */
export function periodOf(moves: readonly Move[]): { from: string; to: string } | null {
  const days = moves.flatMap(({ changed }) => (changed ? [changed.slice(0, 10)] : [])).sort();
  const [from, to] = [days[0], days.at(-1)];
  return from && to ? { from, to } : null;
}

/** At most this many elements, evenly spaced and without the first. */
function spread<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(list.length / (count + 1)));
  return list.filter((_, index) => index % step === step - 1).slice(0, count);
}

function boardRow(item: BoardItem): BoardRow {
  const { value, previous } = figuresOf(item, "regular");
  return {
    id: item.id,
    slug: item.slug,
    name: item.name,
    image: item.image_url,
    rarity: item.rarity,
    value: value.text,
    change: valueChange(value.number, previous.number),
  };
}
