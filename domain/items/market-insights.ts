import type { Trend } from "../values/value-change.ts";
import type { Demand } from "./demand.ts";
import { demandScore, demandStyle } from "./demand.ts";

export type MarketInsight = { about: "demand" | "trend" | "rarity"; text: string };

const BY_DEMAND: Record<Demand, string> = {
  very_high: "Demand is very high: offers come quickly, so there is no need to settle below value.",
  high: "Demand is high: most traders will look at an offer near its value.",
  medium: "Demand is medium: expect a fair price, and some patience to get it.",
  low: "Demand is low: it can take a while to trade, often a little below value.",
};

const BY_TREND: Record<Trend, string> = {
  Rising: "The value is rising: holding on may pay, buying soon may save.",
  Falling: "The value is falling: sellers may want to move early, buyers can wait.",
  Stable: "The value is stable: what it is worth today is a good guide for tomorrow.",
};

const BY_RARITY = new Map([
  ["mythical", "Mythical rarity: it is among the items that players ask for first."],
  ["legendary", "Legendary rarity: it is welcome in most trades."],
]);

/**
 * Plain sentences on demand, trend and rarity (9.insight.01–03, P41). A line is left out where nothing true
 * can be said: an unknown demand, an unpriced value (trend null), any rarity but mythical and legendary.
 */
export function marketInsights(item: {
  demand: string | null | undefined;
  rarity: string | null | undefined;
  trend: Trend | null;
}): MarketInsight[] {
  const demand = demandScore(item.demand) === null ? undefined : BY_DEMAND[demandStyle(item.demand)];
  const trend = item.trend ? BY_TREND[item.trend] : undefined;
  const rarity = BY_RARITY.get(item.rarity ?? "");
  const lines: MarketInsight[] = [];
  if (demand) lines.push({ about: "demand", text: demand });
  if (trend) lines.push({ about: "trend", text: trend });
  if (rarity) lines.push({ about: "rarity", text: rarity });
  return lines;
}
