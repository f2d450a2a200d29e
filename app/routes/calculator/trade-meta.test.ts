import { expect, test } from "vitest";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { tradeMeta } from "./trade-meta.ts";

const site = { gameName: "Fruit Seas" } as SiteConfig;
const items = [
  { slug: "kitsune", name: "Kitsune", current_value: "640M", permanent_value: null },
] as CalculatorItem[];
const describe = (query: string) => tradeMeta(site, query, { items, head: null }).description;

test("an unpriced side of a trade is not described as worth 0", () => {
  expect(describe("?you=kitsune.p&them=kitsune,kitsune.p")).toContain(
    "You give permanent Kitsune (0 + 1 unpriced) and get Kitsune + permanent Kitsune (640M + 1 unpriced).",
  );
  expect(describe("?you=kitsune")).toContain("You give Kitsune (640M) and get nothing (0).");
});
