/** How many colours there are for people without a picture; the stylesheet has as many. */
const TINTS = 6;

/** One or two letters that stand for a person: `SwiftOtter100` is `SO`, `ana` is `AN`. */
export function initialsOf(username: string): string {
  const [first = "", second = ""] = username
    .split(/_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])/)
    .filter(Boolean);
  const letters = /^[A-Za-z]/.test(second) ? `${first[0]}${second[0]}` : first.slice(0, 2);
  return letters.toUpperCase();
}

/** The same colour for the same person, everywhere: from 0 on. */
export function tintOf(userId: string): number {
  return Number.parseInt(userId.slice(0, 8), 16) % TINTS || 0;
}
