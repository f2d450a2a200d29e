/** A user's one or two initials: `SwiftOtter100` is `SO`, `ana` is `AN`. */
export function initialsOf(username: string): string {
  const [first = "", second = ""] = username
    .split(/_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])/)
    .filter(Boolean);
  const letters = /^[A-Za-z]/.test(second) ? `${first[0]}${second[0]}` : first.slice(0, 2);
  return letters.toUpperCase();
}
