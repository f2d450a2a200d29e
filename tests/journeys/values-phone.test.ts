import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings, openPage } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually, read, untilPage, visit } from "#tests/helpers/visit.ts";

const PHONE = { width: 360, height: 740 };
const names = (page: Page) => page.locator("main li h2").allTextContents();
const openFilters = (page: Page) => page.getByRole("button", { name: /^Filters/ }).click();
const sheet = (page: Page) => page.getByRole("dialog", { name: "Filters" });

/** The number of items with name and value fully visible above the bottom bar. */
function countInView(page: Page): Promise<number> {
  return page.evaluate(() => {
    const end = document.querySelector(".bottom-bar")?.getBoundingClientRect().top ?? 0;
    const rows = [...document.querySelectorAll("main li:has(h2)")];
    return rows.filter((row) => {
      const parts = [row.querySelector("h2"), row.querySelector("dd")];
      return parts.every((part) => {
        const box = part?.getBoundingClientRect();
        return box && box.width > 0 && box.top >= 0 && box.bottom <= end;
      });
    }).length;
  });
}

/** Expects search, filters and six items with their values on the first screen. */
async function expectFirstScreen(page: Page): Promise<void> {
  for (const part of [
    page.getByPlaceholder("Search items..."),
    page.getByRole("button", { name: /^Filters/ }),
  ]) {
    expect((await part.boundingBox())?.y).toBeLessThan(200);
  }
  expect(await countInView(page)).toBeGreaterThanOrEqual(6);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
}

test("the first screen of a phone shows search, filters and six items; list or cards depend on the screen until the user chooses, and are then remembered", async () => {
  const page = await visit("/values", PHONE);
  await expectFirstScreen(page);
  const small = await page.locator("main form").evaluate((form) =>
    [...form.querySelectorAll("button, a, select, input[type=search]")]
      .map((each) => ({ text: each.textContent, box: each.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 44 || box.width < 44))
      .map(({ text }) => text),
  );
  expect(small, "smaller than 44 px").toEqual([]);

  const pressed = page.locator(".view-switch [aria-pressed='true']");
  expect(await pressed.textContent()).toBe("List");
  await page.getByRole("button", { name: "Cards", exact: true }).click();
  await eventually(() => pressed.textContent()).toBe("Cards");
  await page.getByText("Click for detailed statistics →").first().waitFor();
  await page.reload();
  await page.getByText("Click for detailed statistics →").first().waitFor();
  await eventually(() => pressed.textContent()).toBe("Cards");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "List", exact: true }).click();
  await page.getByText("Click for detailed statistics →").first().waitFor({ state: "hidden" });
  await page.getByRole("tab", { name: "Gamepasses" }).click();
  await eventually(() => page.locator("main li h2").count()).toBe(9);
  await expectNoAxeFindings(page);
});

test("a row has the value, the change in percent with its day, the demand and a sparkline, and above it is how old most values are; the chosen category is in view", async () => {
  const page = await visit("/values?q=kitsune", PHONE);
  const kitsune = page
    .locator("main li")
    .filter({ has: page.getByRole("link", { name: "Kitsune", exact: true }) });
  expect(await kitsune.textContent()).toMatch(/Kitsune[\s\S]*very high[\s\S]*640M[\s\S]*-3\.03%\s*Aug 11/i);
  expect(await kitsune.locator("svg.item-line path").getAttribute("d")).toMatch(/^M0 \d(H\d+V\d)+H24$/);
  await page.getByText(/Half of these values were last checked .+ or earlier\./).waitFor();
  await changeSite(
    `create table private.kept_checks as select id, values_checked_at as checked from items;
     update items set values_checked_at = now()`,
    `update items set values_checked_at = checked from private.kept_checks as kept where kept.id = items.id;
     drop table private.kept_checks`,
  );
  await untilPage("/values", (html) => !html.includes("Half of these values"));

  await page.goto("/values?category=gamepasses");
  await alive(page);
  const isInView = () =>
    page.getByRole("tab", { selected: true }).evaluate((tab) => {
      const { left, right } = tab.getBoundingClientRect();
      return left >= 0 && right <= innerWidth;
    });
  await eventually(isInView).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.getByRole("tab").last().dispatchEvent("click");
  await page.waitForURL((url) => !url.search.includes("gamepasses"));
  await eventually(isInView).toBe(true);
});

describe("orders and filters", () => {
  test("are in the address, so that Back and a shared link restore them, and clear with one press", async () => {
    const page = await visit("/values", PHONE);
    await page.getByLabel("Sort by").selectOption("Name, A to Z");
    await openFilters(page);
    await sheet(page).getByText("Legendary", { exact: true }).click();
    await sheet(page).getByText("Low", { exact: true }).click();
    await sheet(page).getByText("Fruit", { exact: true }).click();
    await sheet(page)
      .getByRole("button", { name: /^Show \d+ items/ })
      .click();
    await eventually(() => sheet(page).isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: /^Filters/ }).textContent()).toBe("Filters3 on");
    await eventually(() => new URL(page.url()).search).toBe(
      "?sort=name&rarity=legendary&demand=low&kind=fruit",
    );
    const found = await names(page);
    expect(found.length).toBeGreaterThan(1);
    expect(found).toEqual(found.toSorted());

    await page.locator("main li h2 a").first().click();
    await page.waitForURL("**/fruits/*");
    await page.goBack();
    await eventually(() => names(page)).toEqual(found);
    const shared = await read(new URL(page.url()).pathname + new URL(page.url()).search);
    expect(shared.html.match(/<h2[^>]*><a [^>]*href="\/fruits\//g)).toHaveLength(found.length);

    await page.goto("/values?rarity=mythical&demand=low");
    await alive(page);
    await openFilters(page);
    // A laptop's window, a tablet's and a phone's on its side: the sheet's buttons stay within it.
    for (const [width, height] of [
      [1366, 650],
      [1024, 600],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      const foot = () =>
        sheet(page)
          .getByRole("button", { name: /^Show/ })
          .evaluate((button) => button.getBoundingClientRect().bottom < innerHeight);
      await eventually(foot).toBe(true);
    }
    await page.setViewportSize(PHONE);
    await sheet(page).getByRole("button", { name: "Clear filters" }).click();
    await eventually(() => new URL(page.url()).search).toBe("");
    await page.keyboard.press("Escape");
    await eventually(() => page.locator("main li h2").count()).toBe(86);
    expect(
      await page
        .getByRole("button", { name: "Filters", exact: true })
        .evaluate((it) => it === document.activeElement),
    ).toBe(true);
  });

  test("apply even if chosen before hydration", async () => {
    const page = await openPage({ baseUrl: testSite().address, ...PHONE });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route("**/*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/values", { waitUntil: "commit" });
    await page.getByLabel("Sort by").selectOption("Name, A to Z");
    letGo();
    await eventually(() => new URL(page.url()).search).toBe("?sort=name");
    const found = await names(page);
    expect(found).toEqual(found.toSorted());
  });

  test("work without scripts, below the same first screen: the sheet opens, and its button submits everything", async () => {
    const page = await visit("/values", { ...PHONE, javaScript: false });
    await expectFirstScreen(page);
    await page.goto("/values?category=mythical-fruits");
    await page.getByPlaceholder("Search items...").fill("dragon");
    await openFilters(page);
    await sheet(page).getByText("High", { exact: true }).click();
    await sheet(page).getByRole("button", { name: /^Show/ }).click();
    await page.waitForURL(/demand=high/);
    expect(new URL(page.url()).searchParams.get("category")).toBe("mythical-fruits");
    await eventually(() => names(page)).toEqual(["West Dragon", "East Dragon"]);
    await page.getByRole("tab", { name: "All Items" }).click();
    await page.waitForURL((url) => !url.searchParams.has("category"));
  });
});
