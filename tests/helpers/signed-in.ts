import type { Page } from "playwright-core";
import { openPage, type PageOptions } from "./browser.ts";
import { type Role, type SignedIn, signUp } from "./sign-up.ts";
import { testSite } from "./site.ts";
import type { TestSite } from "./site-setup.ts";
import { alive } from "./visit.ts";

export { anonymousClient, giveRole, type SignedIn, takeRoles } from "./sign-up.ts";

/** A fresh person, made by the service's own door, with this role. */
export const signUpPerson = (site: TestSite = testSite(), role?: Role) => signUp(site, role);

/** A fresh person with the admin role. */
export const signUpAdmin = (site: TestSite = testSite()) => signUp(site, "admin");

/** Opens a path in a fresh profile in which this person's session is stored already, as on a return the next day. */
export async function visitAs(
  { session }: Pick<SignedIn, "session">,
  path: string,
  { address, ...options }: PageOptions & { address?: string } = {},
): Promise<Page> {
  const baseUrl = address ?? testSite().address;
  const page = await openPage({ baseUrl, ...options });
  await page.goto("/robots.txt");
  // The name under which the client keeps it: by the first part of the host's name.
  const key = `sb-${new URL(baseUrl).hostname.split(".")[0]}-auth-token`;
  await page.evaluate(([name, text]) => localStorage.setItem(name, text), [
    key,
    JSON.stringify(session),
  ] as const);
  await page.goto(path);
  await alive(page);
  return page;
}

/**
 * Changes when the session that the page's browser keeps is over, in seconds from now; the client looks at the next page,
 * and whenever the page is seen again.
 */
export function endSessionIn(page: Page, seconds: number): Promise<void> {
  return page.evaluate((left) => {
    const key = Object.keys(localStorage).find((name) => name.endsWith("-auth-token")) ?? "";
    const session = JSON.parse(localStorage.getItem(key) ?? "{}");
    const expires_at = Math.floor(Date.now() / 1000) + left;
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at }));
  }, seconds);
}
