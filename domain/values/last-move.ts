/** A reading of a value: a number, or null if unpriced, and when. */
export type ValueReading = { old_number: number | null; new_number: number | null; changed_at: string };

/**
 * When a value last changed: neither the first reading nor one that only confirmed it counts. Null if unknown.
 * `readings` are sorted newest first.
 */
export function lastMove(readings: readonly ValueReading[]): string | null {
  const move = readings.find(
    ({ old_number, new_number }) => old_number !== null && old_number !== new_number,
  );
  return move?.changed_at ?? null;
}
