const TRUE: unknown[] = [true, "true", "True", "1"];
const FALSE: unknown[] = [undefined, null, false, "false", "False", "0"];

/**
 * A truth, which some clients send as text; null if it is neither. To take `"true"` for false would open a private
 * channel to everyone.
 */
export function readTruth(value: unknown): boolean | null {
  return TRUE.includes(value) || (FALSE.includes(value) ? false : null);
}
