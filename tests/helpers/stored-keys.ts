import type { Page } from "playwright-core";
import { KEPT, KEPT_CACHES } from "#app/features/browser-storage/kept-keys.ts";

/** The one cookie, for an hour from the beginning of a provider's sign-in; the privacy page explains it. */
const PROVIDER_COOKIE = "sb-provider-flow";

/** Storage keys the page uses that the privacy page's list does not explain; any other cookie counts. */
export async function findUnlistedKeys(page: Page): Promise<string[]> {
  // A test may have closed it together with its context.
  if (page.isClosed()) return [];
  const { hostname } = new URL(page.url());
  // Cookies of another service where the user signed in are not ours.
  const cookies = (await page.context().cookies()).filter(
    ({ domain, name }) => domain === hostname && name !== PROVIDER_COOKIE,
  );
  const stored = await page.evaluate(readKeys).catch(() => []);
  const copies = await page.evaluate(() => caches.keys()).catch(() => []);
  return [
    ...cookies.map(({ name }) => `cookie ${name}`),
    ...stored.filter((key) => !isListed(key)),
    ...copies.filter((name) => !name.startsWith(KEPT_CACHES)).map((name) => `cache ${name}`),
  ];
}

/** Each key, prefixed with its storage. Runs in the page, where storage may be unavailable. */
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
