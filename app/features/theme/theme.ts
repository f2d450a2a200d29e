import { writeKept } from "#app/features/browser-storage/kept.ts";
import { KEPT } from "#app/features/browser-storage/kept-keys.ts";

/** `system` follows the device (P22). */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The reader's choice in the browser's storage; absent means `system`. */
const THEME_KEY = KEPT.theme.key;

/**
 * Runs in the head before anything is painted, so that a chosen theme never flashes the other one. Storage may be
 * forbidden; then the device decides.
 */
export const THEME_SCRIPT = `try{var t=localStorage.getItem("${THEME_KEY}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch(e){}`;

const listeners = new Set<() => void>();

/** The theme in force in this tab. */
export function currentTheme(): Theme {
  return (document.documentElement.dataset.theme as Theme | undefined) ?? "system";
}

/** Shows a theme and keeps it for the next visit; where storage is forbidden, for this visit. */
export function chooseTheme(theme: Theme): void {
  writeKept("theme", theme === "system" ? null : theme);
  show(theme);
}

/** For `useSyncExternalStore`; also follows a choice made in another tab. */
export function subscribeToTheme(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", followOtherTab);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", followOtherTab);
  };
}

function followOtherTab(event: StorageEvent) {
  if (event.key === THEME_KEY) show(THEMES.find((theme) => theme === event.newValue) ?? "system");
}

function show(theme: Theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}
