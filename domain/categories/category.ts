import * as v from "valibot";
import { LIMITS } from "../text/limits.ts";
import { defaultSlug, SLUG_PATTERN } from "../text/slug.ts";
import { atMost, neededText } from "../text/text-schema.ts";
import { typedNumber } from "../text/typed-number.ts";

const { name, slug, icon, displayOrder } = LIMITS.category;

/** The default slug of a category without one. */
export function defaultCategorySlug(categoryName: string): string {
  return defaultSlug(categoryName, slug.max);
}

/**
 * A category's form fields, with the message for each invalid one (5.category.01–07). An empty slug stands for the
 * default one (P26).
 */
export const categorySchema = v.pipe(
  v.object({ name: v.string(), slug: v.string(), icon: v.string(), display_order: v.string() }),
  v.transform((typed) => ({ ...typed, slug: typed.slug.trim() || defaultCategorySlug(typed.name) })),
  v.object({
    name: neededText(name.max, "Name is required", `Name must be less than ${name.max} characters`),
    slug: v.pipe(
      v.string(),
      v.regex(SLUG_PATTERN, "Slug must only contain lowercase letters, numbers, and hyphens"),
      atMost(slug.max, `Slug must be less than ${slug.max} characters`),
    ),
    icon: v.pipe(v.string(), v.trim(), atMost(icon.max, `Icon must be less than ${icon.max} characters`)),
    display_order: v.pipe(
      v.string(),
      v.transform(typedNumber),
      v.regex(/^[+-]?\d+$/, "Display order must be a whole number"),
      v.transform(Number),
      v.minValue(displayOrder.min, "Display order must be positive"),
      v.maxValue(displayOrder.max, "Display order is too large"),
    ),
  }),
);

export type CategoryInput = v.InferOutput<typeof categorySchema>;
