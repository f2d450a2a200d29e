import type { KeyboardEvent } from "react";

const TYPING = "input:not([type=checkbox]), textarea, select, dialog, [role=radiogroup]";

/** Where each desk's keys were last used, as the place of the case in the list. */
const lastAt = new WeakMap<HTMLElement, number>();

/**
 * A desk's shortcuts while focus is within it: j and k move between cases, 1 to 9 press a button of the focused case, x
 * selects it, a and r act on all selected ones, u undoes the last action. After an action that removed a case, j goes on
 * with the one in its place; no key acts on that before.
 */
export function pressDeskKey(event: KeyboardEvent<HTMLElement>): void {
  const { key, altKey, ctrlKey, metaKey, target, currentTarget: desk } = event;
  if (altKey || ctrlKey || metaKey || (target as HTMLElement).closest(TYPING)) return;
  const cases = [...desk.querySelectorAll<HTMLElement>("[data-case]")];
  const at = cases.findIndex((each) => each.contains(target as Node));
  const last = lastAt.get(desk);
  if (at !== -1) lastAt.set(desk, at);
  if (key === "j" || key === "k") {
    event.preventDefault();
    const [down, up] = at === -1 ? [last ?? 0, (last ?? 0) - 1] : [at + 1, at - 1];
    const next = key === "j" ? down : up;
    const wanted = cases[Math.min(Math.max(next, 0), cases.length - 1)];
    wanted?.focus();
    wanted?.scrollIntoView({ block: "nearest" });
  } else if (/^[1-9xaru]$/.test(key)) {
    const within = /[aru]/.test(key) ? desk : cases[at];
    const button = within?.querySelector<HTMLElement>(`[data-key="${key}"]`);
    if (button) event.preventDefault();
    button?.click();
  }
}
