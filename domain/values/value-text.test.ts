import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANY_CHARACTER } from "#tests/helpers/any-character.ts";
import { EN_DASH, formatNumber, formatReading, formatValue, parseValue } from "./value-text.ts";

describe("reading a value text", () => {
  test.each([
    ["5K", 5000],
    ["6.5M", 6_500_000],
    ["3.91B", 3_910_000_000],
    ["1.2T", 1_200_000_000_000],
    ["6.98B", 6_980_000_000],
    ["5k", 5000],
    ["5m", 5_000_000],
    ["5b", 5_000_000_000],
    ["5t", 5_000_000_000_000],
    [" 1,500,000 ", 1_500_000],
    ["1 500 K", 1_500_000],
    ["1\u202f500\u00a0000", 1_500_000],
    ["1,500.5", 1500.5],
    ["950", 950],
    ["950.5", 950.5],
    [".5M", 500_000],
    [950, 950],
    ["0", 0],
    [0, 0],
  ])("%j is the number %d", (text, number) => {
    expect(parseValue(text)).toBe(number);
  });

  test.each([
    "N/A",
    "abc",
    "",
    "   ",
    "K",
    ".",
    "1,5M",
    "1,00,000",
    "5 000 00",
    "-5",
    "1e6",
    "5KK",
    "5M coins",
    null,
    undefined,
  ])("%j is unpriced", (text) => {
    expect(parseValue(text)).toBeNull();
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, `${"9".repeat(400)}T`])(
    "%j is unpriced, never infinite",
    (value) => {
      expect(parseValue(value)).toBeNull();
    },
  );

  test("no text throws, and each is a finite number or unpriced", () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
        const number = parseValue(text);
        expect(number === null || Number.isFinite(number)).toBe(true);
      }),
    );
  });
});

describe("showing a value", () => {
  test.each([
    [1.5e12, "1.5T"],
    [3_910_000_000, "3.9B"],
    [6_500_000, "6.5M"],
    [7500, "7.5K"],
    [700_000_000, "700M"],
    [1_234_567, "1.2M"],
    [999_950, "1M"],
    [999_949, "999.9K"],
    [999_950_000, "1B"],
    [999_950_000_000, "1T"],
    [999_950_000_000_000, "1000T"],
    [999, "999"],
    [999.999, "1K"],
    [0, "0"],
    [0.001, "0"],
    [-20_000_000, "-20M"],
    [-0.001, "0"],
    [5e33, "5000000000000000000000T"],
  ])("%d shows as %s", (number, text) => {
    expect(formatNumber(number)).toBe(text);
  });

  test.each([
    ["6.24B", "6.24B"],
    ["6.24b", "6.24b"],
    [" 640M ", "640M"],
    ["1000K", "1000K"],
    ["15000000", "15M"],
    ["1,500,000", "1.5M"],
    ["1 500 K", "1.5M"],
    [4000, "4K"],
    ["499", "499"],
    ["0", "0"],
    ["N/A", EN_DASH],
    ["", EN_DASH],
    [null, EN_DASH],
  ])("%j shows as %s", (value, text) => {
    expect(formatValue(value)).toBe(text);
  });

  const amount = fc.double({ min: 0, max: 1e21, noNaN: true });

  test("what is shown reads back as the number, to half a unit of its last digit", () => {
    fc.assert(
      fc.property(amount, (number) => {
        const back = parseValue(formatNumber(number));
        expect(back).not.toBeNull();
        expect(Math.abs((back ?? Number.NaN) - number)).toBeLessThanOrEqual(
          Math.max(0.005, number * 0.0500001),
        );
      }),
    );
  });

  test("showing, reading and showing again changes nothing", () => {
    fc.assert(
      fc.property(amount, (number) => {
        const shown = formatNumber(number);
        expect(formatValue(parseValue(shown))).toBe(shown);
        expect(formatValue(shown)).toBe(shown);
      }),
    );
  });

  test("a larger number never shows as a smaller one", () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(parseValue(formatNumber(low))).toBeLessThanOrEqual(parseValue(formatNumber(high)) as number);
      }),
    );
  });

  test("no number below the largest unit shows four digits before its suffix", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 9.9994e14, noNaN: true }), (number) => {
        expect(formatNumber(number)).toMatch(/^\d{1,3}(\.\d{1,2})?[KMBT]?$/);
      }),
    );
  });
});

describe("showing a reading", () => {
  test.each([
    [6_240_000_000, "6.24B"],
    [6_230_500_000, "6.231B"],
    [640_000_000, "640M"],
    [1_175_000_000, "1.175B"],
    [999_999_999, "1B"],
    [950.5, "950.5"],
    [-20_000_000, "-20M"],
    [0, "0"],
  ])("%d keeps the decimals that it has: %s", (number, text) => {
    expect(formatReading(number)).toBe(text);
  });

  test("reads back as the number, to a thousandth", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e14 }), (number) => {
        const back = parseValue(formatReading(number)) ?? Number.NaN;
        expect(Math.abs(back - number)).toBeLessThanOrEqual(Math.max(0.005, number / 1000));
      }),
    );
  });
});
