import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { searchItems } from "#domain/items/item-search.ts";
import { byWantedness } from "#domain/items/wantedness.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";

/** What the picker lists under one heading; null if there is a single list. */
export type PickerSection = { title: string | null; items: readonly CalculatorItem[] };

export type PickerList = {
  sections: PickerSection[];
  /** The mode asked for in the search: "perm dough". */
  mode: ViewMode;
  /** What Enter picks: the first search result. */
  first: CalculatorItem | null;
  count: number;
};

type Choice = {
  search: string;
  /** The category's id; null for all. */
  category: string | null;
  /** Slugs, most recently picked first. */
  recent: readonly string[];
};

/** Two rows of four. */
const MOST_WANTED = 8;

/** Search results of all categories; else a category; else every item once: recent ones, most wanted, the rest. */
export function listPicker(
  items: readonly CalculatorItem[],
  { search, category, recent }: Choice,
): PickerList {
  if (search.trim() !== "") {
    const { found, mode } = searchItems(items, search);
    const sections = [{ title: null, items: found }];
    return { sections, mode: mode ?? "regular", first: found[0] ?? null, count: found.length };
  }
  const sections = category
    ? [{ title: null, items: items.filter(({ category_id }) => category_id === category) }]
    : listAll(items, recent);
  const count = sections.reduce((sum, section) => sum + section.items.length, 0);
  return { sections, mode: "regular", first: null, count };
}

/** The first `room` items of all sections. */
export function takeFirst(sections: readonly PickerSection[], room: number): PickerSection[] {
  let left = room;
  return sections.flatMap(({ title, items }) => {
    const taken = items.slice(0, Math.max(0, left));
    left -= taken.length;
    return taken.length > 0 ? [{ title, items: taken }] : [];
  });
}

function listAll(items: readonly CalculatorItem[], recent: readonly string[]): PickerSection[] {
  const bySlug = new Map(items.map((item) => [item.slug, item]));
  const recents = recent.flatMap((slug) => bySlug.get(slug) ?? []);
  const others = items.filter((item) => !recents.includes(item));
  const wanted = others.toSorted(byWantedness).slice(0, MOST_WANTED);
  const rest = others.filter((item) => !wanted.includes(item));
  return [
    { title: "Recent", items: recents },
    { title: "Most wanted", items: wanted },
    { title: "All others", items: rest },
  ].filter((section) => section.items.length > 0);
}
