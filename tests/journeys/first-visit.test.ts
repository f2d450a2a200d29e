import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { testSite } from "#tests/helpers/site.ts";
import { countTaps } from "#tests/helpers/taps.ts";
import { eventually, visit } from "#tests/helpers/visit.ts";
import { verdict } from "./calculator-page.ts";

// A first-time visitor's task on a phone, starting on the home page, counted in taps.

const PHONE = { width: 360, height: 740 };

const bar = (page: Page) => page.getByRole("navigation", { name: "Sections" });
const panel = (page: Page, side: string) => page.getByRole("region", { name: side, exact: true });
const addItem = (page: Page, side: string) =>
  panel(page, side)
    .getByRole("button", { name: /^Add Item/ })
    .first();
const item = (page: Page, name: string) =>
  page.getByRole("dialog").locator("li button", { has: page.getByText(name, { exact: true }) });

test("is 2 Dough for 1 Tiger fair: six taps, and one more sends it", async () => {
  const page = await visit("/", PHONE);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const { tap, taken } = countTaps(page);
  await tap(bar(page).getByRole("link", { name: "Calculator" }));
  await page.waitForURL("**/calculator");
  await tap(addItem(page, "You"));
  // The search already has the focus: no tap is needed for the keyboard.
  await page.locator("dialog input:focus").waitFor();
  await page.keyboard.type("dough");
  await tap(item(page, "Dough"));
  await tap(page.getByRole("button", { name: "+1 Dough" }));
  await tap(addItem(page, "Them"));
  await page.locator("dialog input:focus").waitFor();
  await page.keyboard.type("tiger");
  await tap(item(page, "Tiger"));
  await eventually(() => verdict(page)).toBe("You're Winning You gain 70M, 116.67% of your total");
  expect(taken()).toEqual({ taps: 6, swipes: 0 });

  await tap(page.getByRole("button", { name: "Share this trade" }));
  await page.getByText("Link copied").waitFor();
  expect(taken()).toEqual({ taps: 1, swipes: 0 });
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${testSite().address}/calculator?you=dough,dough&them=tiger`,
  );
});

test("the same, typed: two taps", async () => {
  const page = await visit("/", PHONE);
  const { tap, taken } = countTaps(page);
  await tap(bar(page).getByRole("link", { name: "Calculator" }));
  await tap(page.getByLabel("Type a trade"));
  await page.keyboard.type("2 dough for tiger");
  await page.keyboard.press("Enter");
  await eventually(() => verdict(page)).toMatch(/^You're Winning/);
  expect(taken()).toEqual({ taps: 2, swipes: 0 });
});

test("a value in the calculator, on the home page and in the list leads to its reason and last check in one tap, and back to the trade", async () => {
  const page = await visit("/calculator?you=kitsune.p&them=dough");
  const expectHistory = async () => {
    await page.getByRole("heading", { name: "Value History" }).waitFor();
    await page
      .getByText(/^Checked /)
      .first()
      .waitFor();
  };
  await page.getByRole("link", { name: "Value 6.24B" }).click();
  await page.waitForURL("**/fruits/kitsune?mode=permanent");
  await page.getByRole("heading", { name: "Changes and why" }).waitFor();
  await expectHistory();
  await page.goBack();
  await page.getByRole("link", { name: "Value 6.24B" }).waitFor();
  await page.getByRole("link", { name: /^Weighed by/ }).click();
  await page.getByRole("heading", { name: "How Values Come About" }).waitFor();

  for (const path of ["/", "/values"]) {
    await page.goto(path);
    await page.locator("main a[href^='/fruits/']").first().click();
    await expectHistory();
  }
});
