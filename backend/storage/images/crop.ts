import type { Metadata, ResizeOptions, Sharp } from "sharp";
import type { Transform } from "./transform.ts";

const FITS = { cover: "cover", contain: "inside", fill: "fill" } as const;

const POSITIONS = {
  no: "north",
  so: "south",
  ea: "east",
  we: "west",
  noea: "northeast",
  nowe: "northwest",
  soea: "southeast",
  sowe: "southwest",
  ce: "centre",
  sm: "attention",
} as const;

/** Resizes and crops as requested. */
export function crop(picture: Sharp, header: Metadata, transform: Transform): Sharp {
  const { gravity, x_offset, y_offset } = transform;
  const isMoved =
    gravity === "fp" || (gravity !== "sm" && (x_offset !== undefined || y_offset !== undefined));
  const box = isMoved ? findBox(header, transform) : null;
  if (!box) return picture.resize(sizeOf(transform));
  const { whole, left, top, width, height } = box;
  return picture.resize({ ...whole, fit: "fill" }).extract({ left, top, width, height });
}

function sizeOf({ width, height, resize = "cover", gravity }: Transform): ResizeOptions {
  return {
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(gravity && gravity !== "fp" && { position: POSITIONS[gravity] }),
    fit: FITS[resize],
    withoutEnlargement: true,
  };
}

/** The part to extract from the resized picture; null if there is nothing to extract. */
function findBox(
  { autoOrient: { width: fullWidth, height: fullHeight }, pageHeight }: Metadata,
  transform: Transform,
) {
  const { width, height, resize = "cover", gravity = "ce", x_offset = 0, y_offset = 0 } = transform;
  if (resize !== "cover" || width === undefined || height === undefined) return null;
  const frame = { width: fullWidth, height: pageHeight ?? fullHeight };
  const scale = Math.min(1, Math.max(width / frame.width, height / frame.height));
  const whole = { width: Math.round(frame.width * scale), height: Math.round(frame.height * scale) };
  const part = { width: Math.min(width, whole.width), height: Math.min(height, whole.height) };
  const place = (from: string, to: string, length: number, size: number, offset: number) => {
    const room = length - size;
    const step = Math.abs(offset) < 1 ? offset * length : offset;
    const start = gravity === "fp" ? step - size / 2 : startAt(gravity, from, to, room, step);
    return Math.round(Math.min(Math.max(start, 0), room));
  };
  const left = place("we", "ea", whole.width, part.width, x_offset);
  const top = place("no", "so", whole.height, part.height, y_offset);
  return { whole, left, top, ...part };
}

/** Offsets point inward from a side, and right and down from the center. */
function startAt(gravity: string, from: string, to: string, room: number, step: number): number {
  if (gravity.includes(from)) return step;
  return gravity.includes(to) ? room - step : room / 2 + step;
}
