import { useSyncExternalStore } from "react";

/** Whether this page's scripts run: false on the server and in the first render that takes over its HTML. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}
