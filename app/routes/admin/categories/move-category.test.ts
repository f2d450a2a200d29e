import { expect, test } from "vitest";
import type { Category } from "./category-writes.ts";
import { moveCategory } from "./move-category.ts";

const listOf = (...orders: number[]) =>
  orders.map((display_order, index) => ({ id: "abcdef"[index], display_order }) as Category);
const writes = (orders: number[], id: string, to: number) =>
  moveCategory(listOf(...orders), id, to).map(({ category, display_order }) => [category.id, display_order]);

test("nothing is written beyond the ends or for a category that is gone", () => {
  expect(writes([1, 2], "a", -1)).toEqual([]);
  expect(writes([1, 2], "b", 2)).toEqual([]);
  expect(writes([1, 2], "b", 1)).toEqual([]);
  expect(writes([1, 2], "x", 1)).toEqual([]);
});

test("two neighbors change their numbers", () => {
  expect(writes([1, 5, 9], "c", 1)).toEqual([
    ["c", 5],
    ["b", 9],
  ]);
  expect(writes([1, 5, 9], "a", 1)).toEqual([
    ["b", 1],
    ["a", 5],
  ]);
});

test("over several places, all between move on", () => {
  expect(writes([1, 5, 9], "c", 0)).toEqual([
    ["c", 1],
    ["a", 5],
    ["b", 9],
  ]);
});

test("equal numbers are parted", () => {
  expect(writes([0, 0, 0], "c", 1)).toEqual([
    ["c", 1],
    ["b", 2],
  ]);
});
