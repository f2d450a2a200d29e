import { isKeptPage } from "#app/features/site/public-pages.ts";

/** What a device caches of this site. */
export type KeptKind = "page" | "data" | "asset" | "picture";

const ASSET = /^\/assets\/[\w.-]+\.(js|css|woff2|svg)$/;
/** The site's icons, and the images that admins gave to items; users' pictures are in another bucket. */
const PICTURE =
  /^\/([a-z0-9-]+\.svg|favicon-32\.png|storage\/v1\/(object|render\/image)\/public\/item-images\/.+)$/;

type Asked = Pick<Request, "method" | "url" | "mode" | "headers">;

/**
 * The kind of a request whose response may be cached; null for all others, which the worker ignores. Only what is named
 * here is ever cached: no response to a signed-in user, nothing that users wrote.
 */
export function keptKind({ method, url, mode, headers }: Asked, origin: string): KeptKind | null {
  const { origin: host, pathname } = new URL(url);
  if (method !== "GET" || host !== origin || headers.has("authorization") || headers.has("range"))
    return null;
  if (mode === "navigate") return isKeptPage(pathname) ? "page" : null;
  if (pathname.endsWith(".data")) return isKeptPage(pageOfData(pathname)) ? "data" : null;
  if (ASSET.test(pathname)) return "asset";
  return PICTURE.test(pathname) ? "picture" : null;
}

/** The page whose data one of the router's addresses holds: `/values` for `/values.data`. */
export function pageOfData(pathname: string): string {
  return pathname === "/_root.data" || pathname === "/_.data" ? "/" : pathname.slice(0, -".data".length);
}

/**
 * Whether a network answered in the site's place, by a page of its own: to be logged in to, or because it filters. Only
 * the reader can tell such a page from one of ours, so whoever opens one sees it.
 */
export function isForeign(kind: KeptKind, { status, headers }: Response): boolean {
  return kind !== "page" && status === 200 && /^text\/html/i.test(headers.get("content-type") ?? "");
}

/** Whether the response is the site's, public and complete. */
export function mayKeep(kind: KeptKind, response: Response): boolean {
  const { status, type, redirected, headers } = response;
  if (status !== 200 || type !== "basic" || redirected || headers.has("set-cookie")) return false;
  if (isForeign(kind, response)) return false;
  if (/no-store|private/.test(headers.get("cache-control") ?? "")) return false;
  return Number(headers.get("content-length") ?? 0) <= MOST_BYTES;
}

const MOST_BYTES = 1_000_000;

/** The cache key of pages and data: their loaders read only `_routes` of the query. */
export function keptAddress(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  const routes = searchParams.get("_routes");
  return routes && pathname.endsWith(".data")
    ? `${origin}${pathname}?_routes=${encodeURIComponent(routes)}`
    : origin + pathname;
}
