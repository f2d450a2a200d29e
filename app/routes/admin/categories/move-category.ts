import type { Category } from "./category-writes.ts";

/** A category and the display order that it gets. */
export type Renumbering = { category: Category; display_order: number };

/**
 * What has to be written so that one category goes to a place of the list, counted from 0: those between change numbers.
 * Equal numbers are parted, since two of them would have no order. Empty for a place that is none.
 */
export function moveCategory(categories: readonly Category[], id: string, to: number): Renumbering[] {
  const from = categories.findIndex((category) => category.id === id);
  const moved = categories[from];
  if (!moved || !categories[to]) return [];
  const order = categories.toSpliced(from, 1).toSpliced(to, 0, moved);
  const numbers = partEqual(categories.map(({ display_order }) => display_order));
  return order
    .map((category, place) => ({ category, display_order: numbers[place] ?? 0 }))
    .filter(({ category, display_order }) => category.display_order !== display_order);
}

/** Rising numbers, each at least as large as it was. */
function partEqual(numbers: readonly number[]): number[] {
  let last = -1;
  return numbers.map((number) => {
    last = Math.max(number, last + 1);
    return last;
  });
}
