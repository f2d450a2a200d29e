import { expect, test } from "vitest";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { fruitHead } from "./fruit-head.ts";
import type { ShownFruit } from "./shown-fruit.ts";

const fruit = {
  name: "Kitsune",
  demand: "very_high",
  checked: "2026-11-01",
  modes: {
    regular: {
      value: "640M",
      change: { amount: "-20M", percentage: "-3.03%", trend: "Falling" },
      moved: "2026-08-11T09:00:00Z",
    },
    permanent: { value: "6.24B" },
  },
} as ShownFruit;
const site = { gameName: "Fruit Seas" } as SiteConfig;

test.each([
  [null, "value 640M (-3.03% since Aug 11, 2026), permanent 6.24B, demand very high, checked Nov 1, 2026"],
  [["value_change", "demand"], "-3.03% since Aug 11, 2026, demand very high, checked Nov 1, 2026"],
  [["current_value"], "value 640M, permanent 6.24B, checked Nov 1, 2026"],
  [[], "checked Nov 1, 2026"],
])("with the fields %j visible an item's head says: %s", (configuration, facts) => {
  const { description, alt } = fruitHead(site, fruit, configuration);
  expect(description.startsWith(`Kitsune in Fruit Seas: ${facts}. `)).toBe(true);
  expect(alt).toBe(facts.includes("640M") ? "Kitsune: 640M" : "Kitsune");
});
