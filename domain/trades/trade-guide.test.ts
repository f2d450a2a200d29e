import { describe, expect, test } from "vitest";
import { formatNumber } from "../values/value-text.ts";
import { tradeGuide } from "./trade-guide.ts";

function shown(value: number) {
  const guide = tradeGuide(value);
  return guide && [guide.fairLow, guide.fairHigh, guide.offer, guide.ask].map(formatNumber);
}

describe("the trade reference guide", () => {
  test("an unpriced item has none", () => expect(tradeGuide(null)).toBeNull());
  test("Kitsune regular", () => expect(shown(640e6)).toEqual(["576M", "704M", "608M", "672M"]));
  test("Control regular", () => expect(shown(160e6)).toEqual(["144M", "176M", "152M", "168M"]));
  test("Control permanent", () => expect(shown(6.24e9)).toEqual(["5.6B", "6.9B", "5.9B", "6.6B"]));
  test("a real zero has a guide of zeros", () => expect(shown(0)).toEqual(["0", "0", "0", "0"]));
});
