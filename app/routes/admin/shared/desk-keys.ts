import type { KeyboardEvent } from "react";

const TYPING = "input:not([type=checkbox]), textarea, select, dialog, [role=radiogroup]";

/** Where each desk's keys were last used: the cases before the focused one, and those from it on. */
const lastPlaces = new WeakMap<HTMLElement, Record<"before" | "from", (string | undefined)[]>>();

/**
 * A desk's shortcuts while focus is within it: j and k move between cases, 1 to 9 press a button of the focused case, x
 * selects it, a and r act on all selected ones, u undoes the last action. After an action that removed a case, j goes on
 * with the one in its place; no key acts on that before. A key that is held acts once: focus may be on another case by
 * then, which nobody has read.
 */
export function pressDeskKey(event: KeyboardEvent<HTMLElement>): void {
  const { key, altKey, ctrlKey, metaKey, repeat, target, currentTarget: desk } = event;
  if (altKey || ctrlKey || metaKey || (target as HTMLElement).closest(TYPING)) return;
  const cases = [...desk.querySelectorAll<HTMLElement>("[data-case]")];
  const at = cases.findIndex((each) => each.contains(target as Node));
  const ids = cases.map(({ dataset }) => dataset.case);
  if (at !== -1) lastPlaces.set(desk, { before: ids.slice(0, at), from: ids.slice(at) });
  if (key === "j" || key === "k") {
    event.preventDefault();
    const next = at === -1 ? ids.indexOf(findNear(desk, ids, key)) : key === "j" ? at + 1 : at - 1;
    const wanted = cases[next] ?? cases[Math.max(at, 0)];
    wanted?.focus();
    wanted?.scrollIntoView({ block: "nearest" });
  } else if (!repeat && /^[1-9xaru]$/.test(key)) {
    const within = /[aru]/.test(key) ? desk : cases[at];
    const button = within?.querySelector<HTMLElement>(`[data-key="${key}"]`);
    if (button) event.preventDefault();
    button?.click();
  }
}

/** The next case from where the keys were last used, of those that are still there: actions may have removed several. */
function findNear(desk: HTMLElement, ids: readonly (string | undefined)[], key: "j" | "k") {
  const { before = [], from = [] } = lastPlaces.get(desk) ?? {};
  const isThere = (id: string | undefined) => ids.includes(id);
  const [down, up] = [from.find(isThere), before.findLast(isThere)];
  return key === "j" ? (down ?? up) : (up ?? down);
}
