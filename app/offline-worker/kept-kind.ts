import { isKeptPage } from "#app/features/site/public-pages.ts";

/** What of this site a device keeps a copy of. */
export type KeptKind = "page" | "data" | "asset" | "picture";

const ASSET = /^\/assets\/[\w.-]+\.(js|css|woff2)$/;
/** Drawings of ours, and the pictures that admins gave to items; people's are in another bucket. */
const PICTURE =
  /^\/((items\/)?[a-z0-9-]+\.svg|favicon-32\.png|storage\/v1\/(object|render\/image)\/public\/item-images\/.+)$/;

type Asked = Pick<Request, "method" | "url" | "mode" | "headers">;

/**
 * What a request is for, as far as its answer may be kept; null for all else, which the worker leaves alone. Only what is
 * named here is ever kept: no answer to somebody who is signed in, nothing that people wrote.
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

/** The page whose data an address of the router's has: `/values` of `/values.data`. */
function pageOfData(pathname: string): string {
  return pathname === "/_root.data" || pathname === "/_.data" ? "/" : pathname.slice(0, -".data".length);
}

/** Whether anybody may have this answer, and it is whole. */
export function mayKeep({ status, type, redirected, headers }: Response): boolean {
  if (status !== 200 || type !== "basic" || redirected || headers.has("set-cookie")) return false;
  if (/no-store|private/.test(headers.get("cache-control") ?? "")) return false;
  return Number(headers.get("content-length") ?? 0) <= MOST_BYTES;
}

const MOST_BYTES = 1_000_000;

/** The address under which pages and data are kept: their loaders read nothing of the query but `_routes`. */
export function keptAddress(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  const routes = searchParams.get("_routes");
  return routes && pathname.endsWith(".data")
    ? `${origin}${pathname}?_routes=${encodeURIComponent(routes)}`
    : origin + pathname;
}
