import { DEMANDS, type Demand } from "#domain/items/demand.ts";
import { ITEM_TYPES, type ItemType } from "#domain/items/item-type.ts";
import { RARITIES, type Rarity } from "#domain/items/rarity.ts";
import { VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";

/** The orders of the list; `value` is the one that stands unless another is chosen. */
export const SORTS = ["value", "rise", "fall", "demand", "name", "checked"] as const;
export type ListSort = (typeof SORTS)[number];

/** What may be chosen several of; none chosen leaves all. */
export type Facets = { rarity: readonly Rarity[]; demand: readonly Demand[]; kind: readonly ItemType[] };

/** What a visitor chose for the list. It stands in the address, so that Back and a shared link bring it again. */
export type ListChoice = Facets & {
  search: string;
  category: string | null;
  mode: ViewMode;
  sort: ListSort;
};

export const NO_FACETS: Facets = { rarity: [], demand: [], kind: [] };

/**
 * The choice in a query such as `?q=kits&category=limiteds&mode=permanent&sort=rise&rarity=rare&rarity=mythical`;
 * whatever is odd is the default.
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

/** The query of a choice with its question mark, empty for the default choice. */
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

/** How many of the facets' choices narrow the list. */
export function countFacets({ rarity, demand, kind }: Facets): number {
  return rarity.length + demand.length + kind.length;
}
