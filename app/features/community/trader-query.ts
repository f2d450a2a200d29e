import { searchText } from "#domain/text/words.ts";

/** The sort orders of the list, by their value in the address. */
export const TRADER_SORTS = [
  { sort: "name", label: "Name" },
  { sort: "best", label: "Best rated" },
  { sort: "most", label: "Most rated" },
] as const;
type TraderSort = (typeof TRADER_SORTS)[number]["sort"];

/** A visitor's choices for the list of traders, as kept in the address. */
export type TraderQuery = { search: string; sort: TraderSort; page: number };

/** Longer than any username; longer searches cannot match. */
const SEARCH_MAX = 40;
/** No list has more pages. */
const PAGE_MAX = 1_000_000;

/** Parses a query such as `?q=otter&sort=best&page=2`; invalid values become the default. */
export function parseTraderQuery(params: URLSearchParams): TraderQuery {
  const wanted = params.get("sort");
  return {
    search: searchText(params.get("q"), SEARCH_MAX),
    sort: TRADER_SORTS.find(({ sort }) => sort === wanted)?.sort ?? "name",
    page: parsePage(params),
  };
}

/** Parses a page number; 1 if invalid. */
export function parsePage(params: URLSearchParams): number {
  const text = params.get("page") ?? "";
  return /^[1-9]\d{0,6}$/.test(text) ? Math.min(Number(text), PAGE_MAX) : 1;
}

/** The path for these choices, without defaults. */
export function formatTraderQuery({ search, sort, page }: TraderQuery): string {
  const params = new URLSearchParams();
  if (search) params.set("q", search);
  if (sort !== "name") params.set("sort", sort);
  if (page > 1) params.set("page", String(page));
  return params.size > 0 ? `/community?${params}` : "/community";
}

/** The number of pages, at least one, and the page to show for a number that may be too high. */
export function countPages(total: number, size: number, wanted: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(total / size));
  return { page: Math.min(wanted, pages), pages };
}
