type Put = [target: object, name: string, value: unknown];

/** What every tab has and Node has not, or not so; each person keeps things under names of their own. */
export function browserThings(): Put[] {
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
