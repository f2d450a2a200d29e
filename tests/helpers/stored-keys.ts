import type { Page } from "playwright-core";
import { KEPT, KEPT_CACHES } from "#app/features/browser-storage/kept-keys.ts";

/** What a page keeps in its browser and the list that the privacy page explains does not have; cookies, whichever. */
export async function findUnlistedKeys(page: Page): Promise<string[]> {
  // A test may have closed it, with its context, by itself.
  if (page.isClosed()) return [];
  const { hostname } = new URL(page.url());
  // Another service's own, where somebody signed in there, are its affair.
  const cookies = (await page.context().cookies()).filter(({ domain }) => domain === hostname);
  const stored = await page.evaluate(readKeys).catch(() => []);
  const copies = await page.evaluate(() => caches.keys()).catch(() => []);
  return [
    ...cookies.map(({ name }) => `cookie ${name}`),
    ...stored.filter((key) => !isListed(key)),
    ...copies.filter((name) => !name.startsWith(KEPT_CACHES)).map((name) => `cache ${name}`),
  ];
}

/** Each key after the storage it is in. Runs in the page, where storage may be out of reach. */
function readKeys(): string[] {
  try {
    return [
      ...Object.keys(localStorage).map((key) => `browser ${key}`),
      ...Object.keys(sessionStorage).map((key) => `tab ${key}`),
    ];
  } catch {
    return [];
  }
}

function isListed(stored: string): boolean {
  return Object.values(KEPT).some((kept) => {
    const known = `${"in" in kept ? kept.in : "browser"} ${kept.key}`;
    return /[-:]$/.test(known) ? stored.startsWith(known) : stored === known;
  });
}
