import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "./limits.ts";
import { defaultSlug, SLUG_PATTERN } from "./slug.ts";

describe("the default slug", () => {
  test.each([
    ["My Test Fruit", "my-test-fruit"],
    ["Doghouse (Frame Break)", "doghouse-frame-break"],
    ["+1 Fruit Storage", "1-fruit-storage"],
    ["T-Rex", "t-rex"],
    ["  Dragón  ", "dragon"],
    ["🐉", ""],
  ])("of %j is %j", (name, slug) => expect(defaultSlug(name, LIMITS.item.slug.max)).toBe(slug));

  test("of any name is empty or a valid slug", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 150 }), (name) => {
        const slug = defaultSlug(name, LIMITS.item.slug.max);
        if (slug !== "") expect(slug).toMatch(SLUG_PATTERN);
        expect(slug).not.toMatch(/^-|-$|--/);
        expect(slug.length).toBeLessThanOrEqual(LIMITS.item.slug.max);
      }),
    );
  });
});
