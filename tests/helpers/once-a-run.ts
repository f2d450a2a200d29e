const kept = globalThis as unknown as Record<symbol, unknown>;

/** What several projects of a run stand on is made once, though each of them loads the files that make it anew. */
export function onceARun<T>(name: string, make: () => T): T {
  const key = Symbol.for(`fruit-values ${name}`);
  kept[key] ??= make();
  return kept[key] as T;
}
