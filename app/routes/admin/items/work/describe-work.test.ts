import { expect, test } from "vitest";
import { describeWork } from "./describe-work.ts";

const PARTS = {
  item_id: "",
  score: 2,
  weeks: 2,
  traders: 0,
  views: 0,
  spread: 0,
  game_update: null,
  waiting: 0,
  due: 1,
};

test("parts that do not contribute to the score are left out", () => {
  expect(describeWork(PARTS)).toEqual(["Not looked at for 14 days"]);
  expect(describeWork({ ...PARTS, weeks: 0.15 })).toEqual(["Not looked at for 1 day"]);
});

test("all parts are listed", () => {
  expect(describeWork({ ...PARTS, traders: 1, views: 1234, spread: 0.4, game_update: "Update 26" })).toEqual([
    "Not looked at for 14 days",
    "In saved trades of 1 person in 30 days",
    "Its page was opened 1,234 times in 7 days",
    "What was found lies 40% apart",
    "Unsettled by Update 26",
  ]);
});
