import { formatDate } from "../text/dates.ts";
import { spaced } from "../text/words.ts";
import { isStaleCheck } from "../values/stale-check.ts";
import type { Trend } from "../values/value-change.ts";
import { type Demand, demandScore, demandStyle } from "./demand.ts";

export type MarketInsight = { about: "demand" | "trend" | "rarity"; text: string };

/** The facts about an item; null if unknown. */
export type InsightSource = {
  demand: string | null | undefined;
  rarity: string | null | undefined;
  trend: Trend | null;
  /** The date of the last check, and when the value last changed. */
  checked: string;
  moved: string | null;
  now: number;
};

/** What a demand implies; shown only while its check is recent. */
const BY_DEMAND: Record<Demand, string> = {
  very_high: "Demand is rated very high: there should be no need to settle for less than its value.",
  high: "Demand is rated high: an offer near its value should find a taker.",
  medium: "Demand is rated medium: getting its value can take some patience.",
  low: "Demand is rated low: it can take a while to trade, or a little less than its value.",
};

const BY_RARITY = new Map([
  [
    "mythical",
    "Mythical is the highest of the five rarities. What it trades for depends on its value and demand.",
  ],
  [
    "legendary",
    "Legendary is the second highest of the five rarities. What it trades for depends on its value and demand.",
  ],
]);

/**
 * Plain sentences about demand, trend and rarity (9.insight.01–03, P41). None claims more than the data supports: if
 * the last check is old, they give its date and say that nobody has checked since (P53). A line is omitted if nothing
 * true can be said: for an unknown demand, an unpriced value (trend null), or any rarity but mythical and legendary.
 */
export function marketInsights(item: InsightSource): MarketInsight[] {
  const rarity = BY_RARITY.get(item.rarity ?? "");
  const lines: MarketInsight[] = [];
  if (demandScore(item.demand) !== null) lines.push({ about: "demand", text: demandLine(item) });
  if (item.trend) lines.push({ about: "trend", text: trendLine(item, item.trend) });
  if (rarity) lines.push({ about: "rarity", text: rarity });
  return lines;
}

function demandLine({ demand, checked, now }: InsightSource): string {
  if (!isStaleCheck(checked, now)) return BY_DEMAND[demandStyle(demand)];
  return `Demand was rated ${spaced(demand ?? "")} when this item was last checked, on ${formatDate(checked, "UTC")}. It may be different now.`;
}

function trendLine({ checked, moved, now }: InsightSource, trend: Trend): string {
  const day = formatDate(checked, "UTC");
  const isStale = isStaleCheck(checked, now);
  if (trend === "Stable") {
    if (isStale) return `No change was seen up to the last check, on ${day}. Nobody has looked since.`;
    const since = moved ? ` since ${formatDate(moved, "UTC")}` : "";
    return `Stable: the value was checked on ${day} and has not changed${since}.`;
  }
  const went = trend === "Rising" ? "went up" : "went down";
  const when = moved ? `, on ${formatDate(moved, "UTC")}` : "";
  if (!isStale) return `${trend}: the value ${went} when it last changed${when}.`;
  return `${trend} when last checked: the value ${went} with its last known change${when}. Nobody has looked since ${day}, so ask around before you trade.`;
}
