export type Put = [target: object, name: string, value: unknown];

/** Replaces properties until the returned function is called. */
export function replaceProperties(puts: readonly Put[]): () => void {
  const before = puts.map(([target, name]) => Object.getOwnPropertyDescriptor(target, name));
  for (const [target, name, value] of puts)
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    for (const [index, [target, name]] of puts.entries()) {
      const descriptor = before[index];
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
    }
  };
}

/** Browser globals that Node lacks or implements differently; storage keys are separate for each user. */
export function browserGlobals(): Put[] {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
  const ears = { addEventListener() {}, removeEventListener() {} };
  return [
    [globalThis, "window", ears],
    [globalThis, "document", { ...ears, visibilityState: "visible" }],
    [globalThis, "addEventListener", ears.addEventListener],
    [globalThis, "removeEventListener", ears.removeEventListener],
    [globalThis, "sessionStorage", storage],
    [globalThis, "localStorage", storage],
    [
      globalThis,
      "BroadcastChannel",
      class {
        postMessage() {}
        close() {}
      },
    ],
  ];
}
