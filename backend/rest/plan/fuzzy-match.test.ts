import { expect, test } from "vitest";
import { closestMatch, rankMatches } from "./fuzzy-match.ts";

test("a misspelled name finds the right one", () => {
  expect(closestMatch(["items", "profiles"], "item", 0.75)).toBe("items");
  expect(closestMatch(["items", "profiles"], "ITEMS", 0.75)).toBe("items");
  expect(closestMatch(["(name, param, val)", "(attr, id)"], "(id)", 0.33)).toBe("(attr, id)");
});

test("an unrelated name finds nothing", () => {
  expect(closestMatch(["items", "profiles"], "secrets", 0.75)).toBeNull();
  expect(closestMatch([], "items", 0.1)).toBeNull();
  expect(closestMatch(["", "a"], "", 0.75)).toBe("");
});

test("the closest match comes first", () => {
  const ranked = rankMatches(["projects", "project_views", "objects"], "projcts", 0.33);
  expect(ranked[0]?.candidate).toBe("projects");
});

test("the cost depends on the candidates only, however long the text is", () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `item_value_changes_of_the_year_${index}`);
  expect(closestMatch(names, names[0]?.repeat(30_000) ?? "", 0.33)).toBeNull();
});
