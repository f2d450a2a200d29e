import type { ViewMode } from "#domain/values/view-mode.ts";

/** The view modes of a list: the default, and the cards that were toggled away from it. */
export type ListModes = { readonly standard: ViewMode; readonly exceptions: ReadonlySet<string> };

/** Every card in one mode, whatever it was in before (2.values.10). */
export function allInMode(standard: ViewMode): ListModes {
  return { standard, exceptions: new Set() };
}

export function modeOf(modes: ListModes, slug: string): ViewMode {
  if (!modes.exceptions.has(slug)) return modes.standard;
  return modes.standard === "regular" ? "permanent" : "regular";
}

/** One card in a mode, the others unchanged. */
export function withMode(modes: ListModes, slug: string, mode: ViewMode): ListModes {
  const exceptions = new Set(modes.exceptions);
  if (mode === modes.standard) exceptions.delete(slug);
  else exceptions.add(slug);
  return { ...modes, exceptions };
}
