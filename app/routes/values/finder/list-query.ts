import { DEMANDS, type Demand } from "#domain/items/demand.ts";
import { fold, modeAskedFor, takeMode } from "#domain/items/item-search.ts";
import { ITEM_TYPES, type ItemType } from "#domain/items/item-type.ts";
import { RARITIES, type Rarity } from "#domain/items/rarity.ts";
import { VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";

/** The orders of the list; `value` is the default. */
export const SORTS = ["value", "rise", "fall", "demand", "name", "checked"] as const;
export type ListSort = (typeof SORTS)[number];

/** The multiple-choice filters; an empty one matches everything. */
export type Facets = { rarity: readonly Rarity[]; demand: readonly Demand[]; kind: readonly ItemType[] };

/** A visitor's choices for the list, kept in the address, so that Back and shared links restore them. */
export type ListChoice = Facets & {
  search: string;
  category: string | null;
  mode: ViewMode;
  sort: ListSort;
};

export const NO_FACETS: Facets = { rarity: [], demand: [], kind: [] };

/**
 * Parses a query such as `?q=kits&category=limiteds&mode=permanent&sort=rise&rarity=rare&rarity=mythical`; invalid
 * values become the default.
 */
export function parseListQuery(query: string): ListChoice {
  const params = new URLSearchParams(query);
  const some = <T extends string>(name: string, known: readonly T[]) => {
    const chosen = params.getAll(name);
    return known.filter((each) => chosen.includes(each));
  };
  return {
    search: params.get("q") ?? "",
    category: params.get("category") || null,
    mode: some("mode", VIEW_MODES)[0] ?? "regular",
    sort: some("sort", SORTS)[0] ?? "value",
    rarity: some("rarity", RARITIES),
    demand: some("demand", DEMANDS),
    kind: some("kind", ITEM_TYPES),
  };
}

/** The query of a choice with its question mark, empty for the default. */
export function formatListQuery({ search, category, mode, sort, ...facets }: ListChoice): string {
  const params = new URLSearchParams();
  if (search.trim()) params.set("q", search.trim());
  if (category) params.set("category", category);
  if (mode !== "regular") params.set("mode", mode);
  if (sort !== "value") params.set("sort", sort);
  for (const [name, chosen] of Object.entries(facets)) {
    for (const each of chosen) params.append(name, each);
  }
  return params.size > 0 ? `?${params}` : "";
}

/** The mode to show the items in: the one that the search asks for, as "perm dough" does, or the default. */
export function modeOfChoice({ search, mode }: ListChoice): ViewMode {
  return modeAskedFor(search) ?? mode;
}

/** Chooses the default mode; a search that asks for a mode no longer does. */
export function chooseMode({ search }: ListChoice, mode: ViewMode): Partial<ListChoice> {
  return modeAskedFor(search) ? { mode, search: takeMode(fold(search)).words } : { mode };
}

/** The choice without its category if the categories could not be read, since no item has one then. */
export function applicable(choice: ListChoice, categories: readonly unknown[]): ListChoice {
  return categories.length > 0 ? choice : { ...choice, category: null };
}

/** The number of active facet choices. */
export function countFacets({ rarity, demand, kind }: Facets): number {
  return rarity.length + demand.length + kind.length;
}
