import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { expectNoSidewaysScroll } from "#tests/helpers/screen-checks.ts";
import { alive, eventually, visit } from "#tests/helpers/visit.ts";

const TAGLINE = /real-time item values with detailed statistics and comprehensive trading analysis/i;

/** Searches from the home page. */
async function expectToSearch(page: Page): Promise<void> {
  await page.getByPlaceholder("Search items...").fill("kits");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/values?q=kits");
  await eventually(() => page.locator("main li h2").count()).toBe(3);
}

describe("home", () => {
  test("is readable without scripts: title, tagline, promises, live numbers, the age of most values, links and search", async () => {
    const page = await visit("/", { javaScript: false });
    expect(await page.locator("h1").count()).toBe(1);
    await page.getByText(TAGLINE).waitFor();
    const cards = page.locator("main li h3");
    expect(await cards.allInnerTexts()).toEqual(["Real-Time Values", "Smart Calculator", "Trusted Platform"]);
    const text = await page.locator("main").textContent();
    expect(text).toContain("Accurate values kept by experts");
    expect(text).toContain("86 items");
    await page.getByText(/^Half of all values were last checked .+ or earlier\.$/).waitFor();
    expect(await page.getByRole("link", { name: /Galaxy Empyrean Kitsune/ }).getAttribute("href")).toBe(
      "/fruits/galaxy-empyrean-kitsune",
    );
    for (const [name, path] of [
      ["Browse Values", "/values"],
      ["Trade Calculator", "/calculator"],
      ["Explore All Values", "/values"],
    ] as const) {
      const link = page.locator("main").getByRole("link", { name, exact: true });
      expect(await link.getAttribute("href")).toBe(path);
    }
    await expectToSearch(page);
  });

  test("shows title, tagline and both buttons without scrolling, fits the screen from a narrow phone to a wide desktop, and lists the biggest moves", async () => {
    const page = await visit("/");
    const parts = [
      page.locator("h1"),
      page.getByText(TAGLINE),
      page.getByRole("link", { name: "Browse Values" }).first(),
      page.getByRole("link", { name: "Trade Calculator" }).first(),
    ];
    for (const [width, height] of [
      [390, 844],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const part of parts) {
        const box = await part.boundingBox();
        expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      }
      const lasting = await page.evaluate(() =>
        document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().endTime)),
      );
      expect(Math.max(0, ...lasting), "what moves comes to rest (WCAG 2.2.2)").toBeLessThanOrEqual(5_000);
    }
    for (const width of [320, 390, 768, 1280, 1920, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
    }

    // With their direction in words, and links to the items.
    const lines = page.getByRole("region", { name: /Biggest moves/ }).getByRole("listitem");
    expect(await lines.count()).toBe(5);
    expect(await lines.first().textContent()).toMatch(/East Dragon[\s\S]*3\.36B[\s\S]*-32\.80%/);
    expect(await lines.first().textContent()).toContain("Falling");
    // The day of these changes; values were read on later days too, and some have been checked since.
    const title = page.getByRole("heading", { name: /^Biggest moves/ });
    expect(await title.textContent()).toBe("Biggest movesRegular values · Aug 11, 2026");
    await lines.first().getByRole("link").click();
    await page.waitForURL("**/fruits/east-dragon");
  });

  test("the search finds items while typing, by keyboard alone, and leads to the item or to the list of its results", async () => {
    const page = await visit("/", { width: 360, height: 740 });
    const box = page.getByRole("combobox", { name: "Search items" });
    expect((await box.boundingBox())?.y).toBeLessThan(700);
    await box.fill("trex");
    await page.getByRole("option", { name: /^T-Rex/ }).waitFor();
    await box.fill("kitsun");
    const options = page.getByRole("option");
    await eventually(() => options.count()).toBe(3);
    expect(await options.first().textContent()).toBe("Kitsune 640M");
    await expectNoAxeFindings(page);
    await page.keyboard.press("ArrowDown");
    expect(await page.getByRole("option", { selected: true }).textContent()).toBe("Kitsune 640M");
    await page.keyboard.press("Escape");
    await eventually(() => options.count()).toBe(0);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/fruits/kitsune");

    await page.goto("/");
    await alive(page);
    await expectToSearch(page);
  });

  test("its harbor and lanterns rest while someone types", async () => {
    const page = await visit("/", { width: 360, height: 740, reducedMotion: "no-preference" });
    const states = () =>
      page
        .locator(".drift, .bob, .rope-line a")
        .evaluateAll((all) => [...new Set(all.map((each) => getComputedStyle(each).animationPlayState))]);
    expect(await states()).toEqual(["running"]);
    await page.getByRole("combobox", { name: "Search items" }).focus();
    expect(await states()).toEqual(["paused"]);
  });
});
