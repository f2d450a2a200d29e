import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { categorySchema } from "./category.ts";

const typed = { name: "Sea Beasts", slug: "", icon: "🐙", display_order: "9" };

function refusalOf(change: Partial<typeof typed>): string[] {
  const { issues } = v.safeParse(categorySchema, { ...typed, ...change });
  return (issues ?? []).map(({ message, path }) => `${path?.[0]?.key}: ${message}`);
}

describe("refused", () => {
  const SLUG = "slug: Slug must only contain lowercase letters, numbers, and hyphens";
  test.each([
    [{ name: " \u00a0 ", slug: "a" }, ["name: Name is required"]],
    [{ name: "a".repeat(51), slug: "a" }, ["name: Name must be less than 50 characters"]],
    [{ slug: "Big Fruits" }, [SLUG]],
    [{ name: "🐉" }, [SLUG]],
    [{ slug: "a".repeat(51) }, ["slug: Slug must be less than 50 characters"]],
    [{ icon: "abcdefghijk" }, ["icon: Icon must be less than 10 characters"]],
    [{ display_order: "1.5" }, ["display_order: Display order must be a whole number"]],
    [{ display_order: "" }, ["display_order: Display order must be a whole number"]],
    [{ display_order: "1e3" }, ["display_order: Display order must be a whole number"]],
    [{ display_order: "-1" }, ["display_order: Display order must be positive"]],
    [{ display_order: "10000" }, ["display_order: Display order is too large"]],
  ])("%j", (change, messages) => expect(refusalOf(change)).toEqual(messages));
});

test("the ends of each limit are allowed, counted in code points", () => {
  const long = { name: "😀".repeat(50), slug: "a".repeat(50), icon: "👨‍👩‍👧‍👦", display_order: "9999" };
  expect(refusalOf(long)).toEqual([]);
  expect(refusalOf({ name: "a", slug: "-", icon: "", display_order: "0" })).toEqual([]);
  expect(refusalOf({ icon: "abcdefghij" })).toEqual([]);
});

test("an order may bring along what cannot be seen", () => {
  expect(refusalOf({ display_order: "\u200b12" })).toEqual([]);
});

test("an empty slug is made of the name, and fits", () => {
  const parse = (name: string) => v.parse(categorySchema, { ...typed, name }).slug;
  expect(parse(" Sea Beasts! ")).toBe("sea-beasts");
  expect(parse("a".repeat(50))).toHaveLength(50);
});
