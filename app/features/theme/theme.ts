import { writeKept } from "#app/features/browser-storage/kept.ts";
import { KEPT } from "#app/features/browser-storage/kept-keys.ts";

/** `system` follows the device (P22). */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The reader's choice in browser storage; absent means `system`. */
const THEME_KEY = KEPT.theme.key;

/** Runs in the head before the first paint, so that the other theme never flashes. */
export const THEME_SCRIPT = `try{var t=localStorage.getItem("${THEME_KEY}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch(e){}`;

const listeners = new Set<() => void>();

export function currentTheme(): Theme {
  return (document.documentElement.dataset.theme as Theme | undefined) ?? "system";
}

/** Applies a theme and stores it for the next visit; if storage is blocked, for this page only. */
export function chooseTheme(theme: Theme): void {
  writeKept("theme", theme === "system" ? null : theme);
  show(theme);
}

/** For `useSyncExternalStore`; also follows choices made in other tabs. */
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
