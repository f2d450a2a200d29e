/** A user's one or two initials: `SwiftOtter100` is `SO`, `ana` is `AN`. */
export function initialsOf(username: string): string {
  const [first = "", second = ""] = username
    .split(/_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])/)
    .filter(Boolean);
  const letters = /^[A-Za-z]/.test(second) ? `${first[0]}${second[0]}` : first.slice(0, 2);
  return letters.toUpperCase();
}

const HULLS = [
  "[--hull:#0b5563]",
  "[--hull:#855000]",
  "[--hull:#5a3ba6]",
  "[--hull:#a8144f]",
  "[--hull:#2a6234]",
];

/** The class of the color behind a user's initials: the same for a name everywhere. */
export function hullOf(username: string): string | undefined {
  const sum = [...username].reduce((all, letter) => all + letter.charCodeAt(0), 0);
  return HULLS[sum % HULLS.length];
}
