import { validationFailed } from "../../auth-error.ts";

const PER_PAGE = 50;
const PER_PAGE_AT_MOST = 1000;

export type Page = { page: number; perPage: number };

/** `page` starts at 1; `per_page` is 50 by default, at most 1,000. @throws AuthError 400 if one is not a number */
export function readPage(query: URLSearchParams): Page {
  return {
    page: readCount(query.get("page"), 1),
    perPage: Math.min(readCount(query.get("per_page"), PER_PAGE), PER_PAGE_AT_MOST),
  };
}

function readCount(text: string | null, otherwise: number): number {
  if (text === null || text === "") return otherwise;
  if (!/^\d{1,6}$/.test(text)) throw validationFailed("Bad Pagination Parameters");
  return Number(text) || otherwise;
}

/** Links repeat it in a header, where clients and proxies take 8 to 16 kB. */
const SEARCH_AT_MOST = 1000;

/** What is searched for; empty for everything. @throws AuthError 400 if it is longer than 1,000 characters */
export function readSearch(query: URLSearchParams, name: string): string {
  const text = query.get(name) ?? "";
  if (text.length > SEARCH_AT_MOST)
    throw validationFailed(`${name} must have at most ${SEARCH_AT_MOST} characters`);
  return text;
}

/**
 * The total, and links to other pages of the same search (RFC 8288), with `page` first, where the official client
 * reads it. `search` is what the endpoint read besides the page.
 */
export function pageHeaders(
  path: string,
  search: Record<string, string>,
  { page, perPage, total }: Page & { total: number },
) {
  const last = Math.ceil(total / perPage);
  const link = (to: number, name: string) => {
    const query = new URLSearchParams({ page: String(to) });
    if (perPage !== PER_PAGE) query.set("per_page", String(perPage));
    for (const [key, value] of Object.entries(search)) if (value !== "") query.set(key, value);
    return `<${path}?${query}>; rel="${name}"`;
  };
  const links = [...(page < last ? [link(page + 1, "next")] : []), link(last, "last")];
  return { "x-total-count": String(total), link: links.join(", ") };
}
