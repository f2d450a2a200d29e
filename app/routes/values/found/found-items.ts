/** As many items as stand on a page of the list. A catalogue of no more is there as a whole, and the browser finds in it. */
export const ITEMS_A_PAGE = 120;

/** What a choice leaves of the catalogue: a page of it, or all items where they are few, whatever was chosen. */
export type FoundItems = {
  isWhole: boolean;
  /** As `packItems` packed them. */
  items: string;
  /** The query of the choice, as `formatListQuery` writes it. */
  query: string;
  page: number;
  /** How many items there are on all pages. */
  count: number;
  /** The median day of their last checks. */
  median: string | null;
  /** Names that may have been meant where nothing is found. */
  near: string[];
};

/** The address of a page of what a choice leaves, for people or, as data, for the browser's further questions. */
export function pageAddress(path: string, query: string, page: number): string {
  const params = new URLSearchParams(query);
  if (page > 1) params.set("page", String(page));
  return params.size > 0 ? `${path}?${params}` : path;
}

/** The page that an address asks for; the first for anything odd. */
export function pageOf(query: string): number {
  const asked = Number(new URLSearchParams(query).get("page"));
  return Number.isSafeInteger(asked) && asked > 0 ? asked : 1;
}
