import { expect, test } from "vitest";
import { formatBytes, formatSpan } from "./format-figure.ts";

test("bytes are shown in the fitting unit, with a decimal where it matters", () => {
  expect([0, 512, 1024, 1_500_000, 123_456_789, 5e12].map(formatBytes)).toEqual([
    "0 bytes",
    "512 bytes",
    "1.0 KB",
    "1.4 MB",
    "118 MB",
    "4.5 TB",
  ]);
});

test("durations are shown in their largest whole unit, and counts with their noun", () => {
  expect([0.4, 1, 59, 60, 7_300, 86_400, 900_000].map(formatSpan)).toEqual([
    "0 seconds",
    "1 second",
    "59 seconds",
    "1 minute",
    "2 hours",
    "1 day",
    "10 days",
  ]);
});
