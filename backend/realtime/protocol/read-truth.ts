import { RefusedError } from "../refused-error.ts";

const TRUE: unknown[] = [true, "true", "True", "1"];
const FALSE: unknown[] = [undefined, null, false, "false", "False", "0"];

/** A truth, which some clients send as text; null if it is neither. */
export function readTruth(value: unknown): boolean | null {
  return TRUE.includes(value) || (FALSE.includes(value) ? false : null);
}

/**
 * Whether a channel is private. To take what is neither for false would open a private channel to everyone.
 * @throws RefusedError for what is neither
 */
export function readPrivate(value: unknown): boolean {
  const truth = readTruth(value);
  if (truth !== null) return truth;
  throw new RefusedError("private must be true or false", 422, {}, { private: ["is invalid"] });
}
