/** A name that occurs more than once. Anyone may send a hundred thousand: each is looked at once. */
export function findRepeated(pairs: URLSearchParams): string | undefined {
  const seen = new Set<string>();
  for (const name of pairs.keys()) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
