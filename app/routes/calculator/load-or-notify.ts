import { showError } from "#app/ui/toast/toast-store.ts";

/** Loads a part of the calculator on demand; null, with a notice, if it fails. */
export function loadOrNotify<T>(load: () => Promise<T>): Promise<T | null> {
  return load().catch(() => {
    showError("A part of the calculator couldn’t be loaded. Check your connection and try again.");
    return null;
  });
}
