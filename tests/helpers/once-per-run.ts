const kept = globalThis as unknown as Record<symbol, unknown>;

/** Creates a value once per run although each project loads the module that creates it separately. */
export function oncePerRun<T>(name: string, make: () => T): T {
  const key = Symbol.for(`fruit-values ${name}`);
  kept[key] ??= make();
  return kept[key] as T;
}
