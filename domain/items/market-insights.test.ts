import { describe, expect, test } from "vitest";
import type { Trend } from "../values/value-change.ts";
import { DEMANDS } from "./demand.ts";
import { marketInsights } from "./market-insights.ts";
import { RARITIES } from "./rarity.ts";

const TRENDS: Trend[] = ["Rising", "Falling", "Stable"];
const CHECKED = "2026-08-17";
const nothing = { demand: null, rarity: null, trend: null, checked: CHECKED, moved: "2026-08-11T09:00:00Z" };
const fresh = { ...nothing, now: Date.parse("2026-08-24") };
const stale = { ...nothing, now: Date.parse("2026-08-24T00:00:01Z") };

describe("market insights", () => {
  test("say nothing where nothing is known", () => {
    for (const known of [fresh, stale]) {
      expect(marketInsights(known)).toEqual([]);
      expect(marketInsights({ ...known, demand: "extreme", rarity: "constructor" })).toEqual([]);
    }
  });

  test("have a different sentence for each demand and each trend, fresh or stale", () => {
    const lines = [fresh, stale].flatMap((known) => [
      ...DEMANDS.map((demand) => marketInsights({ ...known, demand })[0]?.text),
      ...TRENDS.map((trend) => marketInsights({ ...known, trend })[0]?.text),
    ]);
    expect(lines).not.toContain(undefined);
    expect(new Set(lines).size).toBe(14);
  });

  test("have a rarity line for legendary and mythical, and for nothing else", () => {
    const withLine = RARITIES.filter((rarity) => marketInsights({ ...fresh, rarity }).length > 0);
    expect(withLine).toEqual(["legendary", "mythical"]);
  });

  test.each<[string, Trend, boolean, string]>([
    ["a rise", "Rising", false, "Rising: the value went up when it last changed, on Aug 11, 2026."],
    ["a fall", "Falling", false, "Falling: the value went down when it last changed, on Aug 11, 2026."],
    [
      "no change",
      "Stable",
      false,
      "Stable: the value was checked on Aug 17, 2026 and has not changed since Aug 11, 2026.",
    ],
    [
      "an old rise",
      "Rising",
      true,
      "Rising when last checked: the value went up with its last known change, on Aug 11, 2026. Nobody has looked since Aug 17, 2026, so ask around before you trade.",
    ],
    [
      "an old fall",
      "Falling",
      true,
      "Falling when last checked: the value went down with its last known change, on Aug 11, 2026. Nobody has looked since Aug 17, 2026, so ask around before you trade.",
    ],
    [
      "an old rest",
      "Stable",
      true,
      "No change was seen up to the last check, on Aug 17, 2026. Nobody has looked since.",
    ],
  ])("of %s tell what was seen and when", (_name, trend, isOld, text) => {
    expect(marketInsights({ ...(isOld ? stale : fresh), trend })[0]?.text).toBe(text);
  });

  test("leave out a day that nobody knows", () => {
    const texts = [fresh, stale].flatMap((known) =>
      TRENDS.flatMap((trend) => marketInsights({ ...known, trend, moved: null }).map(({ text }) => text)),
    );
    expect(texts.join(" ")).not.toMatch(/null|Invalid|on [.,]|since [.,]/);
  });

  test("of an old check promise nothing: no word of rest, of takers or of how many there are", () => {
    const texts = DEMANDS.flatMap((demand) =>
      TRENDS.flatMap((trend) => marketInsights({ ...stale, demand, trend, rarity: "mythical" })),
    ).map(({ text }) => text);
    for (const text of texts) expect(text).not.toMatch(/stable|should|taker|few are|everybody|always/i);
  });
});
