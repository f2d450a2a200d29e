import type { FocusEvent, KeyboardEvent } from "react";

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowUp: (index, count) => (index < 0 ? count - 1 : Math.max(0, index - 1)),
  ArrowDown: (index, count) => (index < 0 ? count - 1 : Math.min(count - 1, index + 1)),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * A hundred messages would be three hundred stops of the Tab key. So the log is one stop, arrows walk its rows, and only
 * the controls of the row that has the focus can be reached by Tab.
 */
export function walkRows(event: KeyboardEvent<HTMLElement>): void {
  const rows = rowsOf(event.currentTarget);
  const index = rows.findIndex((row) => row.contains(document.activeElement));
  const next = STEPS[event.key]?.(index, rows.length);
  if (next === undefined || rows.length === 0) return;
  event.preventDefault();
  rows[next]?.focus();
}

/** Opens the controls of the row that gets the focus to the Tab key, and closes the others'. */
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
