/** Items per page of the list. A catalogue of no more is sent as a whole and searched in the browser. */
export const ITEMS_A_PAGE = 120;

/** The matching items of a choice: one page of them, or all items of a short catalogue, whatever was chosen. */
export type FoundItems = {
  isWhole: boolean;
  /** Packed by `packItems`. */
  items: string;
  /** The choice's query, as `formatListQuery` writes it. */
  query: string;
  page: number;
  /** The number of items on all pages. */
  count: number;
  /** The median day of their last checks. */
  median: string | null;
  /** Similar names, if nothing was found. */
  near: string[];
};

/** The address of a page of results, for people, or as data for further requests. */
export function pageAddress(path: string, query: string, page: number): string {
  const params = new URLSearchParams(query);
  if (page > 1) params.set("page", String(page));
  return params.size > 0 ? `${path}?${params}` : path;
}

/** The page number in an address; the first if invalid. */
export function pageOf(query: string): number {
  const asked = Number(new URLSearchParams(query).get("page"));
  return Number.isSafeInteger(asked) && asked > 0 ? asked : 1;
}
