import type { Page, Request } from "playwright-core";
import { expect } from "vitest";
import { newestNotice } from "#tests/helpers/notices.ts";
import { anonymousClient } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";

export const PASSWORD = "Abcdefghij1!";

/** An unused email address. */
export function newAddress(name = "mara"): string {
  return `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`;
}

/** An anonymous client of the tests' site. */
export const clientOf = () => anonymousClient(testSite());

/** Creates an account through the auth service; returns its address and user id. */
export async function makeAccount(email = newAddress()): Promise<{ email: string; id: string }> {
  const { data, error } = await (await clientOf()).auth.signUp({ email, password: PASSWORD });
  expect(error).toBeNull();
  return { email, id: data.user?.id ?? "" };
}

/** Fills in and submits the form of the open tab. */
export async function submit(page: Page, button: "Sign In" | "Sign Up", email: string, password: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: button, exact: true }).click();
}

/** Signs in on /auth and waits until home is reached. */
export async function signIn(page: Page, email: string): Promise<void> {
  await submit(page, "Sign In", email, PASSWORD);
  await page.waitForURL("/");
  await untilSignedIn(page);
}

/** Waits until the navigation shows the session; on a phone Logout is in a closed sheet. */
export async function untilSignedIn(page: Page): Promise<void> {
  const logout = page.getByRole("button", { name: "Logout", includeHidden: true });
  await logout.first().waitFor({ state: "attached" });
}

/** Waits for a notice with exactly these lines. */
export async function expectNotice(page: Page, ...lines: string[]): Promise<void> {
  await expect.poll(() => newestNotice(page, lines)).toEqual(lines);
}

export function noticeVariant(page: Page): Promise<string | null> {
  return page.locator("[data-slot=toast]").getAttribute("data-variant");
}

/** The texts of the navigation entries, in order. */
export function navigationOf(page: Page): Promise<string[]> {
  return page.getByRole("navigation", { name: "Main" }).locator("li").allInnerTexts();
}

/** Collects the page's requests whose URL contains `path`, without preflights. */
export function watchRequests(page: Page, path: string): Request[] {
  const seen: Request[] = [];
  page.on("request", (request) => {
    if (request.url().includes(path) && request.method() !== "OPTIONS") seen.push(request);
  });
  return seen;
}
