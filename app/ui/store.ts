import { useSyncExternalStore } from "react";

/** A value outside React: it survives navigations, and can be changed from anywhere in the browser. */
export function createStore<T>(initial: T) {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    initial,
    current: () => value,
    set(next: T): void {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value in a component, which re-renders when it changes; on the server the initial one. */
export function useStore<T>({ subscribe, current, initial }: ReturnType<typeof createStore<T>>): T {
  return useSyncExternalStore(subscribe, current, () => initial);
}
