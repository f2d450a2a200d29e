import { expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { signUpAdmin, signUpPerson, takeRoles, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { visit } from "#tests/helpers/visit.ts";
import { expectNotice, navigationOf, noticeVariant } from "./account-page.ts";

/** Records every admin control that is ever rendered, starting before the page's own scripts. */
const WATCH = () => {
  const seen: string[] = [];
  Object.assign(window, { seen });
  new MutationObserver(() => {
    const tab = document.querySelector("[role=tablist]")?.textContent;
    if (tab?.includes("Manage")) seen.push(tab);
  }).observe(document, { childList: true, subtree: true });
};

test("a visitor is redirected to /auth, and no admin control is ever rendered", async () => {
  const page = await openPage({ baseUrl: testSite().address });
  await page.addInitScript(WATCH);
  await page.goto("/admin");
  await page.waitForURL("/auth");
  await page.getByRole("heading", { name: "Welcome Back" }).waitFor();
  expect(await page.evaluate("window.seen")).toEqual([]);
  expect(await page.locator("[data-slot=toast]").count()).toBe(0);
});

test("a signed-in user without the role is told so and redirected home, on a hard load and by a link", async () => {
  const ana = await signUpPerson();
  const page = await visitAs(ana, "/account");
  await page.addInitScript(WATCH);
  await page.goto("/admin");
  await page.waitForURL("/");
  await expectNotice(page, "Access Denied", "You don't have admin permissions");
  expect(await noticeVariant(page)).toBe("destructive");
  expect(await page.evaluate("window.seen")).toEqual([]);
  expect(await navigationOf(page)).not.toContain("Admin");

  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.evaluate(() => {
    history.pushState({}, "", "/admin");
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  });
  await expectNotice(page, "Access Denied", "You don't have admin permissions");
  await page.waitForURL("/");
  expect(await page.evaluate("window.seen")).toEqual([]);
});

test("an admin stays after a hard reload, moves through the tabs by keyboard, and is out once the role is revoked", async () => {
  const eve = await signUpAdmin();
  // Requests of the area at the moment the role is revoked may be refused.
  const page = await visitAs(eve, "/admin", { expectedProblems: [/answer 403: GET .*operator-report/] });
  await page.getByRole("tab", { name: "Manage Items", selected: true }).waitFor();
  await page.reload();
  await page.getByRole("tab", { name: "Manage Items", selected: true }).waitFor();
  expect(await page.locator("[data-slot=toast]").count()).toBe(0);
  expect(await navigationOf(page)).toEqual(expect.arrayContaining(["Admin"]));
  await page.setViewportSize({ width: 1024, height: 700 });
  const name = page.locator("header .site-name");
  for (const strip of await page.locator(".main-nav > ul, [role=tablist]").all())
    expect(await strip.evaluate((list) => list.scrollWidth - list.clientWidth), "cut off").toBe(0);
  expect((await name.boundingBox())?.height, "lines of the name").toBe(44);
  await page.getByRole("tab", { selected: true }).press("End");
  await page.getByRole("tab", { name: "Operation", selected: true }).waitFor();
  await page.keyboard.press("Home");
  await page.getByRole("tab", { name: "Manage Items", selected: true }).waitFor();

  await takeRoles(testSite(), eve.id);
  const { error } = await eve.client.from("items").insert({ name: "Stolen", slug: "stolen" });
  expect(error?.code).toBe("42501");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expectNotice(page, "Access Denied", "You don't have admin permissions");
  await page.waitForURL("/");
  expect(await page.getByRole("tab").count()).toBe(0);
});

test("without scripts the page says why it is empty", async () => {
  const page = await visit("/admin", { javaScript: false });
  expect(await page.locator("noscript p").textContent()).toContain("it needs JavaScript");
});
