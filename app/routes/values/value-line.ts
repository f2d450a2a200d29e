import type { ValueReading } from "#domain/values/last-move.ts";

/** How far back the small chart of a value reaches at most, and its number of steps. */
const SPAN = 365 * 24 * 60 * 60 * 1000;
const STEPS = 24;
const HIGHEST = 9;

/**
 * The last year of a value as one digit per step, `5` if it never moved and `-` without a value, so that a whole
 * catalogue's charts are small. It ends with the last reading or check, since nothing is known after it. Empty if there
 * is nothing to draw. `readings` are newest first.
 */
export function packLine(readings: readonly ValueReading[], checked: string): string {
  const [newest, oldest] = [readings[0], readings.at(-1)];
  if (!newest || !oldest) return "";
  const end = Math.max(Date.parse(checked), Date.parse(newest.changed_at));
  const span = Math.min(SPAN, end - Date.parse(oldest.changed_at));
  const numbers = Array.from({ length: STEPS }, (_, step) =>
    numberAt(readings, end - span + (span * (step + 1)) / STEPS),
  );
  const priced = numbers.filter((number) => number !== null);
  if (priced.length < 2) return "";
  const [least, most] = [Math.min(...priced), Math.max(...priced)];
  const levelOf = (number: number) =>
    most === least ? 5 : Math.round(((number - least) / (most - least)) * HIGHEST);
  return numbers.map((number) => (number === null ? "-" : levelOf(number))).join("");
}

/** The path of a packed line in a box of 24 × 10: a step at each change, a gap without a value. */
export function linePath(line: string): string {
  let path = "";
  let before = "-";
  for (const [step, level] of [...line].entries()) {
    const height = HIGHEST - Number(level);
    if (level === "-" && before !== "-") path += `H${step}`;
    else if (level !== "-" && before === "-") path += `M${step} ${height}`;
    else if (level !== before) path += `H${step}V${height}`;
    before = level;
  }
  return before === "-" ? path : `${path}H${line.length}`;
}

function numberAt(readings: readonly ValueReading[], moment: number): number | null {
  const reading = readings.find(({ changed_at }) => Date.parse(changed_at) <= moment);
  return reading?.new_number ?? null;
}
