import type { FocusEvent, KeyboardEvent } from "react";

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowUp: (index, count) => (index < 0 ? count - 1 : Math.max(0, index - 1)),
  ArrowDown: (index, count) => (index < 0 ? count - 1 : Math.min(count - 1, index + 1)),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * A hundred messages would be three hundred Tab stops. So the log is one stop (roving tabindex): arrows move between
 * rows, and Tab reaches only the controls of the focused row.
 */
export function walkRows(event: KeyboardEvent<HTMLElement>): void {
  const rows = rowsOf(event.currentTarget);
  const index = rows.findIndex((row) => row.contains(document.activeElement));
  const next = STEPS[event.key]?.(index, rows.length);
  if (next === undefined || rows.length === 0) return;
  event.preventDefault();
  rows[next]?.focus();
}

/** Makes the controls of the focused row tabbable, and those of all other rows not. */
export function followFocus(event: FocusEvent<HTMLElement>): void {
  const row = event.target.closest<HTMLElement>("[data-row]");
  for (const open of event.currentTarget.querySelectorAll<HTMLElement>("[data-row] [tabindex='0']")) {
    if (!row?.contains(open)) open.tabIndex = -1;
  }
  for (const control of row?.querySelectorAll<HTMLElement>("a, button") ?? []) control.tabIndex = 0;
}

function rowsOf(log: HTMLElement): HTMLElement[] {
  return [...log.querySelectorAll<HTMLElement>("[data-row]")];
}
