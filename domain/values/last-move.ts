/** A reading of a value: a number, or null where it was unpriced, and when. */
export type ValueReading = { old_number: number | null; new_number: number | null; changed_at: string };

/**
 * When a value last moved: neither its first reading nor one that only confirmed it is a move. Null where none is
 * known. `readings` are the newest first.
 */
export function lastMove(readings: readonly ValueReading[]): string | null {
  const move = readings.find(
    ({ old_number, new_number }) => old_number !== null && old_number !== new_number,
  );
  return move?.changed_at ?? null;
}
