import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  describeHistory,
  historyRows,
  latestSteps,
} from "#app/routes/fruit-detail/history/describe-history.ts";
import { drawHistory } from "#app/routes/fruit-detail/history/draw-history.ts";
import { FIELD } from "#app/routes/fruit-detail/history/history-drawing.ts";
import { GAP, stretchesOf, toValueSeries } from "#app/routes/fruit-detail/history/value-series.ts";

const reading = (mode: string, day: string, new_number: number | null) => ({
  mode,
  changed_at: `${day}T00:00:00+00:00`,
  new_number,
  new_value: null,
  old_number: null,
});

const kitsune = toValueSeries([
  reading("regular", "2026-01-16", 410e6),
  reading("permanent", "2026-07-31", 6.23e9),
  reading("regular", "2026-08-03", 660e6),
  reading("permanent", "2026-08-03", 6.98e9),
  reading("regular", "2026-08-11", 640e6),
  reading("regular", "2026-08-14", 640e6),
]);

describe("the readings of a history", () => {
  test("of both modes are kept apart, and of several at one moment the last counts", () => {
    const series = toValueSeries([reading("regular", "2026-01-01", 1), reading("regular", "2026-01-01", 2)]);
    expect(series.regular.map(({ value }) => value)).toEqual([2]);
    expect([kitsune.regular.length, kitsune.permanent.length]).toEqual([4, 2]);
  });

  test("are not joined over a gap of months, nor over a time without a price", () => {
    expect(stretchesOf(kitsune.regular).map((stretch) => stretch.length)).toEqual([1, 3]);
    const unpriced = [
      { time: 0, value: 1 },
      { time: 1, value: null },
      { time: 2, value: 3 },
    ];
    expect(stretchesOf(unpriced).map((stretch) => stretch.length)).toEqual([1, 1]);
    expect(
      stretchesOf([
        { time: 0, value: 1 },
        { time: GAP, value: 1 },
      ]),
    ).toHaveLength(1);
    expect(
      stretchesOf([
        { time: 0, value: 1 },
        { time: GAP + 1, value: 1 },
      ]),
    ).toHaveLength(2);
  });

  test("stand in the table newest first, both modes of a day in one row", () => {
    const rows = historyRows(kitsune);
    expect(rows).toHaveLength(5);
    expect(rows[2]).toEqual({ time: Date.parse("2026-08-03"), regular: 660e6, permanent: 6.98e9 });
  });

  test("that found the same value again are no change", () => {
    expect(latestSteps(kitsune, 9).map(({ mode, from, to }) => [mode, from, to])).toEqual([
      ["regular", 660e6, 640e6],
      ["regular", 410e6, 660e6],
      ["permanent", 6.23e9, 6.98e9],
    ]);
    expect(latestSteps(kitsune, 1)).toHaveLength(1);
  });

  test("are told in words", () => {
    expect(describeHistory("Kitsune", kitsune)).toBe(
      "Value history of Kitsune. Regular: 410M on Jan 16, 2026, 640M on Aug 14, 2026. " +
        "Permanent: 6.23B on Jul 31, 2026, 6.98B on Aug 3, 2026.",
    );
  });
});

describe("the drawing of a history", () => {
  test("is none without a priced reading", () => {
    expect(drawHistory({ regular: [], permanent: [] })).toBeNull();
    expect(drawHistory({ regular: [{ time: 0, value: null }], permanent: [] })).toBeNull();
  });

  test("joins each stretch by a path and marks each reading by a dot", () => {
    const [regular, permanent] = drawHistory(kitsune)?.series ?? [];
    expect([regular?.paths.length, regular?.dots.length]).toEqual([1, 4]);
    expect([permanent?.paths.length, permanent?.dots.length]).toEqual([1, 2]);
  });

  test("labels the higher last value above and the lower below", () => {
    const ends = drawHistory(kitsune)?.series.map(({ end }) => [end.text, end.side]);
    expect(ends).toEqual([
      ["640M", "below"],
      ["6.98B", "above"],
    ]);
  });

  test("is logarithmic only where values span orders of magnitude and none is zero", () => {
    expect(drawHistory(kitsune)?.logarithmic).toBe(true);
    expect(drawHistory({ ...kitsune, permanent: [] })?.logarithmic).toBe(false);
    expect(drawHistory({ ...kitsune, regular: [{ time: 0, value: 0 }] })?.logarithmic).toBe(false);
  });

  test("tells the days and the decimals apart where months and one decimal would say the same twice", () => {
    const werewolf = [reading("regular", "2026-08-03", 1.01e9), reading("regular", "2026-08-16", 1.06e9)];
    const { times, values } = drawHistory(toValueSeries(werewolf)) ?? { times: [], values: [] };
    expect(times.map(({ text }) => text)).toEqual(["Aug 3", "Aug 7", "Aug 11", "Aug 15"]);
    expect(values.map(({ text }) => text)).toEqual(["1B", "1.02B", "1.04B", "1.06B"]);
  });

  test("keeps every dot inside its field, higher values higher", () => {
    const point = fc.record({
      time: fc.integer({ min: 0, max: 2e12 }),
      value: fc.integer({ min: 0, max: 1e13 }),
    });
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (points) => {
        const regular = points.sort((a, b) => a.time - b.time);
        const drawing = drawHistory({ regular, permanent: [] });
        const dots = drawing?.series[0]?.dots ?? [];
        for (const { x, y } of dots) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(100);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(FIELD.height);
        }
        const highest = points.findIndex(
          ({ value }) => value === Math.max(...points.map((each) => each.value)),
        );
        expect(dots[highest]?.y).toBe(Math.min(...dots.map(({ y }) => y)));
        for (const axis of [drawing?.values ?? [], drawing?.times ?? []]) {
          expect(axis.length).toBeGreaterThan(0);
          expect(new Set(axis.map(({ text }) => text)).size).toBe(axis.length);
        }
        expect(drawing?.times.length).toBeLessThanOrEqual(4);
      }),
    );
  });
});
