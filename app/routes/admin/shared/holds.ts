import { hashKey } from "@tanstack/react-query";

/** Whether a row has what was sent in each column that was sent, such as after a save whose answer was lost. */
export function holds(row: object, sent: object): boolean {
  const stored = row as Record<string, unknown>;
  // Objects come back with their keys in another order.
  return Object.entries(sent).every(([column, value]) => hashKey([stored[column]]) === hashKey([value]));
}
