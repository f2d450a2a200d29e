import { expect, test } from "vitest";
import {
  areaOf,
  cellsOf,
  moveCell,
  nextOf,
  orderOf,
  type Selection,
  selectCell,
  selectColumns,
  selectRows,
  stepCell,
} from "./selection.ts";

const order = orderOf(["a", "b", "c"], 4);
const spots = (selection: Selection) => {
  const area = areaOf(selection, order);
  return area && [...cellsOf(area, order)].map(({ row, column }) => row + column).join(" ");
};

test("arrows stop at the edges", () => {
  expect(moveCell({ row: "a", column: 0 }, 1, 1, order)).toEqual({ row: "b", column: 1 });
  expect(moveCell({ row: "a", column: 0 }, -1, -1, order)).toEqual({ row: "a", column: 0 });
  expect(moveCell({ row: "a", column: 0 }, 99, 99, order)).toEqual({ row: "c", column: 3 });
});

test("Tab moves from stop to stop in reading order, and ends after the last", () => {
  const step = (row: string, column: number, by: 1 | -1) =>
    stepCell({ row, column }, by, order, (each) => each % 2 === 1);
  expect(step("a", 0, 1)).toEqual({ row: "a", column: 1 });
  expect(step("a", 3, 1)).toEqual({ row: "b", column: 1 });
  expect(step("b", 1, -1)).toEqual({ row: "a", column: 3 });
  expect(step("c", 3, 1)).toBeNull();
  expect(step("a", 1, -1)).toBeNull();
});

test("the next of some cells follows in reading order, starts over after the last, and is a visible one", () => {
  const cells = [
    { row: "gone", column: 0 },
    { row: "c", column: 1 },
    { row: "a", column: 2 },
  ];
  expect(nextOf(cells, null, order)).toBe(cells[2]);
  expect(nextOf(cells, { row: "a", column: 2 }, order)).toBe(cells[1]);
  expect(nextOf(cells, { row: "c", column: 1 }, order)).toBe(cells[2]);
  expect(nextOf(cells.slice(0, 1), null, order)).toBeNull();
});

test("the selection is the area between two corners, in whichever direction it was drawn", () => {
  expect(spots(selectCell({ row: "b", column: 2 }))).toBe("b2");
  expect(spots({ active: { row: "c", column: 2 }, end: { row: "b", column: 1 } })).toBe("b1 b2 c1 c2");
  expect(spots(selectRows("b", "a", order))).toBe("a0 a1 a2 a3 b0 b1 b2 b3");
  expect(spots(selectColumns(3, 3, order) as Selection)).toBe("a3 b3 c3");
  expect(selectColumns(1, 1, orderOf([], 4))).toBeNull();
});

test("a row that is no longer visible selects nothing", () => {
  expect(spots(selectCell({ row: "gone", column: 1 }))).toBeNull();
  expect(spots({ active: { row: "b", column: 1 }, end: { row: "gone", column: 1 } })).toBe("b1");
});
