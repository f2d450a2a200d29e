import type { Metadata } from "sharp";

const MOST_PIXELS = 50_000_000;
/** Of a progressive JPEG that is re-encoded, measured: a file of less than 1 MB can have 50 million. */
const BYTES_OF_PIXEL = 12;
/** Of an AVIF picture, in comparison. */
const AVIF_WEIGHT = 1.5;
/** The pictures' share of the memory; the rest is for everything else. */
const SHARE = 0.4;

/** Pixels that a picture may have where so many are decoded at once, so that they fit into the memory. */
export function pixelLimit(memory: number, atOnce: number): number {
  return Math.min(MOST_PIXELS, Math.floor((memory * SHARE) / atOnce / BYTES_OF_PIXEL));
}

/** Whether it has too many, according to its header. `height` of an animation is that of all frames stacked. */
export function isTooLarge(
  { width, height, format }: Pick<Metadata, "width" | "height" | "format">,
  limit: number,
): boolean {
  return width * height * (format === "heif" ? AVIF_WEIGHT : 1) > limit;
}
