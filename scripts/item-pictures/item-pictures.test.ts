import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RARITIES } from "#domain/items/rarity.ts";
import { drawItem } from "./draw-item.ts";
import { drawSheet, placeDrawings } from "./draw-sheet.ts";
import type { DrawnItem } from "./drawn-item.ts";
import { PLACES_FILE, pictureFile, readDrawnItems, SHEET_FILE } from "./write-item-pictures.ts";

const items = readDrawnItems();
const unknown: DrawnItem = { slug: "zzz", name: "Zzz", type: "fruit", kind: "natural", rarity: "common" };

it("keeps for each item of the catalogue the very picture that is drawn for it", () => {
  expect(items).toHaveLength(86);
  for (const item of items)
    expect(readFileSync(pictureFile(item.slug), "utf8"), item.slug).toBe(drawItem(item));
  expect(readFileSync(SHEET_FILE, "utf8")).toBe(drawSheet(items));
  expect(readFileSync(PLACES_FILE, "utf8")).toBe(placeDrawings(items));
});

it("places each picture where it stands in the sheet, with ids and colors of its own", () => {
  const sheet = drawSheet(items);
  const [unknown = "", ...tiles] = sheet.match(/<svg style.*?<\/svg>/g) ?? [];
  expect(unknown).toContain("stroke-dasharray");
  for (const [, slug, place] of placeDrawings(items).matchAll(/\.drawing-(\S+) \{\n {2}--drawing: (\d+);/g)) {
    const tile = tiles[Number(place) - 1];
    expect(tile, slug).toContain(` y="${Number(place) * 100}" `);
    const item = items.find((each) => each.slug === slug) as DrawnItem;
    for (const color of drawItem(item).match(/#\w{3}\b/g) ?? []) expect(tile, slug).toContain(color);
  }
  expect(tiles).toHaveLength(items.length);
  const ids = sheet.match(/ id="\w+"/g) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
});

it("draws no two items alike, each in at most 2.5 KB", () => {
  const drawings = items.map(drawItem);
  expect(new Set(drawings).size).toBe(items.length);
  for (const drawing of drawings) expect(Buffer.byteLength(drawing)).toBeLessThanOrEqual(2560);
});

it("gives a skin its fruit's outline in another palette", () => {
  const outline = (slug: string) =>
    drawItem(items.find((item) => item.slug === slug) as DrawnItem).match(
      /<clipPath id="c">(.*?)<\/clipPath>/,
    )?.[1];
  expect(outline("crimson-kitsune")).toBe(outline("kitsune"));
  expect(outline("crimson-kitsune")).toBeDefined();
});

it("draws what it has never heard of, in every rarity and as anything", () => {
  for (const rarity of RARITIES) {
    for (const type of ["fruit", "gamepass", "item", "boat"]) {
      const kind = type === "fruit" ? "beast" : null;
      expect(drawItem({ ...unknown, rarity, type, kind })).toMatch(/^<svg .*<\/svg>\n$/);
    }
  }
});

it("puts no name into the drawing, so that none can smuggle markup into it", () => {
  expect(drawItem({ ...unknown, name: "<script>", slug: '"><script>' })).not.toContain("script");
});
