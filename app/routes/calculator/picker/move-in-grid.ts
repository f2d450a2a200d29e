import type { KeyboardEvent } from "react";

/** Moves focus by arrow keys from the search into the picker's grids, within them, and from the first row back. */
export function moveInGrid(event: KeyboardEvent<HTMLElement>): void {
  if (!event.key.startsWith("Arrow")) return;
  const search = event.currentTarget.querySelector("input");
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("li button")];
  const place = items.indexOf(document.activeElement as HTMLElement);
  const target = place < 0 ? enter(event, items, search) : step(event.key, items, place, search);
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** Left and right move the caret in the search. */
function enter({ key }: KeyboardEvent, items: readonly HTMLElement[], search: HTMLElement | null) {
  return key === "ArrowDown" && document.activeElement === search ? items[0] : undefined;
}

function step(key: string, items: readonly HTMLElement[], place: number, search: HTMLElement | null) {
  if (key === "ArrowRight") return items[place + 1];
  if (key === "ArrowLeft") return items[place - 1];
  return key === "ArrowDown"
    ? nearestIn(items.slice(place), 1)
    : (nearestIn(items.slice(0, place + 1), -1) ?? search);
}

/** The nearest item in the row below or above, since a section's last row may be short. */
function nearestIn(items: readonly HTMLElement[], direction: 1 | -1): HTMLElement | undefined {
  const way = direction === 1 ? items : items.toReversed();
  const places = way.map((item) => ({ item, box: item.getBoundingClientRect() }));
  const [from] = places;
  const row = places.find(({ box }) => from && Math.abs(box.top - from.box.top) > 2)?.box.top;
  if (!from || row === undefined) return undefined;
  const far = (box: DOMRect) => Math.abs(box.left - from.box.left);
  return places.filter(({ box }) => Math.abs(box.top - row) <= 2).sort((a, b) => far(a.box) - far(b.box))[0]
    ?.item;
}
