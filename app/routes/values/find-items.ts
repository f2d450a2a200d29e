import { demandScore } from "#domain/items/demand.ts";
import { type Searchable, searchItems } from "#domain/items/item-search.ts";
import { valueChange } from "#domain/values/value-change.ts";
import { figuresOf, type ItemValues, orderByValue, type ViewMode } from "#domain/values/view-mode.ts";
import { type ListChoice, type ListSort, modeOfChoice } from "./finder/list-query.ts";

/** What filtering and sorting use. */
export type FindableItem = ItemValues &
  Searchable & { category: string | null; rarity: string; demand: string; type: string; checked: string };

/**
 * The items that match a choice, in order, and the mode to show them in, which "perm dough" asks for. A search puts the
 * exact name first, unless another order than by value was chosen.
 */
export function findItems<T extends FindableItem>(
  items: readonly T[],
  choice: ListChoice,
): { found: T[]; mode: ViewMode } {
  const left = items.filter((item) => isChosen(item, choice));
  const mode = modeOfChoice(choice);
  const { found } = searchItems(orderByValue(left, mode), choice.search);
  return { found: order(found, choice.sort, mode), mode };
}

function isChosen(item: FindableItem, { category, rarity, demand, kind }: ListChoice): boolean {
  return (
    (category === null || item.category === category) &&
    holds(rarity, item.rarity) &&
    holds(demand, item.demand) &&
    holds(kind, item.type)
  );
}

/** No choice matches everything. */
function holds(chosen: readonly string[], word: string): boolean {
  return chosen.length === 0 || chosen.includes(word);
}

type Rank = (item: FindableItem, mode: ViewMode) => number | string | null;

/** What each order compares, ascending; items without it come last. */
const RANKS: Record<Exclude<ListSort, "value">, Rank> = {
  rise: (item, mode) => negative(shareOf(item, mode)),
  fall: shareOf,
  demand: (item) => negative(demandScore(item.demand)),
  name: (item) => item.name,
  checked: (item) => negative(Date.parse(item.checked)),
};

/** The items come sorted by value; ties keep that order. */
function order<T extends FindableItem>(items: T[], sort: ListSort, mode: ViewMode): T[] {
  if (sort === "value") return items;
  const ranked = items.map((item) => ({ item, rank: RANKS[sort](item, mode) }));
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ item }) => item);
}

function compare(a: number | string | null, b: number | string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null || a < b ? -1 : 1;
}

function shareOf(item: FindableItem, mode: ViewMode): number | null {
  const { value, previous } = figuresOf(item, mode);
  return valueChange(value.number, previous.number)?.percentage ?? null;
}

function negative(number: number | null): number | null {
  return number === null ? null : -number;
}
