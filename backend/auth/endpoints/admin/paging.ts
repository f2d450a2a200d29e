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

/**
 * The total, and links to other pages of the same request (RFC 8288), with `page` first, where the official client
 * reads it.
 */
export function pageHeaders(
  path: string,
  query: URLSearchParams,
  { page, perPage, total }: Page & { total: number },
) {
  const last = Math.ceil(total / perPage);
  const others = [...query].filter(([name]) => name !== "page");
  const link = (to: number, name: string) =>
    `<${path}?${new URLSearchParams([["page", String(to)], ...others])}>; rel="${name}"`;
  const links = [...(page < last ? [link(page + 1, "next")] : []), link(last, "last")];
  return { "x-total-count": String(total), link: links.join(", ") };
}
