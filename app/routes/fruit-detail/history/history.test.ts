import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMonthDay } from "#domain/text/dates.ts";
import { describeHistory, historyRows } from "./describe-history.ts";
import { drawHistory } from "./draw-history.ts";
import { FIELD } from "./history-drawing.ts";
import { historySteps } from "./history-steps.ts";
import { renderTable } from "./history-table.tsx";
import { toShownHistory } from "./shown-history.ts";
import { GAP, type SeriesPoint, splitAtGaps, toValueSeries, type ValueSeries } from "./value-series.ts";

const UNSEEN = {
  reason_code: null,
  evidence_url: null,
  is_seconded: false,
  editor_name: null,
  picture: null,
};
let id = 0;
const reading = (mode: string, day: string, new_number: number | null, reason: string | null = null) => {
  id += 1;
  return { id, mode, changed_at: `${day}T00:00:00+00:00`, new_number, reason, reason_label: null, ...UNSEEN };
};
const at = (day: string) => Date.parse(day);
const NOW = at("2026-11-22T10:00:00Z");
const DAY = 24 * 60 * 60 * 1000;
const LISTED = "2026-11-01T00:00:00Z";

const kitsune = toValueSeries([
  reading("regular", "2026-01-16", 410e6),
  reading("permanent", "2026-07-31", 6.23e9),
  reading("regular", "2026-08-03", 660e6),
  reading("permanent", "2026-08-03", 6.98e9),
  reading("regular", "2026-08-11", 640e6),
  reading("regular", "2026-08-14", 640e6),
]);
const flat = (points: readonly SeriesPoint[]): ValueSeries => ({ regular: [...points], permanent: [] });
const drawn = (history: ValueSeries, from: string | null = null, now = NOW) =>
  drawHistory(
    history,
    ["regular", "permanent"],
    { from: from === null ? null : at(from), to: now },
    historySteps(history, LISTED),
  );

describe("the readings of a history", () => {
  test("are kept apart by mode, and of several at one time the last counts", () => {
    const series = toValueSeries([reading("regular", "2026-01-01", 1), reading("regular", "2026-01-01", 2)]);
    expect(series.regular.map(({ value }) => value)).toEqual([2]);
    expect([kitsune.regular.length, kitsune.permanent.length]).toEqual([4, 2]);
  });

  test("form the known values together with the checks between them; checks before the first reading do not count", () => {
    const checks = ["2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"];
    const { regular, permanent } = toValueSeries(
      [reading("regular", "2026-02-01", 5), reading("regular", "2026-04-01", 7)],
      checks,
    );
    expect(regular.map(({ time, value }) => [time, value])).toEqual([
      [at("2026-02-01"), 5],
      [at("2026-03-01"), 5],
      [at("2026-04-01"), 7],
    ]);
    expect(permanent).toEqual([]);
  });

  test("are not joined across a gap of months, nor across a time without a price", () => {
    expect(splitAtGaps(kitsune.regular).map((stretch) => stretch.length)).toEqual([1, 3]);
    const unpriced = [
      { time: 0, value: 1 },
      { time: 1, value: null },
      { time: 2, value: 3 },
    ];
    // A value is known until the item became unpriced.
    expect(splitAtGaps(unpriced)).toEqual([
      [
        { time: 0, value: 1 },
        { time: 1, value: 1 },
      ],
      [{ time: 2, value: 3 }],
    ]);
    const parted = (gap: number) =>
      splitAtGaps([
        { time: 0, value: 1 },
        { time: gap, value: 1 },
      ]);
    expect([parted(GAP).length, parted(GAP + 1).length]).toEqual([1, 2]);
    const lapsed = [
      { time: 0, value: 1 },
      { time: GAP + 1, value: null },
    ];
    expect(splitAtGaps(lapsed)).toEqual([[{ time: 0, value: 1 }]]);
  });

  test("are listed in the table newest first, both modes of a day in one row", () => {
    const rows = historyRows(kitsune);
    expect(rows).toHaveLength(5);
    expect(rows[2]).toEqual({ time: at("2026-08-03"), regular: 660e6, permanent: 6.98e9 });
  });

  test("have an empty cell for a mode not read at the time, and a dash for one that became unpriced", () => {
    const series = toValueSeries([reading("regular", "2026-08-01", null)]);
    const cells = [...renderTable("Kitsune", series).matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(
      ([, cell]) => cell,
    );
    expect(cells).toEqual([expect.stringContaining("–"), ""]);
  });

  test("are described in words, including that nobody checked since", () => {
    expect(describeHistory("Kitsune", kitsune, ["regular", "permanent"], NOW)).toBe(
      "Value history of Kitsune. Regular: 410M on Jan 16, 2026, 640M on Aug 14, 2026. Not checked since. " +
        "Permanent: 6.23B on Jul 31, 2026, 6.98B on Aug 3, 2026. Not checked since.",
    );
    expect(describeHistory("Kitsune", kitsune, ["regular"], at("2026-08-14T20:00:00Z"))).toBe(
      "Value history of Kitsune. Regular: 410M on Jan 16, 2026, 640M on Aug 14, 2026.",
    );
  });
});

describe("the changes of a history", () => {
  test("are listed newest first, with the first known value and without confirmations of the same value", () => {
    expect(historySteps(kitsune, LISTED).map(({ mode, from, to }) => [mode, from, to])).toEqual([
      ["regular", "660M", "640M"],
      ["permanent", "6.23B", "6.98B"],
      ["regular", "410M", "660M"],
      ["permanent", null, "6.23B"],
      ["regular", null, "410M"],
    ]);
  });

  test.each([
    ["read elsewhere", "2026-10-01", "Reading of a list", "The list gives no reason.", "Reading of a list"],
    ["read elsewhere", "2026-10-01", null, "The list gives no reason.", "Reading of a public value list"],
    ["made here", "2026-11-10", "New update", "New update", "Our editors"],
    ["made here", "2026-11-10", null, "No reason was given.", "Our editors"],
  ])("%s on %s with the reason %s state reason and source", (_name, day, reason, why, source) => {
    const history = toValueSeries([reading("regular", "2026-09-01", 5), reading("regular", day, 6, reason)]);
    expect(historySteps(history, LISTED)[0]).toMatchObject({
      why,
      source,
      change: { trend: "Rising", text: "+20.00%" },
    });
  });
});

test("show a chosen reason before its note, with the second person and the evidence", () => {
  const told = { reason_label: "Trades were seen", is_seconded: true, evidence_url: "https://example.org/t" };
  const history = toValueSeries([
    reading("regular", "2026-09-01", 5),
    { ...reading("regular", "2026-11-10", 6, "Ten of them"), ...told },
  ]);
  expect(historySteps(history, LISTED)[0]).toMatchObject({
    why: "Trades were seen: Ten of them",
    source: "Our editors, seen by a second person",
    evidence: told.evidence_url,
  });
});

describe("the drawing of a history", () => {
  test("is null without a priced reading", () => {
    expect(drawn(flat([]))).toBeNull();
    expect(drawn(flat([{ time: 0, value: null }]))).toBeNull();
  });

  test("holds each value until the next, up to the last check, and is dashed from there to today", () => {
    const history = flat([
      { time: at("2026-11-02"), value: 10 },
      { time: at("2026-11-07"), value: 20 },
      { time: at("2026-11-12"), value: 20 },
    ]);
    const series = drawn(history, null, at("2026-11-22"))?.series[0];
    expect(series?.known).toMatch(/^M0 \d+H250V\d+H500$/);
    expect(series?.unchecked).toMatch(/^M500 (\d+)H1000$/);
    expect(series?.end).toMatchObject({ x: 100, text: "20" });
    expect(drawn(history, null, at("2026-11-12T08:00:00Z"))?.series[0]?.unchecked).toBe("");
  });

  test("does not continue after the item became unpriced", () => {
    const history = flat([
      { time: at("2026-11-02"), value: 10 },
      { time: at("2026-11-07"), value: null },
    ]);
    expect(drawn(history)?.series[0]?.unchecked).toBe("");
  });

  test("leaves gaps, and shows single points as dots", () => {
    const [regular, permanent] = drawn(kitsune)?.series ?? [];
    expect([regular?.known.split("M").length, regular?.dots.length]).toEqual([2, 1]);
    expect([permanent?.known.split("M").length, permanent?.dots.length]).toEqual([2, 0]);
  });

  test("of a time span begins with the value in force", () => {
    const series = drawn({ ...kitsune, permanent: [] }, "2026-08-07")?.series[0];
    expect(series?.known).toMatch(/^M0 \d+H\d+V\d+H\d+$/);
    expect(series?.dots).toEqual([]);
  });

  test("has a mark per change, and one for changes too close to press separately", () => {
    const steps = historySteps(kitsune, LISTED);
    const ids = (days: string[]) =>
      days.map((day) => steps.find(({ time, mode }) => mode === "regular" && time === at(day))?.id);
    const marks = (from: string | null, to: string) =>
      drawHistory(kitsune, ["regular"], { from: from === null ? null : at(from), to: at(to) }, steps)?.marks;
    expect(marks(null, "2026-11-22")?.map((mark) => mark.steps)).toEqual([
      ids(["2026-01-16"]),
      ids(["2026-08-11", "2026-08-03"]),
    ]);
    expect(marks("2026-08-01", "2026-08-20")?.map((mark) => mark.steps)).toEqual([
      ids(["2026-08-03"]),
      ids(["2026-08-11"]),
    ]);
  });

  test("labels the higher last value above and the lower below", () => {
    expect(drawn(kitsune)?.series.map(({ end }) => [end.text, end.side])).toEqual([
      ["640M", "below"],
      ["6.98B", "above"],
    ]);
  });

  test.each<[string, number[], string, string[]]>([
    ["near each other", [410e6, 660e6], "", ["400M", "500M", "600M", "700M"]],
    [
      "a few doublings apart",
      [410e6, 6.98e9],
      "Each line up is twice as much.",
      ["400M", "800M", "1.6B", "3.2B", "6.4B", "12.8B"],
    ],
    ["far apart", [1e6, 1e10], "Each line up is 10 times as much.", ["1M", "10M", "100M", "1B", "10B"]],
    ["one of them zero", [0, 1e9], "", ["0", "500M", "1B"]],
    ["that tenths do not tell apart", [1.01e9, 1.06e9], "", ["1B", "1.02B", "1.04B", "1.06B"]],
  ])("of values %s has grid lines that a child can read", (_name, values, words, lines) => {
    const points = values.map((value, index) => ({ time: NOW - (9 - index) * 864e5, value }));
    const drawing = drawn(flat(points));
    expect(drawing?.words ?? "").toContain(words);
    expect(drawing?.values.map(({ text }) => text)).toEqual(lines);
  });

  test.each<[string, ValueSeries, string, string]>([
    [
      "one mode",
      { ...kitsune, permanent: [] },
      "2026-11-22",
      "Dashed: nobody has checked since Aug 14, 2026. Gaps: nobody knows the value there.",
    ],
    [
      "two modes that were checked on other days",
      kitsune,
      "2026-11-22",
      "Each line up is twice as much. Dashed: nobody has checked since. Gaps: nobody knows the value there.",
    ],
    [
      "what was checked today",
      { ...kitsune, permanent: [] },
      "2026-08-14",
      "Gaps: nobody knows the value there.",
    ],
    [
      "nothing out of the ordinary",
      flat([
        { time: at("2026-08-01"), value: 5 },
        { time: at("2026-08-14"), value: 6 },
      ]),
      "2026-08-14",
      "",
    ],
  ])("of %s explains its symbols, and none that do not occur", (_name, history, day, words) => {
    expect(drawn(history, null, at(day))?.words).toBe(words);
  });

  test("names each mark by what it opens", () => {
    const labels = drawn({ ...kitsune, permanent: [] })?.marks.map(({ label }) => label);
    expect(labels).toEqual([
      "Jan 16, 2026: first known value 410M",
      "2 changes, Aug 3, 2026 to Aug 11, 2026",
    ]);
    expect(drawn({ ...kitsune, permanent: [] }, "2026-08-05")?.marks[0]?.label).toBe(
      "Aug 11, 2026: 660M to 640M",
    );
  });

  test("keeps every line inside its field, higher values higher, and few times on its axis", () => {
    const point = fc.record({
      time: fc.oneof(fc.integer({ min: 0, max: NOW }), fc.integer({ min: NOW - 2 * DAY, max: NOW })),
      value: fc.integer({ min: 0, max: 1e13 }),
    });
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (points) => {
        const drawing = drawn(flat(points.sort((a, b) => a.time - b.time)));
        const [series] = drawing?.series ?? [];
        const heights = [...(series?.known ?? "").matchAll(/(?:V|M\d+ )(-?\d+)/g)].map(([, y]) => Number(y));
        for (const y of [...heights, ...(series?.dots ?? []).map((dot) => dot.y)]) {
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(FIELD.height);
        }
        const lastDay = { text: formatMonthDay(NOW) };
        for (const axis of [drawing?.values ?? [], [...(drawing?.times ?? []), lastDay]]) {
          expect(new Set(axis.map(({ text }) => text)).size).toBe(axis.length);
        }
        expect(drawing?.values.length).toBeGreaterThan(0);
        expect(drawing?.times.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe("the choices of a history", () => {
  const shown = (history: ValueSeries) =>
    toShownHistory("Kitsune", history, { listed: LISTED, range: {}, updates: [], now: NOW });

  test.each([
    ["long ago", ["2024-01-01", "2025-01-01"], ["All"]],
    ["this year", ["2024-01-01", "2026-03-01"], ["1 year", "All"]],
    ["these weeks", ["2024-01-01", "2026-11-20"], ["30 days", "90 days", "1 year", "All"]],
    ["for some weeks", ["2026-10-01", "2026-11-20"], ["30 days", "All"]],
  ])("%s read: only the time ranges that show something different", (_name, days, ranges) => {
    expect(shown(toValueSeries(days.map((day) => reading("regular", day, 5)))).ranges).toEqual(ranges);
  });

  test("both modes together only if both have values", () => {
    expect(Object.keys(shown(kitsune).charts)).toEqual(["regular", "permanent", "both"]);
    expect(Object.keys(shown({ ...kitsune, permanent: [] }).charts)).toEqual(["regular"]);
    expect(shown(flat([])).charts).toEqual({});
  });
});

test("today's range is shaded since the value last moved, and fits the drawing", () => {
  const series = toValueSeries([
    reading("regular", "2026-08-01", 600e6),
    reading("regular", "2026-08-11", 640e6),
    reading("regular", "2026-08-14", 640e6),
  ]);
  const range = {
    low: 500e6,
    high: 800e6,
    confidence: "low",
    game_update: null,
    volatile_until: null,
  } as const;
  const to = at("2026-08-21");
  const drawing = drawHistory(series, ["regular"], { from: null, to }, [], { range: { regular: range } });
  const [since, top, end, bottom] = (drawing?.series[0]?.band.match(/\d+/g) ?? []).map(Number);
  expect([since, end]).toEqual([500, 1000]);
  expect(top).toBeGreaterThanOrEqual(30);
  expect(bottom).toBeGreaterThan(top ?? 0);
  expect(bottom).toBeLessThan(240);
  expect(drawing?.words).toContain("Shaded: what the value may be off by.");
});
