import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { CalculatorItem, Item } from "#app/features/items/item-queries.ts";
import { makeOffer } from "#app/features/trades/offer.ts";
import { openPicture } from "#backend/storage/images/open-picture.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { TradeSlot } from "#domain/trades/trade-url.ts";
import { COLORS, drawPreview } from "./draw-preview.ts";
import { drawItem } from "./item-preview.ts";
import { drawText } from "./preview-text.ts";
import { drawTrade } from "./trade-preview.ts";

const read = (address: string) =>
  address.startsWith("/items/") || address === "/favicon.svg" ? readFileSync(`public${address}`) : null;
// Storage disables loaders for the whole process with its first picture. Its own function, since this process is shared
// with storage's tests: another set of loaders would fail those.
await openPicture("never-read.png", { maxPixels: 1 });

const STYLE = { font: "bold", size: 100, fill: COLORS.text } as const;

test("a text keeps within its width: first smaller, then truncated", () => {
  for (const text of ["Kitsune", "Galaxy Empyrean Kitsune", "W".repeat(100), "i".repeat(300)]) {
    const places = drawText(text, 0, 100, { ...STYLE, maxWidth: 500 }).matchAll(/(-?[\d.]+) -?[\d.]+/g);
    expect(Math.max(...[...places].map(([, x]) => Number(x)))).toBeLessThanOrEqual(500.5);
  }
});

test("missing characters are left out, and no text breaks the drawing", async () => {
  for (const name of ["<script>&\"'", "‮abc", "漢字 Kitsune 🦊", ""]) {
    expect(drawText(name, 0, 100, STYLE)).not.toContain("NaN");
    const { format, width, height } = await sharp(
      await drawPreview(drawText(name, 60, 200, STYLE), name, read),
    ).metadata();
    expect({ format, width, height }).toEqual({ format: "png", width: 1200, height: 630 });
  }
});

describe("an item's picture", () => {
  const item = {
    name: "Kitsune",
    image_url: "/items/kitsune.svg",
    demand: "high",
    current_value: "640M",
    previous_value: "660M",
    permanent_value: "6.2B",
    values_checked_at: "2026-11-01T00:00:00Z",
  } as Item;
  const draw = (configuration: PageConfiguration) => drawItem({ item, changedAt: null, configuration }, read);
  const facts = (text: string) =>
    drawText(text, 60, 412, { font: "plain", size: 36, fill: COLORS.text, maxWidth: 660 });
  const change = drawText("-3.03%", 106, 346, { font: "bold", size: 42, fill: COLORS.fall, maxWidth: 600 });
  const value = drawText("640M", 60, 282, { font: "bold", size: 132, fill: COLORS.lantern });
  const picture = "<image";

  test.each([
    ["nothing", null, [picture, value, change, facts("Permanent 6.2B  ·  High demand")], []],
    ["its value", ["demand", "value_change"], [change, facts("High demand")], [value]],
    ["its demand", ["current_value", "value_change"], [value, change, facts("Permanent 6.2B")], []],
    ["its change", ["current_value", "demand"], [value], [change]],
    ["its picture", ["current_value", "demand", "value_change"], [value, change], [picture]],
    ["all", [], [], [picture, value, change]],
  ])("hides %s where its page does", (_name, configuration, shown, hidden) => {
    for (const part of shown) expect(draw(configuration)).toContain(part);
    for (const part of hidden) expect(draw(configuration)).not.toContain(part);
  });
});

describe("a trade's picture", () => {
  const items = new Map(
    ["kitsune", "dough", "tiger"].map((slug) => [
      slug,
      {
        slug,
        name: slug,
        image_url: `/items/${slug}.svg`,
        current_value: "10M",
        demand: "high",
      } as CalculatorItem,
    ]),
  );
  const side = (count: number) =>
    makeOffer(
      Array.from(
        { length: 9 },
        (_, index): TradeSlot => (index < count ? { slug: "kitsune", mode: "regular" } : null),
      ),
      items,
    );

  test("shows how many items of a side are unpriced", () => {
    const unpriced = makeOffer([{ slug: "kitsune", mode: "permanent" }], items);
    const total = drawText("0 + 1 unpriced", 552, 98, {
      font: "bold",
      size: 46,
      fill: COLORS.lantern,
      anchor: "end",
      maxWidth: 300,
    });
    expect(drawTrade(unpriced, side(1), read)).toContain(total);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])("shows %i items of a side inside their card", (count) => {
    const drawing = drawTrade(side(count), side(1), read);
    const boxes = [...drawing.matchAll(/<image x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)].map((match) =>
      match.slice(1).map(Number),
    );
    expect(boxes).toHaveLength(count + 1);
    for (const [x = 0, y = 0, size = 0] of boxes.slice(0, count)) {
      expect([x >= 60, x + size <= 580, y >= 110, y + size <= 350]).toEqual([true, true, true, true]);
    }
  });
});
