import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import type { TradeRecord } from "#app/features/trade-history/trade-queries.ts";
import {
  countUnpriced,
  readLines,
  type SideWorth,
  type TradeLine,
  toTradeQuery,
  weighLines,
} from "#domain/trades/trade-lines.ts";
import { judgeResult, type TradeResult } from "#domain/trades/trade-result.ts";

/** A line with its item, if the catalogue still has it. */
export type ShownLine = TradeLine & { item: CalculatorItem | undefined };

/** One side with its worth as saved, and today's; null if the catalogue cannot be read. */
export type SavedSide = { lines: ShownLine[]; saved: SideWorth; today: SideWorth | null };

/** A saved trade as its card shows it. */
export type SavedTrade = {
  id: string;
  savedAt: string;
  partner: string | null;
  yours: SavedSide;
  theirs: SavedSide;
  result: TradeResult;
  today: TradeResult | null;
  /** The calculator's query for the same trade; null if its items no longer exist. */
  query: string | null;
};

export type FindItem = (line: Pick<TradeLine, "id" | "name">) => CalculatorItem | undefined;

/** Finds a line's item: by id, as the calculator writes it, or by name, as in older entries. */
export function itemFinder(items: readonly CalculatorItem[]): FindItem {
  const byId = new Map(items.map((item) => [item.id, item]));
  const byName = new Map(items.map((item) => [item.name.toLowerCase(), item]));
  return ({ id, name }) => (id ? byId.get(id) : byName.get(name.trim().toLowerCase()));
}

/** Combines a record with the current catalogue; `find` is null if that cannot be read. */
export function toSavedTrade(record: TradeRecord, find: FindItem | null): SavedTrade {
  const yours = toSide(record.your_items, record.your_total, record.has_unpriced, find);
  const theirs = toSide(record.their_items, record.their_total, record.has_unpriced, find);
  return {
    id: record.id,
    savedAt: record.created_at,
    partner: record.trade_partner_email,
    yours,
    theirs,
    result: judgeResult(yours.saved.total, theirs.saved.total, record.has_unpriced),
    today: judgeToday(yours.today, theirs.today),
    query: find && toTradeQuery(yours.lines, theirs.lines, (line) => find(line)?.slug),
  };
}

/** Older entries have no values, which does not make them unpriced: the record itself says whether any was. */
function toSide(entries: unknown, total: number, hasUnpriced: boolean, find: FindItem | null): SavedSide {
  const lines = readLines(entries).map((line) => ({ ...line, item: find?.(line) }));
  const saved = { total: Number(total), uncounted: hasUnpriced ? countUnpriced(lines) : 0 };
  return { lines, saved, today: find && weighLines(lines, find) };
}

function judgeToday(yours: SideWorth | null, theirs: SideWorth | null): TradeResult | null {
  if (!yours || !theirs) return null;
  return judgeResult(yours.total, theirs.total, yours.uncounted + theirs.uncounted > 0);
}
