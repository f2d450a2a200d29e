import type { Page } from "playwright-core";
import { openPage, type PageOptions } from "./browser.ts";
import { type Role, type SignedIn, signUp } from "./sign-up.ts";
import { testSite } from "./site.ts";
import type { TestSite } from "./site-setup.ts";
import { alive } from "./visit.ts";

export { anonymousClient, giveRole, type SignedIn, takeRoles } from "./sign-up.ts";

/** Creates a new user with this role through the auth service. */
export const signUpPerson = (site: TestSite = testSite(), role?: Role) => signUp(site, role);

/** Creates a new user with the admin role. */
export const signUpAdmin = (site: TestSite = testSite()) => signUp(site, "admin");

type VisitOptions = PageOptions & {
  address?: string;
  /** Runs before the path is opened, such as to answer its first requests. */
  prepare?: (page: Page) => Promise<unknown>;
};

/** Opens a path in a fresh profile that already stores this user's session, as on a return visit. */
export async function visitAs(
  { session }: Pick<SignedIn, "session">,
  path: string,
  { address, prepare, ...options }: VisitOptions = {},
): Promise<Page> {
  const baseUrl = address ?? testSite().address;
  const page = await openPage({ baseUrl, ...options });
  await page.goto("/robots.txt");
  // The client's storage key, derived from the first part of the host name.
  const key = `sb-${new URL(baseUrl).hostname.split(".")[0]}-auth-token`;
  await page.evaluate(([name, text]) => localStorage.setItem(name, text), [
    key,
    JSON.stringify(session),
  ] as const);
  await prepare?.(page);
  await page.goto(path);
  await alive(page);
  return page;
}

/**
 * Makes the session stored by the page's browser expire in this many seconds; the client checks on the next page and
 * whenever the page becomes visible again.
 */
export function endSessionIn(page: Page, seconds: number): Promise<void> {
  return page.evaluate((left) => {
    const key = Object.keys(localStorage).find((name) => name.endsWith("-auth-token")) ?? "";
    const session = JSON.parse(localStorage.getItem(key) ?? "{}");
    const expires_at = Math.floor(Date.now() / 1000) + left;
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at }));
  }, seconds);
}
