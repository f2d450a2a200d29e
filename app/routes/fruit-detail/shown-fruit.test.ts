import { expect, test } from "vitest";
import type { Item } from "#app/features/items/item-queries.ts";
import type { ValueReading } from "#app/features/items/value-history-queries.ts";
import { toValueSeries } from "./history/value-series.ts";
import { toShownFruit } from "./shown-fruit.ts";

const CHECKED = "2026-11-01T10:00:00+00:00";
const readings = (
  [
    ["2026-08-01T00:00:00+00:00", 600e6, null],
    [CHECKED, 640e6, "trades"],
    ["2026-11-27T10:00:00+00:00", 6.4e9, "trades"],
    ["2026-11-27T10:05:00+00:00", 640e6, "undo"],
  ] as const
).map(
  ([changed_at, new_number, reason_code], id) =>
    ({ id, mode: "regular", changed_at, new_number, reason_code }) as ValueReading,
);

test("an undone slip is neither the last move of a value nor its last check", () => {
  const item = {
    current_value: "640M",
    previous_value: "600M",
    demand: "high",
    values_checked_at: CHECKED,
    custom_fields: {},
  } as Item;
  const shown = (changes: ValueReading[]) =>
    toShownFruit(item, null, null, null, {
      history: toValueSeries(changes, [CHECKED]),
      range: {},
      now: Date.parse("2026-11-28"),
    }).modes.regular;
  expect(shown(readings)).toMatchObject({ moved: "2026-11-01T10:00:00.000Z", checked: CHECKED });
  expect(shown(readings.slice(0, 2)).checked).toBe("2026-11-01T10:00:00.000Z");
});
