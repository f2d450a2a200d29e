import type { Rarity } from "#domain/items/rarity.ts";
import type { DrawnItem } from "./drawn-item.ts";
import { type Emblem, emblemOf } from "./emblems.ts";
import { type Palette, paletteOf } from "./palettes.ts";
import { silhouetteOf } from "./silhouettes.ts";

/** The background effect by rarity: only a glow for common items, then a ring, rays, a crown of sparks. */
const AURAS: Record<Rarity, string> = {
  common: "",
  uncommon: '<circle cx="48" cy="52" r="43" stroke-dasharray="2 9"/>',
  rare: '<circle cx="48" cy="52" r="42.500"/><circle cx="48" cy="52" r="46" stroke-dasharray="1 7"/>',
  legendary:
    '<path d="M48 1v9M73 9l-5 8M91 30l-9 4M94 58l-9-2M23 9l5 8M5 30l9 4M2 58l9-2M84 83l-7-6M12 83l7-6" stroke-width="2.500"/>',
  mythical:
    '<path d="M48 0l3 9 5-8 1 10 9-6-3 10 10-3-5 9 11 1-8 6 10 6-10 3 7 8-10 0 4 9M48 0l-3 9-5-8-1 10-9-6 3 10-10-3 5 9-11 1 8 6-10 6 10 3-7 8 10 0-4 9" stroke-width="1.750"/>',
};

/** The strength of the glow. */
const GLOW: Record<Rarity, number> = {
  common: 0.35,
  uncommon: 0.45,
  rare: 0.55,
  legendary: 0.65,
  mythical: 0.8,
};

/**
 * An item's picture as an SVG document of at most 2.5 KB: an original drawing, deterministic for the same facts. Fruits
 * glow by rarity, and get their outline from their kind, and color and emblem from their name; a skin keeps its fruit's
 * outline.
 */
export function drawItem(item: DrawnItem): string {
  const palette = paletteOf(item);
  const fruit = item.kind !== null || item.base !== undefined || /eclipse/i.test(item.name);
  const drawing = fruit ? drawFruit(item, palette) : drawObject(item, palette);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><defs>${gradients(palette, item.rarity)}</defs>${aura(item.rarity, palette)}${drawing}</svg>\n`;
}

function gradients({ light, base, deep, glow }: Palette, rarity: Rarity): string {
  return (
    `<radialGradient id="g"><stop offset=".45" stop-color="${glow}" stop-opacity="${GLOW[rarity]}"/><stop offset="1" stop-color="${glow}" stop-opacity="0"/></radialGradient>` +
    `<radialGradient id="b" cx=".36" cy=".28" r=".85"><stop stop-color="${light}"/><stop offset=".5" stop-color="${base}"/><stop offset="1" stop-color="${deep}"/></radialGradient>`
  );
}

function aura(rarity: Rarity, { glow }: Palette): string {
  const sparks = AURAS[rarity];
  const light = '<circle cx="48" cy="52" r="46" fill="url(#g)"/>';
  if (!sparks) return light;
  return `${light}<g fill="none" stroke="${glow}" stroke-width="1.500" stroke-linecap="round" stroke-linejoin="round">${sparks}</g>`;
}

function drawFruit(item: DrawnItem, palette: Palette): string {
  const { body, leaf, skin } = silhouetteOf(item);
  const { deep } = palette;
  const sparkle = item.base
    ? `<path d="M80 16l2 6 6 2-6 2-2 6-2-6-6-2 6-2zM15 70l1.500 4.500L21 76l-4.500 1.500L15 82l-1.500-4.500L9 76l4.500-1.500z" fill="${palette.mark}" stroke="${deep}" stroke-width="1"/>`
    : "";
  return (
    `<clipPath id="c"><path d="${body}"/></clipPath>` +
    `<path d="${leaf}" fill="${item.base ? palette.glow : palette.leaf}" stroke="${deep}" stroke-width="2" stroke-linejoin="round"/>` +
    `<path d="${body}" fill="url(#b)"/>` +
    `<g clip-path="url(#c)" fill="none" stroke-linecap="round"><path d="${skin}" stroke="${deep}" stroke-opacity=".42" stroke-width="3"/>` +
    `<path d="M78 44q6 34-30 42" stroke="${palette.glow}" stroke-opacity=".7" stroke-width="3"/></g>` +
    `<path d="${body}" fill="none" stroke="${deep}" stroke-width="2.500" stroke-linejoin="round"/>` +
    `<path d="M27 52q1-11 10-15" fill="none" stroke="#fff" stroke-opacity=".8" stroke-width="4" stroke-linecap="round"/>` +
    drawEmblem(emblemOf(item), palette, 48, 61, 1) +
    sparkle
  );
}

function drawObject(item: DrawnItem, palette: Palette): string {
  const { body, detail, emblem } = objectShapeOf(item.type, item.name);
  return (
    `<path d="${body}" fill="url(#b)" stroke="${palette.deep}" stroke-width="2.500" stroke-linejoin="round"/>` +
    `<path d="${detail}" fill="none" stroke="${palette.deep}" stroke-opacity=".5" stroke-width="2" stroke-dasharray="${item.type === "gamepass" ? "3 3" : "none"}"/>` +
    drawEmblem(emblemOf(item), palette, emblem.x, emblem.y, emblem.scale)
  );
}

function drawEmblem(
  { path, line }: Emblem,
  { mark, deep }: Palette,
  x: number,
  y: number,
  scale: number,
): string {
  const place = `transform="translate(${x} ${y}) scale(${scale})" stroke-linejoin="round" stroke-linecap="round"`;
  if (!line)
    return `<path ${place} d="${path}" fill="${mark}" fill-rule="evenodd" stroke="${deep}" stroke-width="2.500" paint-order="stroke"/>`;
  return `<g ${place} fill="none"><path d="${path}" stroke="${deep}" stroke-width="6"/><path d="${path}" stroke="${mark}" stroke-width="3"/></g>`;
}

/** An item other than a fruit, on a 96 × 96 field, with the position and size of its emblem. */
type ObjectShape = { body: string; detail: string; emblem: { x: number; y: number; scale: number } };

/** A pass: a ticket with two notches and a torn-off end. */
const PASS: ObjectShape = {
  body: "M14 26h68a4 4 0 0 1 4 4v10a9 9 0 0 0 0 18v10a4 4 0 0 1-4 4H14a4 4 0 0 1-4-4V58a9 9 0 0 0 0-18V30a4 4 0 0 1 4-4z",
  detail: "M26 28v42M70 28v42M31 32h34v34H31z",
  emblem: { x: 48, y: 49, scale: 0.9 },
};

/** A coin with a milled rim. */
const COIN: ObjectShape = {
  body: "M48 14a35 35 0 1 1-.1 0z",
  detail:
    "M48 21a28 28 0 1 1-.1 0zM48 14v5M48 79v5M13 49h5M78 49h5M23 24l4 4M69 70l4 4M73 24l-4 4M27 70l-4 4",
  emblem: { x: 48, y: 49, scale: 1.15 },
};

/** A wooden crest, for items that are found or displayed. */
const CREST: ObjectShape = {
  body: "M48 12c11 7 21 9 33 8 2 30-7 54-33 66C22 74 13 50 15 20c12 1 22-1 33-8z",
  detail: "M48 20c8 5 16 7 25 7 1 24-6 42-25 51-19-9-26-27-25-51 9 0 17-2 25-7z",
  emblem: { x: 48, y: 48, scale: 1.1 },
};

/** The shape of an item by its type and name. */
function objectShapeOf(type: string, name: string): ObjectShape {
  if (type === "gamepass") return PASS;
  return /token|coin/i.test(name) ? COIN : CREST;
}
