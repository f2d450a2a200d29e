import { drawItem } from "./draw-item.ts";
import type { DrawnItem } from "./drawn-item.ts";

/** In the sheet's units. */
const SIDE = 100;

/** A placeholder, first in the sheet: for items without a picture, or with a name that no drawing has. */
const UNKNOWN =
  '<svg viewBox="0 0 96 96"><g fill="none" stroke="#688" stroke-width="4" stroke-linecap="round"><path d="M48 36c-6-9-31-9-31 15 0 18 19 30 31 37 12-7 31-19 31-37 0-24-25-24-31-15z" stroke-dasharray="7 9"/><path d="M48 31c1-13 11-21 27-20-2 14-12 22-27 20z"/></g></svg>';

/**
 * The drawings of all items below each other, as one SVG document: each alone would be a request and a document of its
 * own. Together they weigh as much as ten alone when compressed, since most of what they draw is alike.
 */
export function drawSheet(items: DrawnItem[]): string {
  const tiles = shareOutlines([UNKNOWN, ...items.map(drawItem)].map(drawTile));
  const height = tiles.length * SIDE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${height}" viewBox="0 0 ${SIDE} ${height}">${tiles.join("")}</svg>\n`;
}

/** Colors stand once in a tile, as variables: what follows is then alike in most tiles. */
function drawTile(drawing: string, at: number): string {
  const colors = [...new Set(drawing.match(/#[0-9a-f]{3}\b/g))].map(
    (color, index) => [`--${index}`, color] as const,
  );
  const tile = colors.reduce((text, [name, color]) => text.replaceAll(color, `var(${name})`), drawing.trim());
  const style = colors.map((color) => color.join(":")).join(";");
  return tile
    .replace(/(?<= id="|url\(#)\w+/g, `$&${at}`)
    .replace(
      /^<svg( xmlns="[^"]*")?/,
      `<svg style="${style}" y="${at * SIDE}" width="${SIDE}" height="${SIDE}"`,
    );
}

/** Fruits of the same outline are clipped by that of the first. */
function shareOutlines(tiles: string[]): string[] {
  const first = new Map<string, string>();
  return tiles.map((tile) => {
    const [clip, id, outline] = /<clipPath id="(\w+)">(.*?)<\/clipPath>/.exec(tile) ?? [];
    if (!clip || !id || !outline) return tile;
    const known = first.get(outline);
    if (!known) first.set(outline, id);
    return known ? tile.replace(clip, "").replace(`url(#${id})`, `url(#${known})`) : tile;
  });
}

/** The classes by which a picture shows its part of the sheet (picture.css), as a style sheet. */
export function placeDrawings(items: DrawnItem[]): string {
  const places = items.map(({ slug }, at) => `.drawing-${slug} {\n  --drawing: ${at + 1};\n}\n`);
  return `/* Written by scripts/item-pictures. */\n.drawing {\n  --last-drawing: ${items.length};\n}\n${places.join("")}`;
}
