/** The orders of the list, by their word in the address. */
export const TRADER_SORTS = [
  { sort: "name", label: "Name" },
  { sort: "best", label: "Best rated" },
  { sort: "most", label: "Most rated" },
] as const;
type TraderSort = (typeof TRADER_SORTS)[number]["sort"];

/** What a visitor chose for the list of traders. It stands in the address. */
export type TraderQuery = { search: string; sort: TraderSort; page: number };

/** Longer than any username; what is more cannot match. */
const SEARCH_MAX = 40;
/** Beyond this there is no page, however many traders there are. */
const PAGE_MAX = 1_000_000;

/** The choice in a query such as `?q=otter&sort=best&page=2`; whatever is odd is the default. */
export function parseTraderQuery(params: URLSearchParams): TraderQuery {
  const wanted = params.get("sort");
  return {
    search: (params.get("q") ?? "").trim().slice(0, SEARCH_MAX),
    sort: TRADER_SORTS.find(({ sort }) => sort === wanted)?.sort ?? "name",
    page: parsePage(params),
  };
}

/** The number of a page; 1 for whatever is none. */
export function parsePage(params: URLSearchParams): number {
  const text = params.get("page") ?? "";
  return /^[1-9]\d{0,6}$/.test(text) ? Math.min(Number(text), PAGE_MAX) : 1;
}

/** The path of a choice, without what is the default. */
export function formatTraderQuery({ search, sort, page }: TraderQuery): string {
  const params = new URLSearchParams();
  if (search) params.set("q", search);
  if (sort !== "name") params.set("sort", sort);
  if (page > 1) params.set("page", String(page));
  return params.size > 0 ? `/community?${params}` : "/community";
}

/** How many pages there are, at least one, and which of them is shown for a number that may be too high. */
export function countPages(total: number, size: number, wanted: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(total / size));
  return { page: Math.min(wanted, pages), pages };
}
