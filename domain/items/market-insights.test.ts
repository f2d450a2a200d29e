import { describe, expect, test } from "vitest";
import type { Trend } from "../values/value-change.ts";
import { DEMANDS } from "./demand.ts";
import { marketInsights } from "./market-insights.ts";
import { RARITIES } from "./rarity.ts";

const nothing = { demand: null, rarity: null, trend: null };

describe("market insights", () => {
  test("say nothing where nothing is known", () => {
    expect(marketInsights(nothing)).toEqual([]);
    expect(marketInsights({ demand: "extreme", rarity: "constructor", trend: null })).toEqual([]);
  });

  test("have a different sentence for each demand and each trend", () => {
    const trends: Trend[] = ["Rising", "Falling", "Stable"];
    const ofDemands = DEMANDS.map((demand) => marketInsights({ ...nothing, demand })[0]?.text);
    const ofTrends = trends.map((trend) => marketInsights({ ...nothing, trend })[0]?.text);
    expect(new Set([...ofDemands, ...ofTrends, undefined]).size).toBe(8);
  });

  test("have a rarity line for legendary and mythical, and for nothing else", () => {
    const withLine = RARITIES.filter((rarity) => marketInsights({ ...nothing, rarity }).length > 0);
    expect(withLine).toEqual(["legendary", "mythical"]);
  });
});
