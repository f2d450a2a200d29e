import { splitAddress } from "#backend/http/split-address.ts";

/** Query parameters of the value list. */
const LIST = ["category", "demand", "kind", "mode", "page", "q", "rarity", "sort"];

/** Query parameters of the list of changes. */
const CHANGES = ["before", "category", "item", "kind", "mode", "size"];

/** Query parameters that affect a page; others are dropped from the key, so that they cannot fill the cache. */
const MEANINGFUL: Record<string, "all" | string[]> = {
  // The whole trade is in the URL.
  "/calculator": "all",
  "/values": LIST,
  "/values/found.json": LIST,
  "/changes": CHANGES,
  "/feeds/changes.atom": CHANGES,
  "/feeds/changes.json": CHANGES,
  "/community": ["page", "q", "sort"],
  "/share/trade.png": ["them", "you"],
};
/** The same for pages whose path ends in a name. */
const MEANINGFUL_OF_NAMED: Record<string, string[]> = { "/community/": ["page"], "/fruits/": ["mode"] };

/** Pages whose data does not depend on the query: the browser filters it. */
const SAME_DATA = new Set(["/calculator", "/values", "/fruits/"]);

const LONGEST_QUERY = 2_048;

/**
 * The cache key of a GET: its path and its meaningful parameters. Null for a query too long to be one of the site's.
 */
export function toPageKey(url: string): string | null {
  const { path, query } = splitAddress(url);
  if (query.length > LONGEST_QUERY) return null;
  const kept = keepMeaningful(path, new URLSearchParams(query)).toString();
  return kept ? `${path}?${kept}` : path;
}

function keepMeaningful(path: string, query: URLSearchParams): URLSearchParams {
  const isData = path.endsWith(".data");
  const page = isData ? path.slice(0, -".data".length) : path;
  const folder = page.slice(0, page.lastIndexOf("/") + 1);
  const isSame = isData && (SAME_DATA.has(page) || SAME_DATA.has(folder));
  const meaningful = isSame ? [] : (MEANINGFUL[page] ?? MEANINGFUL_OF_NAMED[folder] ?? []);
  if (meaningful === "all") return query;
  const kept = new URLSearchParams();
  for (const [name, value] of query) {
    // `_routes` names the loaders whose data a navigation wants.
    if (meaningful.includes(name) || (isData && name === "_routes")) kept.append(name, value);
  }
  kept.sort();
  return kept;
}
