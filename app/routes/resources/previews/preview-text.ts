import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import opentype, { type Font, type PathCommand } from "opentype.js";

const FILES = {
  display: "@fontsource/texturina/files/texturina-latin-700-normal.woff",
  bold: "@fontsource/figtree/files/figtree-latin-700-normal.woff",
  plain: "@fontsource/figtree/files/figtree-latin-600-normal.woff",
} as const;

export type TextStyle = {
  font: keyof typeof FILES;
  /** In pixels; smaller if the text would be wider than `maxWidth`. */
  size: number;
  fill: string;
  maxWidth?: number;
  anchor?: "start" | "middle" | "end";
};

const fonts = new Map<keyof typeof FILES, Font>();

/**
 * A line of text as an SVG path with its baseline at y, so that the machine needs no fonts. Characters missing in our
 * fonts are left out.
 */
export function drawText(text: string, x: number, y: number, style: TextStyle): string {
  const font = loadFont(style.font);
  const known = shrink(
    [...text].filter((character) => font.charToGlyphIndex(character) > 0).join(""),
    font,
    style,
  );
  const start = x - known.width * { start: 0, middle: 0.5, end: 1 }[style.anchor ?? "start"];
  const { commands } = font.getPath(known.text, start, y, known.size);
  return `<path fill="${style.fill}" d="${commands.map(formatCommand).join("")}"/>`;
}

/** Written by hand: the library turns coordinates close to 0 into NaN. */
function formatCommand({ type, ...points }: PathCommand): string {
  const { x1, y1, x2, y2, x, y } = points as Partial<Record<"x1" | "y1" | "x2" | "y2" | "x" | "y", number>>;
  const given = [x1, y1, x2, y2, x, y].filter((number) => number !== undefined);
  return type + given.map((number) => number.toFixed(1)).join(" ");
}

/** Shrinks a text down to half its size; if it is still too wide, it ends in an ellipsis. */
function shrink(text: string, font: Font, { size, maxWidth = Number.POSITIVE_INFINITY }: TextStyle) {
  const width = font.getAdvanceWidth(text, size);
  if (width <= maxWidth) return { text, size, width };
  const smaller = Math.max(size * 0.5, (size * maxWidth) / width);
  let cut = text;
  while (cut.length > 1 && font.getAdvanceWidth(`${cut}…`, smaller) > maxWidth)
    cut = cut.slice(0, -1).trimEnd();
  const shown = cut === text || font.getAdvanceWidth(text, smaller) <= maxWidth ? text : `${cut}…`;
  return { text: shown, size: smaller, width: font.getAdvanceWidth(shown, smaller) };
}

function loadFont(name: keyof typeof FILES): Font {
  const loaded = fonts.get(name) ?? readFont(FILES[name]);
  fonts.set(name, loaded);
  return loaded;
}

function readFont(file: string): Font {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(file));
  return opentype.parse(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  );
}
