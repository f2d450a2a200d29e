/** A page that anybody may read and search engines may list. */
type PublicPage = {
  path: string;
  /** Whether a device may keep a copy: of nothing that shows what people write or rate. */
  isKept: boolean;
};

/** Besides those of the items. Private pages and the 404 page are left out (P31); a test ties the list to the routes. */
export const PUBLIC_PAGES: readonly PublicPage[] = [
  { path: "/", isKept: true },
  { path: "/values", isKept: true },
  { path: "/calculator", isKept: true },
  { path: "/community", isKept: false },
  { path: "/changes", isKept: true },
  { path: "/method", isKept: true },
  { path: "/about", isKept: true },
  { path: "/contact", isKept: true },
  { path: "/privacy", isKept: true },
  { path: "/terms", isKept: true },
  { path: "/parents", isKept: true },
  { path: "/safety", isKept: false },
];

const ITEM_PATH = /^\/fruits\/[a-z0-9-]+$/;

/** Whether a device may keep a copy of the page at a path. */
export function isKeptPage(path: string): boolean {
  return ITEM_PATH.test(path) || PUBLIC_PAGES.some((page) => page.isKept && page.path === path);
}
