import * as v from "valibot";
import { numeric, parseInput } from "../parse-input.ts";

const LARGEST_SIDE = 2500;
const side = v.pipe(
  numeric,
  v.integer(),
  v.minValue(1, "must be >= 1"),
  v.maxValue(LARGEST_SIDE, `must be <= ${LARGEST_SIDE}`),
);

const offset = v.pipe(numeric, v.finite(), v.minValue(-10_000), v.maxValue(10_000));

const oneOf = <const Options extends readonly string[]>(options: Options) =>
  v.picklist(options, "must be equal to one of the allowed values");

/** A requested rendering: dimensions in pixels, never larger than the original. */
export const Transform = v.object({
  width: v.optional(side),
  height: v.optional(side),
  /** `cover` crops, `contain` fits inside, `fill` distorts. */
  resize: v.optional(oneOf(["cover", "contain", "fill"])),
  quality: v.optional(v.pipe(numeric, v.integer(), v.minValue(20), v.maxValue(100))),
  format: v.optional(oneOf(["origin", "webp", "avif"])),
  /**
   * What `cover` keeps: a side, a corner, the center, the most salient region (`sm`), or the focus point (`fp`) given
   * by the offsets.
   */
  gravity: v.optional(oneOf(["no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce", "sm", "fp"])),
  /** Offset from there, in pixels, or below 1 as a fraction of the picture. */
  x_offset: v.optional(offset),
  y_offset: v.optional(offset),
});

export type Transform = v.InferOutput<typeof Transform>;

/** Parses the query; unknown parameters are ignored. @throws StorageError 400 */
export function parseTransform(query: URLSearchParams): Transform {
  const asked = Object.keys(Transform.entries).filter((name) => query.has(name));
  return parseInput(
    Transform,
    Object.fromEntries(asked.map((name) => [name, query.get(name)])),
    "querystring",
  );
}

const RESIZING = { cover: "fill", contain: "fit", fill: "force" } as const;

/** The header by which the hosted service reports a rendering, in the terms of its renderer, imgproxy. */
export function transformHeader(transform: Transform): Record<string, string> {
  const { width, height, resize = "cover", quality, format, gravity, x_offset, y_offset } = transform;
  const options: [name: string, ...values: (string | number | undefined)[]][] = [
    ["height", height],
    ["width", width],
    ["resizing_type", width || height ? RESIZING[resize] : undefined],
    ["quality", quality],
    ["format", format === "origin" ? undefined : format],
    ["gravity", gravity, ...(gravity === "sm" ? [] : [x_offset, y_offset])],
  ];
  const reported = options
    .filter(([, value]) => value !== undefined)
    .map((option) => option.filter((text) => text !== undefined).join(":"));
  return reported.length > 0 ? { "x-transformations": reported.join(",") } : {};
}
