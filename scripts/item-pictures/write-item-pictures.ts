import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { rarityStyle } from "#domain/items/rarity.ts";
import { drawItem } from "./draw-item.ts";
import { drawSheet, placeDrawings } from "./draw-sheet.ts";
import type { DrawnItem } from "./drawn-item.ts";

const ROOT = new URL("../../", import.meta.url);

type CatalogueRow = { slug: string; name: string; type: string; rarity: string };
type ExtraRow = { slug: string; fruit_kind: string; base_fruit_slug: string };

/**
 * Every item of the starting catalogue with the facts for its picture; missing rarities are filled in as on import
 * (P3).
 */
export function readDrawnItems(): DrawnItem[] {
  const rows = readTable<CatalogueRow>("items.csv");
  const extras = new Map(readTable<ExtraRow>("items-extra.csv").map((row) => [row.slug, row]));
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  return rows.map(({ slug, name, type, rarity }) => {
    const extra = extras.get(slug);
    const base = bySlug.get(extra?.base_fruit_slug ?? "");
    return {
      slug,
      name,
      type,
      kind: kindOf(extra),
      rarity: rarityStyle(rarity || base?.rarity || "legendary"),
      ...(base && { base: { slug: base.slug, name: base.name, kind: kindOf(extras.get(base.slug)) } }),
    };
  });
}

function kindOf(extra: ExtraRow | undefined): DrawnItem["kind"] {
  return (extra?.fruit_kind || null) as DrawnItem["kind"];
}

function readTable<Row>(file: string): Row[] {
  return parse(readFileSync(new URL(`supabase/catalogue/${file}`, ROOT)), { columns: true, bom: true });
}

/** The file of an item's picture, served under `/items/`. */
export function pictureFile(slug: string): URL {
  return new URL(`public/items/${slug}.svg`, ROOT);
}

/** All pictures in one file, which a page requests once, and the style sheet that finds each in it. */
export const SHEET_FILE = new URL("app/features/pictures/drawings.svg", ROOT);
export const PLACES_FILE = new URL("app/features/pictures/drawings.css", ROOT);

if (import.meta.main) {
  mkdirSync(new URL("public/items/", ROOT), { recursive: true });
  const items = readDrawnItems();
  for (const item of items) writeFileSync(pictureFile(item.slug), drawItem(item));
  writeFileSync(SHEET_FILE, drawSheet(items));
  writeFileSync(PLACES_FILE, placeDrawings(items));
  process.stdout.write(`${items.length} pictures written to public/items\n`);
}
