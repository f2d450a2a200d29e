/** How many colours there are for people without a picture; the stylesheet has as many. */
const TINTS = 6;

/** The same colour for the same person, everywhere: from 0 on. */
export function tintOf(userId: string): number {
  return Number.parseInt(userId.slice(0, 8), 16) % TINTS || 0;
}
