import { showError } from "#app/ui/toast/toast-store.ts";

/** A part of the calculator whose code comes when it is asked for; null, with a notice, when it does not arrive. */
export function loadOrTell<T>(load: () => Promise<T>): Promise<T | null> {
  return load().catch(() => {
    showError("A part of the calculator couldn’t be loaded. Check your connection and try again.");
    return null;
  });
}
