import { expect, test } from "vitest";
import { type Operator, parseFilter } from "./change-filter.ts";
import { readPattern } from "./text-pattern.ts";

const read = (operator: Operator, value: string, type = "text") =>
  readPattern({ column: "name", operator, negated: false, value }, type);

test.each<[Operator, string, string, boolean]>([
  ["like", "a%", "abc", true],
  ["like", "a%", "bac", false],
  ["like", "a_c", "abc", true],
  ["like", "a_c", "a🍎c", true],
  ["like", "%.c", "abc", false],
  ["like", "100\\%", "100%", true],
  ["like", "100\\%", "1000", false],
  ["like", "a%", "a\nb", true],
  ["like", "A%", "abc", false],
  ["ilike", "A%", "abc", true],
  ["match", "^a.c$", "abc", true],
  ["match", "b", "abc", true],
  ["match", "^b$", "a\nb", false],
  ["match", "a.b", "a\nb", true],
  ["match", "^\\w+$", "äöü", true],
  ["match", "^[\\w-]+$", "ä-ö", true],
  ["match", "^[[:digit:]x]+\\d$", "1x2", true],
  ["match", "^[^]a]$", "b", true],
  ["match", "A", "abc", false],
  ["imatch", "A", "abc", true],
])("%s %j of %j: %s", (operator, value, text, expected) => {
  expect(read(operator, value).matches(text)).toBe(expected);
});

test("patterns on a case-insensitive column ignore case", () => {
  expect(read("like", "A%", "citext").matches("abc")).toBe(true);
});

test.each([
  ["match", "(", "cannot be read"],
  ["match", "(a)\\1", "cannot be read"],
  ["match", "a(?=b)", "cannot be read"],
  ["match", "a".repeat(1_001), "is longer than 1000 characters"],
  ["match", "(a{0,900}b{0,900}){0,1}c{0,900}", "is too large"],
] as const)("%s %.40s is refused: the pattern %s", (operator, value, reason) => {
  expect(() => read(operator, value)).toThrow(`Error parsing \`filter\` params: the pattern ${reason}`);
});

test("a LIKE pattern must not end with the escape character, and bytea columns have no patterns", () => {
  expect(() => read("like", "a\\")).toThrow("LIKE pattern must not end with escape character");
  expect(() => read("like", "a", "bytea")).toThrow("the pattern is for texts");
});

test("a pattern prone to catastrophic backtracking finishes", () => {
  const [condition] = parseFilter("name=match.^(([a-z])+.)+[A-Z]([a-z])+$");
  if (!condition) throw new Error("it is a filter");
  expect(readPattern(condition, "text").matches(`${"a".repeat(2_000)}!`)).toBe(false);
});

test("larger patterns are matched against shorter texts only", () => {
  expect(read("match", "a").maxLength).toBe(100_000);
  expect(read("match", "a{0,900}").maxLength).toBeLessThan(20_000);
});
