import type { KeyboardEvent } from "react";

const COLUMNS = 4;

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS };

/** Moves focus by arrow keys from the search into the picker's grid, within it, and over its first row back. */
export function moveInGrid(event: KeyboardEvent<HTMLElement>) {
  const step = STEPS[event.key];
  if (!step) return;
  const search = event.currentTarget.querySelector("input");
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("li button")];
  const place = items.indexOf(document.activeElement as HTMLElement);
  const target = place < 0 ? enter(event.key, items) : (items[place + step] ?? leave(event.key, search));
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** Left and right belong to the text in the search. */
function enter(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  return key === "ArrowDown" ? items[0] : undefined;
}

function leave(key: string, search: HTMLElement | null): HTMLElement | null {
  return key === "ArrowUp" ? search : null;
}
