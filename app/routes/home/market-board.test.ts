import { expect, it } from "vitest";
import { marketBoard } from "./market-board.ts";

const item = (slug: string, current: string, previous: string, checked = "2026-08-17T00:00:00+00:00") => ({
  slug,
  name: slug,
  image_url: null,
  rarity: "rare",
  current_value: current,
  previous_value: previous,
  values_checked_at: checked,
});

it("leaves what did not move or cannot be told out of the moves, and takes falls as seriously as rises", () => {
  const board = marketBoard(
    [
      item("steady", "10M", "10M"),
      item("fell", "5M", "10M"),
      item("rose", "3M", "2.4M"),
      item("new", "2M", "N/A"),
      item("unpriced", "N/A", "N/A"),
    ],
    2,
    5,
  );
  expect(board.movers.map(({ slug }) => slug)).toEqual(["fell", "rose"]);
  expect(board.dearest.map(({ slug }) => slug)).toEqual(["steady", "fell"]);
  expect(board.count).toBe(5);
});

it("knows the latest check, and none while nothing is listed", () => {
  const items = [
    item("a", "1M", "1M", "2026-08-17T00:00:00+00:00"),
    item("b", "1M", "1M", "2026-09-01T00:00:00+00:00"),
  ];
  expect(marketBoard(items, 1, 1).checked).toBe("2026-09-01T00:00:00+00:00");
  expect(marketBoard([], 1, 1)).toEqual({ dearest: [], movers: [], goods: [], count: 0, checked: null });
});
