import { expect, test } from "vitest";
import { judgeTrade, totalOffer } from "#domain/trades/verdict.ts";
import { balanceOf, describeJudgment } from "./judgment-text.ts";

const judge = (yours: (number | null)[], theirs: (number | null)[]) =>
  describeJudgment(judgeTrade(totalOffer(yours), totalOffer(theirs)));

test("two empty sides are an invitation, not a verdict", () => {
  expect(judge([], [])).toMatchObject({ tone: "none", detail: "Add items to both sides to weigh them." });
});

test("an unpriced item prevents a verdict, and the card says why", () => {
  expect(judge([null], [6e8])).toMatchObject({ title: "Can't be judged yet", tone: "none" });
  expect(judge([null], [null]).detail).toMatch(/^2 items have no known value/);
});

test("an unknown item is named and prevents a verdict", () => {
  const judged = (values: (number | null)[], unknown: string[]) =>
    describeJudgment(judgeTrade(totalOffer(values), totalOffer([6e8])), unknown);
  expect(judged([null], ["Sea Monster"])).toEqual({
    title: "Can't be judged yet",
    detail: "There's no item called Sea Monster.",
    tone: "none",
  });
  expect(judged([null, null, null, null], ["A", "B", "A"]).detail).toBe(
    "There's no item called A or B. 1 item has no known value. Unpriced is not the same as worthless.",
  );
});

test("the difference reads as your gain or loss, with its share of your total", () => {
  expect(judge([130e6], [160e6]).detail).toBe("You gain 30M, 23.08% of your total");
  expect(judge([3e6], [6.5e6]).detail).toBe("You gain 3.5M, 116.67% of your total");
  expect(judge([1e9], [1e9 - 1]).detail).toBe("You lose 1, less than 0.01% of your total");
  expect(judge([640e6], [160e6])).toEqual({
    title: "You're Overpaying",
    detail: "You lose 480M, 75% of your total",
    tone: "loss",
  });
});

test("a share of zero is left out", () => {
  expect(judge([], [5e6]).detail).toBe("You gain 5M");
});

test("equal sides have no difference to show", () => {
  expect(judge([160e6], [160e6])).toMatchObject({
    title: "Fair Trade",
    detail: "Both sides are worth the same.",
  });
});

test("the scale leans to the heavier side, and is level if there is no verdict", () => {
  const judged = judgeTrade(totalOffer([3]), totalOffer([1]));
  expect(balanceOf(judged, 3, 1)).toBe(0.5);
  expect(balanceOf(judged, 0, 0)).toBe(0);
  expect(balanceOf({ kind: "unpriced", unpriced: 1 }, 3, 1)).toBe(0);
});
