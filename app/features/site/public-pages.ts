/** A page that anyone may read and search engines may index. */
type PublicPage = {
  path: string;
  /** Whether devices may keep a copy; never if the page shows what users write or rate. */
  isKept: boolean;
};

/** Besides the items' pages; neither private pages nor the 404 page (P31). A test ties the list to the routes. */
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

/** Whether devices may keep a copy of the page at a path. */
export function isKeptPage(path: string): boolean {
  return ITEM_PATH.test(path) || PUBLIC_PAGES.some((page) => page.isKept && page.path === path);
}
