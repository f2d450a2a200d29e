import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { type InsightSource, type MarketInsight, marketInsights } from "#domain/items/market-insights.ts";
import { formatDate } from "#domain/text/dates.ts";
import { tradeGuide } from "#domain/trades/trade-guide.ts";
import { emptyTrade, formatTrade } from "#domain/trades/trade-url.ts";
import { formatChange, formatPercentage, type Trend, valueChange } from "#domain/values/value-change.ts";
import { describeConfidence, formatRange, type ValueRange } from "#domain/values/value-range.ts";
import { formatNumber } from "#domain/values/value-text.ts";
import { figuresOf, type ItemValues, type ViewMode } from "#domain/values/view-mode.ts";

/** What the page says of an item in one mode, ready for display; null where nothing can be said. */
export type ShownMode = {
  value: string;
  previous: string;
  price: string;
  /** The value's range and its confidence; null without a value. */
  range: { text: string; confidence: string; unsettled: string | null } | null;
  change: { amount: string; percentage: string; trend: Trend } | null;
  guide: { fair: string; offer: string; ask: string } | null;
  insights: { about: string; text: string }[];
  /** When the value last moved; null if unknown. */
  moved: string | null;
  /** When it was last read or checked. */
  checked: string;
  /** The calculator with the item in your first slot, in this mode (P10). */
  calculator: string;
};

type Source = ItemValues & { slug: string; demand: string; rarity: string };
/** What is known about the times of the item's values. */
type Known = Pick<InsightSource, "checked" | "moved" | "now"> & { range: ValueRange | null };

/** Computed on the server, so that the browser receives neither the rules nor their sentences, only the results. */
export function toShownMode(
  item: Source,
  mode: ViewMode,
  configuration: PageConfiguration,
  known: Known,
): ShownMode {
  const { value, previous, price } = figuresOf(item, mode);
  const change = valueChange(value.number, previous.number);
  const { you, them } = emptyTrade();
  return {
    value: value.text,
    previous: previous.text,
    price: price.text,
    range: known.range && shownRange(known.range),
    change: change && {
      amount: formatChange(change.change),
      percentage: formatPercentage(change.percentage),
      trend: change.trend,
    },
    guide: shownGuide(value.number),
    insights: shownInsights({ ...item, ...known, trend: change?.trend ?? null }, configuration),
    moved: known.moved,
    checked: known.checked,
    calculator: `/calculator${formatTrade({ you: you.with(0, { slug: item.slug, mode }), them })}`,
  };
}

function shownRange(range: ValueRange): ShownMode["range"] {
  const { game_update, volatile_until } = range;
  return {
    text: formatRange(range),
    confidence: describeConfidence(range),
    unsettled:
      volatile_until &&
      `${game_update} changed the game: this value may move until ${formatDate(volatile_until, "UTC")}.`,
  };
}

function shownGuide(value: number | null): ShownMode["guide"] {
  const guide = tradeGuide(value);
  return (
    guide && {
      fair: `${formatNumber(guide.fairLow)} to ${formatNumber(guide.fairHigh)}`,
      offer: formatNumber(guide.offer),
      ask: formatNumber(guide.ask),
    }
  );
}

/** The field that each insight is about; hidden fields get no comment either. */
const FIELDS: Record<MarketInsight["about"], "demand" | "value_change" | "rarity"> = {
  demand: "demand",
  trend: "value_change",
  rarity: "rarity",
};

function shownInsights(item: InsightSource, configuration: PageConfiguration) {
  return marketInsights(item).filter(({ about }) => isVisible(configuration, FIELDS[about]));
}
