import type { KeyboardEvent } from "react";

const TYPING = "input:not([type=checkbox]), textarea, select, dialog, [role=radiogroup]";

/**
 * A desk's shortcuts while focus is within it: j and k move between cases, 1 to 9 press a button of the focused case, x
 * selects it, a and r act on all selected ones, u undoes the last action.
 */
export function pressDeskKey(event: KeyboardEvent<HTMLElement>): void {
  const { key, altKey, ctrlKey, metaKey, target, currentTarget: desk } = event;
  if (altKey || ctrlKey || metaKey || (target as HTMLElement).closest(TYPING)) return;
  const cases = [...desk.querySelectorAll<HTMLElement>("[data-case]")];
  const at = cases.findIndex((each) => each.contains(target as Node));
  if (key === "j" || key === "k") {
    event.preventDefault();
    const next = at === -1 ? 0 : at + (key === "j" ? 1 : -1);
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
