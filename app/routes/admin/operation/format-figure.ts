import { formatCount } from "#domain/text/counts.ts";

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** `512 bytes`, `1.4 GB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

const SPANS: readonly [seconds: number, one: string][] = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
];

/** In its largest whole unit: `3 hours`, `1 day`. */
export function formatSpan(seconds: number): string {
  const [length, one] = SPANS.find(([of]) => seconds >= of) ?? [1, "second"];
  return formatCount(Math.floor(seconds / length), one);
}
