import { describe, expect, it } from "vitest";
import { dateMoves, marketBoard, periodOf } from "./market-board.ts";

const item = (slug: string, current: string, previous: string) => ({
  id: slug,
  slug,
  name: slug,
  image_url: null,
  rarity: "rare",
  current_value: current,
  previous_value: previous,
});

it("leaves out items that did not move or are unpriced, and treats falls like rises", () => {
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

describe("the dates of the moves", () => {
  const change = (
    item_id: string,
    changed_at: string,
    old_number: number | null,
    new_number: number | null,
  ) => ({
    item_id,
    changed_at,
    old_number,
    new_number,
  });
  const items = [item("fell", "5M", "10M"), item("rose", "3M", "2.4M")];
  const { movers } = marketBoard(items, 1, 5);

  it("come from their own last changes, not from confirmations", () => {
    const moves = dateMoves(movers, items, [
      change("fell", "2026-09-18T00:00:00+00:00", 5e6, 5e6),
      change("rose", "2026-09-02T00:00:00+00:00", 2.4e6, 3e6),
      change("fell", "2026-08-11T00:00:00+00:00", 10e6, 5e6),
      change("fell", "2026-08-01T00:00:00+00:00", 9e6, 10e6),
    ]);
    expect(moves.map(({ slug, changed }) => [slug, changed?.slice(0, 10)])).toEqual([
      ["fell", "2026-08-11"],
      ["rose", "2026-09-02"],
    ]);
    expect(periodOf(moves)).toEqual({ from: "2026-08-11", to: "2026-09-02" });
  });

  it("are left out if unknown", () => {
    const moves = dateMoves(movers, items, []);
    expect(moves.map(({ changed }) => changed)).toEqual([null, null]);
    expect(periodOf(moves)).toBeNull();
    expect(marketBoard([], 1, 1)).toEqual({ dearest: [], movers: [], goods: [], count: 0 });
  });
});
