import type { Figures } from "./view-mode.ts";

/** A reading of a value: a number, or null if unpriced, and when. */
export type ValueReading = { old_number: number | null; new_number: number | null; changed_at: string };

/**
 * When a value last changed, from the previous one to the present one, so that an undone change does not count; for two
 * equal values, when it came to the present one. Null if unknown. `readings` are sorted newest first.
 */
export function lastMove(
  readings: readonly ValueReading[],
  { value, previous }: Pick<Figures, "value" | "previous">,
): string | null {
  const isStable = value.number === previous.number;
  const move = readings.find(
    ({ old_number, new_number }) =>
      new_number === value.number &&
      old_number !== null &&
      (isStable ? old_number !== new_number : old_number === previous.number),
  );
  return move?.changed_at ?? null;
}
