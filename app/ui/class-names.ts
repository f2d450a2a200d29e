/** Joins class names, skipping falsy ones: `classNames("card", active && "card-lift", className)`. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
