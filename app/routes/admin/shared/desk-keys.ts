import type { KeyboardEvent } from "react";

const TYPING = "input, textarea, select, dialog, [role=radiogroup]";

/**
 * A desk's keys, which count while the focus is in it: j and k walk the cases, 1 to 9 press a button of the case that
 * has the focus, u takes the last act back.
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
  } else if (key === "u" || /^[1-9]$/.test(key)) {
    const within = key === "u" ? desk : cases[at];
    const button = within?.querySelector<HTMLButtonElement>(`[data-key="${key}"]`);
    if (button) event.preventDefault();
    button?.click();
  }
}
