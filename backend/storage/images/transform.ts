import * as v from "valibot";
import { parseInput } from "../parse-input.ts";

const LARGEST_SIDE = 2500;
const side = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1, "must be >= 1"),
  v.maxValue(LARGEST_SIDE, `must be <= ${LARGEST_SIDE}`),
);

/** How a picture is wanted: sides in pixels, never larger than the original. */
export const Transform = v.object({
  width: v.optional(side),
  height: v.optional(side),
  /** `cover` cuts off what is too much, `contain` fits inside, `fill` distorts. */
  resize: v.optional(v.picklist(["cover", "contain", "fill"])),
  quality: v.optional(v.pipe(v.number(), v.integer(), v.minValue(20), v.maxValue(100))),
  format: v.optional(v.picklist(["origin"])),
});

export type Transform = v.InferOutput<typeof Transform>;

const NAMES = ["width", "height", "resize", "quality", "format"] as const;
const NUMBERS: readonly string[] = ["width", "height", "quality"];

/** What a query asks for; other parameters are left out. @throws StorageError 400 */
export function parseTransform(query: URLSearchParams): Transform {
  const asked = NAMES.filter((name) => query.has(name)).map((name): [string, unknown] => {
    const text = query.get(name) as string;
    return [name, NUMBERS.includes(name) ? Number(text || Number.NaN) : text];
  });
  return parseInput(Transform, Object.fromEntries(asked), "querystring");
}
